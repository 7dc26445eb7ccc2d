// SPDX-License-Identifier: MIT

/** Reads the imports and exports of built addons: ELF by readelf, PE and Mach-O by llvm-readobj. */

import * as fs from 'node:fs';
import { requireCommand, runOrThrow } from '../lib.mjs';

/** By the names of both programs. */
const ARCHITECTURES = { 'Advanced Micro Devices X86-64': 'x64', AArch64: 'arm64', x86_64: 'x64', aarch64: 'arm64' };

/** The first group of every match, each text once. */
const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, found]) => found))];
const architecturesIn = (text, pattern) => all(text, pattern).map((name) => ARCHITECTURES[name] ?? name);

function readElf(file) {
    const readelf = requireCommand(['readelf', 'llvm-readelf-14', 'llvm-readelf'], 'binutils');
    const text = runOrThrow(readelf, ['-W', '-h', '-d', '-V', '--dyn-syms', file]);
    // Number, value, size, type, binding (LOCAL for sections), visibility, section, and name, which may end in @ and a version.
    const symbols = [...text.matchAll(/^ *\d+: [0-9a-f]+ +\S+ \S+ +(?!LOCAL)(\S+) +\S+ +(\S+) ([^\s@]+)/gm)];
    const named = (wanted) => symbols.filter(([, ...symbol]) => wanted(...symbol)).map(([, , , name]) => name);
    return {
        system: 'linux',
        architectures: architecturesIn(text, /^ +Machine: +(.+)$/gm),
        libraries: all(text, /\(NEEDED\).*\[(.+)\]/g),
        versions: all(text, / Name: (\S+) +Flags: /g),
        exported: named((_, section) => section !== 'UND'),
        // A weak symbol may be missing.
        imported: named((binding, section) => section === 'UND' && binding !== 'WEAK'),
    };
}

/** PE, or Mach-O for one or more processors. */
function readByLlvm(file) {
    const readobj = requireCommand(['llvm-readobj-14', 'llvm-readobj'], 'llvm-14');
    const facts = ['--needed-libs', '--symbols', '--macho-version-min', '--coff-imports', '--coff-exports'];
    const text = runOrThrow(readobj, [...facts, file]);
    const architectures = architecturesIn(text, /^Arch: (\S+)/gm);
    if (/^Format: COFF/m.test(text)) {
        const libraries = (kind) => all(text, kind).map((name) => name.toLowerCase());
        return {
            system: 'win32',
            architectures,
            libraries: libraries(/^Import \{\n +Name: (.+)/gm),
            /** Loaded at the first call. */
            delayed: libraries(/^DelayImport \{\n +Name: (.+)/gm),
            versions: [],
            exported: all(text, /^Export \{\n +Ordinal: .*\n +Name: (\S+)/gm),
        };
    }
    return {
        system: 'darwin',
        architectures,
        // node-gyp links bundles, which do not list themselves as a dylib does.
        libraries: all(text, /^NeededLibraries \[\n([^\]]+)\n\]/gm).flatMap((lines) => all(lines, /^ +(.+)$/gm)),
        versions: all(text, /^ +Version: (.+)$/gm).map((version) => `macOS_${version}`),
        exported: all(text, /^ +Name: _?(\S+) .*\n +Extern\n +Type: (?!Undef)/gm),
    };
}

/** `{ system, architectures, libraries, delayed, versions, exported, imported }` of a file. Only ELF has `imported`. */
export function readBinary(file) {
    const magic = fs.readFileSync(file).toString('hex', 0, 4);
    if (magic === '7f454c46') return readElf(file);
    if (/^(4d5a|cffaedfe|cafebabe)/.test(magic)) return readByLlvm(file);
    throw new Error('neither ELF nor PE nor Mach-O');
}

const ENTRY_POINTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];

/** Libraries that an addon may need. On Windows node.exe is loaded at the first call, under any name. */
const LIBRARIES = {
    linux: /^libc\.so\.6$/,
    win32: /^(kernel32|msvcrt|ucrtbase|api-ms-win-[\w-]+)\.dll$/,
    darwin: /^\/usr\/lib\/lib(System\.B|c\+\+\.1)\.dylib$/,
};

/** Functions that a Linux prebuild may import: Node-API, and those of every libc and libm. */
const FUNCTIONS =
    /^(napi_\w+|malloc|calloc|free|abort|mem(cpy|move|set|cmp)|strlen|strcmp|clock_gettime|sin|acos|atan2|sqrtf?)$/;

/** The newest library version that an addon may need. */
const NEWEST = { linux: ['GLIBC', 2, 17], darwin: ['macOS', 11, 0] };

function isTooNew(text, system) {
    const [, name, major, minor] = /^(\w+?)_(\d+)\.(\d+)/.exec(text) ?? [];
    const [allowed, maxMajor, maxMinor] = NEWEST[system] ?? [];
    return name !== allowed || Number(major) > maxMajor || (Number(major) === maxMajor && Number(minor) > maxMinor);
}

/** Imports and exports that a prebuild must not have, as sentences. */
export function faultsOfBinary({ system, libraries, delayed = [], versions, exported, imported = [] }) {
    const faults = [];
    const unwanted = libraries.filter((library) => !LIBRARIES[system].test(library));
    if (unwanted.length > 0) faults.push(`needs ${unwanted.join(', ')}`);
    const notNode = delayed.filter((library) => library !== 'node.exe');
    if (notNode.length > 0) faults.push(`needs ${notNode.join(', ')}`);
    const tooNew = versions.filter((version) => isTooNew(version, system));
    if (tooNew.length > 0) faults.push(`needs ${tooNew.join(', ')}`);
    const unknown = imported.filter((name) => !FUNCTIONS.test(name));
    if (unknown.length > 0) faults.push(`wants ${unknown.join(', ')} of the process`);
    const extra = exported.filter((name) => !ENTRY_POINTS.includes(name));
    if (extra.length > 0) faults.push(`exports ${extra.slice(0, 5).join(', ')}${extra.length > 5 ? ', …' : ''}`);
    for (const name of ENTRY_POINTS) if (!exported.includes(name)) faults.push(`does not export ${name}`);
    return faults;
}

export function describeBinary({ libraries, delayed = [], versions }) {
    const needs = [...libraries, ...delayed, ...new Set(versions)];
    return needs.length === 0 ? 'needs no library' : `needs ${needs.join(', ')}`;
}

/** Paths on Linux, macOS and Windows that are too long to occur by chance. */
const PATHS = /(?<![\w./:-])\/(?:[\w.+ -]{2,}\/){2,}[\w.+-]{2,}|(?<!\w)[A-Za-z]:[\\/](?:[\w.+ -]+[\\/])+[\w.+-]{3,}/g;

/**
 * A path of the build machine in an addon, or undefined. MSVC's linker writes one to the debugging information.
 *
 * @param libraries Libraries of the addon, which are paths on macOS.
 */
export function machinePathIn(bytes, libraries) {
    const found = bytes.toString('latin1').match(PATHS) ?? [];
    return found.find((name) => !libraries.includes(name));
}
