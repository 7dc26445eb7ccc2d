// SPDX-License-Identifier: MIT

/** What a library for macOS asks of its system: the parts of Mach-O (64 bits; one processor's or a fat file) for it. */

const MACHINES = { 16777223: 'x64', 16777228: 'arm64' };
const [FAT, MACHO_64] = [0xcafebabe, 0xfeedfacf];
const [LC_SYMTAB, LC_LOAD_DYLIB, LC_VERSION_MIN, LC_BUILD_VERSION] = [0x2, 0xc, 0x24, 0x32];
const [N_STAB, N_PEXT, N_TYPE, N_EXT] = [0xe0, 0x10, 0x0e, 0x01];

export const isMachO = (bytes) => bytes.readUInt32BE(0) === FAT || bytes.readUInt32LE(0) === MACHO_64;

const textAt = (bytes, at) => bytes.toString('latin1', at, bytes.indexOf(0, at));

function exportsOf(bytes, command) {
    const [symbols, count, strings] = [8, 12, 16].map((field) => bytes.readUInt32LE(command + field));
    const names = [];
    for (let at = symbols; at < symbols + 16 * count; at += 16) {
        const type = bytes[at + 4];
        if ((type & (N_STAB | N_PEXT)) !== 0 || (type & N_EXT) === 0 || (type & N_TYPE) === 0) continue;
        names.push(textAt(bytes, strings + bytes.readUInt32LE(at)).replace(/^_/, ''));
    }
    return names;
}

function readOne(bytes) {
    const one = {
        system: 'darwin',
        architectures: [MACHINES[bytes.readUInt32LE(4)] ?? 'unknown'],
        libraries: [],
        versions: [],
        exported: [],
    };
    let at = 32;
    for (let k = bytes.readUInt32LE(16); k > 0; k--) {
        // The highest bit says that the loader must know the command.
        const command = bytes.readUInt32LE(at) & 0x7fffffff;
        if (command === LC_LOAD_DYLIB) one.libraries.push(textAt(bytes, at + bytes.readUInt32LE(at + 8)));
        if (command === LC_SYMTAB) one.exported = exportsOf(bytes, at);
        if (command === LC_BUILD_VERSION || command === LC_VERSION_MIN) {
            const version = bytes.readUInt32LE(at + (command === LC_BUILD_VERSION ? 12 : 8));
            one.versions.push(`macOS_${version >>> 16}.${(version >> 8) & 255}`);
        }
        at += bytes.readUInt32LE(at + 4);
    }
    return one;
}

export function readMachO(bytes) {
    if (bytes.readUInt32BE(0) !== FAT) return readOne(bytes);
    const ones = Array.from({ length: bytes.readUInt32BE(4) }, (_, k) => {
        const [offset, size] = [8, 12].map((field) => bytes.readUInt32BE(8 + 20 * k + field));
        return readOne(bytes.subarray(offset, offset + size));
    });
    const all = (key) => [...new Set(ones.flatMap((one) => one[key]))];
    return {
        system: 'darwin',
        architectures: all('architectures'),
        libraries: all('libraries'),
        versions: all('versions'),
        exported: all('exported'),
    };
}
