// SPDX-License-Identifier: MIT

/** What a library for Windows asks of its system: the parts of PE32+ (Microsoft's PE/COFF specification) for it. */

const MACHINES = { 34404: 'x64', 43620: 'arm64' };
const [EXPORTS, IMPORTS, DELAYED_IMPORTS] = [0, 1, 13];
const PE32_PLUS = 0x20b;

export const isPe = (bytes) => bytes.readUInt16BE(0) === 0x4d5a;

export function readPe(bytes) {
    const header = bytes.readUInt32LE(0x3c);
    const sectionCount = bytes.readUInt16LE(header + 6);
    const optional = header + 24;
    if (bytes.readUInt32BE(header) !== 0x50450000 || bytes.readUInt16LE(optional) !== PE32_PLUS) {
        throw new Error('not a library for 64-bit Windows');
    }
    const sectionsAt = optional + bytes.readUInt16LE(header + 20);
    const sections = Array.from({ length: sectionCount }, (_, k) => {
        const at = sectionsAt + k * 40;
        const [size, address, , offset] = [8, 12, 16, 20].map((field) => bytes.readUInt32LE(at + field));
        return { size, address, offset };
    });
    /** From an address in memory to the place in the file. */
    const placeOf = (address) => {
        const section = sections.find((one) => address >= one.address && address < one.address + one.size);
        if (!section) throw new Error(`no section has address ${address}`);
        return address - section.address + section.offset;
    };
    const textAt = (address) => {
        const place = placeOf(address);
        return bytes.toString('latin1', place, bytes.indexOf(0, place));
    };
    const directory = (index) => bytes.readUInt32LE(optional + 112 + 8 * index);

    /** The names of the libraries in a list of descriptors that ends with an empty one. */
    const librariesOf = (index, size, field) => {
        const libraries = [];
        const address = directory(index);
        if (address === 0) return libraries;
        for (let at = placeOf(address); bytes.readUInt32LE(at + field) !== 0; at += size) {
            libraries.push(textAt(bytes.readUInt32LE(at + field)).toLowerCase());
        }
        return libraries;
    };
    const exported = [];
    if (directory(EXPORTS) !== 0) {
        const table = placeOf(directory(EXPORTS));
        const names = placeOf(bytes.readUInt32LE(table + 32));
        for (let k = 0; k < bytes.readUInt32LE(table + 24); k++) {
            exported.push(textAt(bytes.readUInt32LE(names + 4 * k)));
        }
    }
    return {
        system: 'win32',
        architectures: [MACHINES[bytes.readUInt16LE(header + 4)] ?? 'unknown'],
        libraries: librariesOf(IMPORTS, 20, 12),
        /** Looked up at the first call. */
        delayed: librariesOf(DELAYED_IMPORTS, 32, 4),
        versions: [],
        exported,
    };
}
