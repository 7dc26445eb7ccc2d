// SPDX-License-Identifier: MIT

/**
 * What a built addon asks of its system and shows to it, for the addons of all systems on one machine: readelf (of binutils, or
 * LLVM's) reads ELF, and llvm-readobj reads PE and Mach-O.
 */

import * as fs from 'node:fs';
import { requireCommand, runOrThrow } from '../lib.mjs';

/** By the names that the two programs have for processors. */
const ARCHITECTURES = { 'Advanced Micro Devices X86-64': 'x64', AArch64: 'arm64', x86_64: 'x64', aarch64: 'arm64' };

/** The first group of every match, each text once. */
const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, found]) => found))];
const architecturesIn = (text, pattern) => all(text, pattern).map((name) => ARCHITECTURES[name] ?? name);

function readElf(file) {
    const readelf = requireCommand(['readelf', 'llvm-readelf-14', 'llvm-readelf'], 'binutils');
    const text = runOrThrow(readelf, ['-W', '-h', '-d', '-V', '--dyn-syms', file]);
    // Number, value, size, type, binding (of sections LOCAL), visibility, section and name, which may have a version behind an @.
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

/** PE, or Mach-O for one processor or several. */
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
            /** Looked up at the first call. */
            delayed: libraries(/^DelayImport \{\n +Name: (.+)/gm),
            versions: [],
            exported: all(text, /^Export \{\n +Ordinal: .*\n +Name: (\S+)/gm),
        };
    }
    return {
        system: 'darwin',
        architectures,
        // A dylib's own name would be among them; node-gyp links bundles, which have none.
        libraries: all(text, /^NeededLibraries \[\n([^\]]+)\n\]/gm).flatMap((lines) => all(lines, /^ +(.+)$/gm)),
        versions: all(text, /^ +Version: (.+)$/gm).map((version) => `macOS_${version}`),
        exported: all(text, /^ +Name: _?(\S+) .*\n +Extern\n +Type: (?!Undef)/gm),
    };
}

/** { system, architectures, libraries, delayed, versions, exported, imported } of a file; PE and Mach-O have no `imported`. */
export function readBinary(file) {
    const magic = fs.readFileSync(file).toString('hex', 0, 4);
    if (magic === '7f454c46') return readElf(file);
    if (/^(4d5a|cffaedfe|cafebabe)/.test(magic)) return readByLlvm(file);
    throw new Error('neither ELF nor PE nor Mach-O');
}

const ENTRY_POINTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];

/**
 * All that any of them may ask for. On Linux even libc comes from the process; it may be named all the same. On Windows
 * node.exe is looked for at the first call only, under whatever name it runs.
 */
const LIBRARIES = {
    linux: /^libc\.so\.6$/,
    win32: /^(kernel32|msvcrt|ucrtbase|api-ms-win-[\w-]+)\.dll$/,
    darwin: /^\/usr\/lib\/lib(System\.B|c\+\+\.1)\.dylib$/,
};

/** What Linux prebuilds may want of the process: Node-API, and what every libc and libm has. */
const FUNCTIONS =
    /^(napi_\w+|malloc|calloc|free|abort|mem(cpy|move|set|cmp)|strlen|strcmp|clock_gettime|sin|acos|atan2|sqrtf?)$/;

/** The newest version of a system's libraries that may be wanted. */
const NEWEST = { linux: ['GLIBC', 2, 17], darwin: ['macOS', 11, 0] };

function isTooNew(text, system) {
    const [, name, major, minor] = /^(\w+?)_(\d+)\.(\d+)/.exec(text) ?? [];
    const [allowed, maxMajor, maxMinor] = NEWEST[system] ?? [];
    return name !== allowed || Number(major) > maxMajor || (Number(major) === maxMajor && Number(minor) > maxMinor);
}

/** What a prebuild must not ask of its system or show to it; the parts of the list are whole sentences. */
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

/** In words, for a line of a report. */
export function describeBinary({ libraries, delayed = [], versions }) {
    const needs = [...libraries, ...delayed, ...new Set(versions)];
    return needs.length === 0 ? 'needs no library' : `needs ${needs.join(', ')}`;
}

/** Of a file in a folder, on Linux or macOS (in two), and on Windows: what no code looks like by chance. */
const PATHS = /(?<![\w./:-])\/(?:[\w.+ -]{2,}\/){2,}[\w.+-]{2,}|(?<!\w)[A-Za-z]:[\\/](?:[\w.+ -]+[\\/])+[\w.+-]{3,}/g;

/**
 * A path of the machine that built it, such as MSVC's linker writes of the file with the debugging information; undefined
 * where there is none. Prebuilds are judged on another machine, so that its own folder is not what is looked for.
 *
 * @param libraries That it needs: on macOS they are paths.
 */
export function machinePathIn(bytes, libraries) {
    const found = bytes.toString('latin1').match(PATHS) ?? [];
    return found.find((name) => !libraries.includes(name));
}
