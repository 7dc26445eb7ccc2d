// SPDX-License-Identifier: MIT

/** What a shared library for Linux asks of its system: the parts of ELF (System V ABI, 64 bits, little-endian) for it. */

const MACHINES = { 62: 'x64', 183: 'arm64' };
const [SHT_STRTAB, SHT_DYNAMIC, SHT_DYNSYM, SHT_VERNEED] = [3, 6, 11, 0x6ffffffe];
const DT_NEEDED = 1;

export const isElf = (bytes) => bytes.readUInt32BE(0) === 0x7f454c46;

function sectionsOf(bytes) {
    const [at, size, count] = [Number(bytes.readBigUInt64LE(0x28)), bytes.readUInt16LE(0x3a), bytes.readUInt16LE(0x3c)];
    return Array.from({ length: count }, (_, k) => {
        const header = bytes.subarray(at + k * size, at + (k + 1) * size);
        const offset = Number(header.readBigUInt64LE(0x18));
        const length = Number(header.readBigUInt64LE(0x20));
        const type = header.readUInt32LE(4);
        return { type, link: header.readUInt32LE(0x28), data: bytes.subarray(offset, offset + length) };
    });
}

const textAt = (strings, at) => strings.toString('latin1', at, strings.indexOf(0, at));

function neededLibraries(dynamic, strings) {
    const libraries = [];
    for (let at = 0; at < dynamic.length; at += 16) {
        if (Number(dynamic.readBigUInt64LE(at)) !== DT_NEEDED) continue;
        libraries.push(textAt(strings, Number(dynamic.readBigUInt64LE(at + 8))));
    }
    return libraries;
}

/** E.g. GLIBC_2.14: the versions of symbols that its libraries must have. */
function neededVersions(section, strings) {
    const versions = [];
    for (let at = 0, next = -1; next !== 0; at += next) {
        let entry = at + section.readUInt32LE(at + 8);
        for (let k = section.readUInt16LE(at + 2); k > 0; k--) {
            versions.push(textAt(strings, section.readUInt32LE(entry + 8)));
            entry += section.readUInt32LE(entry + 12);
        }
        next = section.readUInt32LE(at + 12);
    }
    return versions;
}

/** The names that others see (defined here) and those that it wants (from anywhere; weak ones may be missing). */
function symbolsOf(table, strings) {
    const [exported, imported] = [[], []];
    for (let at = 24; at < table.length; at += 24) {
        const name = textAt(strings, table.readUInt32LE(at));
        const weak = table[at + 4] >> 4 === 2;
        // Those of sections have no name.
        if (name === '') continue;
        if (table.readUInt16LE(at + 6) !== 0) exported.push(name);
        else if (!weak) imported.push(name);
    }
    return { exported, imported };
}

export function readElf(bytes) {
    const sections = sectionsOf(bytes);
    const ofType = (type) => sections.find((section) => section.type === type);
    const stringsOf = ({ link }) => {
        if (sections[link]?.type !== SHT_STRTAB) throw new Error('an ELF file whose names are not in a string table');
        return sections[link].data;
    };
    const [dynamic, symbols, versions] = [SHT_DYNAMIC, SHT_DYNSYM, SHT_VERNEED].map(ofType);
    if (!dynamic || !symbols) throw new Error('not a shared library');
    return {
        system: 'linux',
        architectures: [MACHINES[bytes.readUInt16LE(0x12)] ?? 'unknown'],
        libraries: neededLibraries(dynamic.data, stringsOf(dynamic)),
        versions: versions ? neededVersions(versions.data, stringsOf(versions)) : [],
        ...symbolsOf(symbols.data, stringsOf(symbols)),
    };
}
