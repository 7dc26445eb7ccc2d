// SPDX-License-Identifier: MIT

/**
 * Reads a built addon, of whichever system, on whichever system: so that one machine can judge all prebuilds.
 * The parsers know what their own checks need, and no more.
 */

import { isElf, readElf } from './elf.mjs';
import { isMachO, readMachO } from './macho.mjs';
import { isPe, readPe } from './pe.mjs';

/** { system, architectures, libraries, versions, exported } of a file's bytes. */
export function readBinary(bytes) {
    if (bytes.length < 64) throw new Error(`only ${bytes.length} bytes long`);
    if (isElf(bytes)) return readElf(bytes);
    if (isPe(bytes)) return readPe(bytes);
    if (isMachO(bytes)) return readMachO(bytes);
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
    const [allowed, most, least] = NEWEST[system] ?? [];
    return name !== allowed || Number(major) > most || (Number(major) === most && Number(minor) > least);
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
