// SPDX-License-Identifier: MIT

/**
 * The compiled objects of the addon, one by one: what may change bits, and what may end a process on an older CPU.
 *
 * - No fused multiply-add and no approximate reciprocal or root in any strict object, no fused multiply-add in any other
 *   but fast/*; the linked addon has those of the fast objects and no more.
 * - Nothing of a newer instruction set in an object for an older one: no VEX or EVEX encoding in the baseline, no EVEX
 *   in AVX and AVX2.
 * - No weak or unique symbol in an object for an instruction set: the linker would merge it with its twin from another.
 * - No code that runs when the addon is loaded, before anybody has asked for the CPU's features.
 *
 * Part of npm run check:addon (addon.mjs). By itself for one object: --object file --isa key
 * --kind strict|fast|other, with a key of `isa` in native/sources.json, or core; --least instructions;
 * --architecture arm64 for one that was cross-compiled.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root, runOrThrow } from '../lib.mjs';

const FUSED = /^(v?fn?m(add|sub)|v4fn?madd|vfc?(madd|mul)c|fml[as]|fn?m(add|sub)\b|bfml|fcmla)/;
/** Approximate reciprocals and roots; what a vendor may round as it likes. */
const APPROXIMATE = /^(v?rsqrt|v?rcp|frsqrt|frecp|ursqrte|urecpe|vexp2)/;
/** What clang makes of "the greater of 0 and x" on ARM, where x = -0 must stay -0. */
const MAXIMUM = /^fmax/;
/** The old floating-point unit rounds twice. */
const X87 = /^f(ld|st|add|sub|mul|div|sqrt|ild|ist|chs|abs)/;
/** A rounding that is not the one to nearest. */
const ROUNDING = /\{r[nduz]-sae\}/;
const WIDE_REGISTER = /%[yz]mm/;
const EVEX_REGISTER = /%zmm|%[xy]mm(1[6-9]|2\d|3[01])|%k[0-7]/;

/** No object of this many instructions holds all kernels. */
const LEAST_INSTRUCTIONS = 1000;

/** The routines that every table of kernels must have; the addresses of the functions stand in the table. */
const LEAST_ENTRIES = 13;

/** Where GNU's programs for another architecture than this one's are, they have its name in front (Debian: binutils-…). */
const PREFIXES = { x64: 'x86_64-linux-gnu-', arm64: 'aarch64-linux-gnu-' };

export const toolName = (command, architecture) =>
    architecture === process.arch ? command : `${PREFIXES[architecture] ?? ''}${command}`;

/** What a program of binutils prints. */
export function tool(architecture, program, ...args) {
    return runOrThrow(toolName(program, architecture), args, { cwd: process.cwd() });
}

/** Every instruction of a file: its bytes, mnemonic and operands. */
export function instructionsOf(file, architecture = process.arch) {
    const found = [];
    for (const line of tool(architecture, 'objdump', '-d', '-w', file).split('\n')) {
        const match = /^\s*[0-9a-f]+:\t([0-9a-f ]+)\t(.+)$/.exec(line);
        if (!match) continue;
        // Prefixes that objdump prints as words of their own.
        const text = match[2]
            .trim()
            .replace(/^((rep\w*|lock|data16|addr32|cs|ds|es|fs|gs|ss|notrack|bnd|\{\w+\}) +)+/, '');
        found.push({ bytes: match[1].trim(), mnemonic: text.split(/\s/, 1)[0], text });
    }
    return found;
}

export const isFused = ({ mnemonic }) => FUSED.test(mnemonic);

/** VEX in 64-bit code is C4 or C5, EVEX is 62: no other instruction starts so. */
const isVex = ({ bytes }) => /^c[45]/.test(bytes);
const isEvex = ({ bytes, text }) => /^62/.test(bytes) || EVEX_REGISTER.test(text);

/** What instructions an object may not have, by instruction set and kind. */
function forbidden(isa, kind, architecture) {
    const rules = [];
    if (kind !== 'fast') rules.push(['fused multiply-adds', isFused]);
    if (kind === 'strict') rules.push(['approximations', ({ mnemonic }) => APPROXIMATE.test(mnemonic)]);
    if (kind === 'strict' && architecture === 'arm64') {
        rules.push(['maxima that do not keep -0', ({ mnemonic }) => MAXIMUM.test(mnemonic)]);
    }
    if (architecture !== 'x64') return rules;
    if (kind === 'strict') {
        rules.push(['x87 instructions', ({ mnemonic }) => X87.test(mnemonic)]);
        rules.push(['roundings of their own', ({ text }) => ROUNDING.test(text)]);
    }
    if (isa === 'core' || isa === 'sse2') {
        const newer = (one) => isVex(one) || isEvex(one) || WIDE_REGISTER.test(one.text);
        rules.push(['AVX instructions', newer]);
    } else if (!isa.startsWith('avx512')) {
        rules.push(['AVX-512 instructions', isEvex]);
    }
    return rules;
}

/** How many addresses the table of kernels in an object has, or -1 where there is no table. */
function tableEntries(file, architecture) {
    // Address, flags, section, size and name; beside the table of kernels there may be one of the Rig.
    const line = /^([0-9a-f]+) .{7} (\S+)\t([0-9a-f]+) (?:\.hidden )?_ZN8poselane\d+k(?:Strict|Fast)\w+?(?<!Rig)E$/m;
    const match = line.exec(tool(architecture, 'objdump', '-t', file));
    if (!match) return -1;
    const [first, size] = [match[1], match[3]].map((hex) => Number.parseInt(hex, 16));
    const relocations = tool(architecture, 'objdump', '-r', '-j', match[2], file).matchAll(
        /^([0-9a-f]+) R_(?:X86_64_64|AARCH64_ABS64) /gm,
    );
    const places = [...relocations].map(([, offset]) => Number.parseInt(offset, 16) - first);
    return places.filter((place) => place >= 0 && place < size).length;
}

function symbolsOf(file, architecture) {
    return tool(architecture, 'nm', '-P', file)
        .split('\n')
        .filter(Boolean)
        .map((line) => {
            const [name, type] = line.split(' ');
            return { name, type };
        });
}

/**
 * What is wrong with one object.
 *
 * @param isa A key of `isa` in native/sources.json, or `core`.
 * @param kind `strict`, `fast`: a table of kernels over lanes; `other`: anything else.
 */
export function faultsOfObject(file, { isa, kind, least = LEAST_INSTRUCTIONS, architecture = process.arch }) {
    const faults = [];
    const instructions = instructionsOf(file, architecture);
    for (const [what, matches] of forbidden(isa, kind, architecture)) {
        const found = instructions.filter(matches);
        if (found.length > 0) faults.push(`${found.length} ${what}, the first: ${found[0].text}`);
    }
    const symbols = symbolsOf(file, architecture);
    if (isa !== 'core' || kind !== 'other') {
        const merged = symbols.filter(({ type }) => /^[WVu]$/.test(type)).map(({ name }) => name);
        if (merged.length > 0) faults.push(`${merged.length} weak or unique symbols, the first: ${merged[0]}`);
        const sections = tool(architecture, 'objdump', '-h', file);
        if (/\.(init_array|ctors)\b/.test(sections)) faults.push('code that runs when the addon is loaded');
    }
    if (kind !== 'other') {
        if (instructions.length < least) faults.push(`only ${instructions.length} instructions`);
        const entries = tableEntries(file, architecture);
        if (entries < 0) faults.push('no table of kernels');
        else if (entries <= LEAST_ENTRIES) faults.push(`only ${entries} addresses in the table of kernels`);
    }
    return { faults, instructions: instructions.length, fused: instructions.filter(isFused).length };
}

/** Every object that the addon is linked from, as native/sources.json says. */
function sources(architecture) {
    const { core, addon, isa } = JSON.parse(fs.readFileSync(path.join(root, 'native/sources.json'), 'utf8'));
    const keys = Object.entries(isa).filter(([key]) => architecture === (key === 'neon' ? 'arm64' : 'x64'));
    return [['core', core], ['addon', addon], ...keys].flatMap(([key, files]) =>
        files.map((source) => ({
            source,
            isa: key === 'addon' ? 'core' : key,
            kind: /^native\/isa\/(strict|fast)_/.exec(source)?.[1] ?? 'other',
        })),
    );
}

/** All object files below a folder; node-gyp's end in .o, those of CMake in .cpp.o. */
function objectFiles(folder) {
    return fs
        .readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.o'))
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

const modified = (file) => fs.statSync(file).mtimeMs;

/** Checks all objects of a build folder, and the addon that was linked from them. */
export function checkBuild(build, architecture = process.arch) {
    const faults = [];
    const found = objectFiles(build);
    const addon = path.join(build, 'Release/poselane.node');
    let checked = 0;
    let instructions = 0;
    let fusedInFast = 0;
    for (const { source, isa, kind } of sources(architecture)) {
        const stem = source.replace(/\.cpp$/, '');
        // Both builders may have been here; the newer object is the one that was linked.
        const [file] = found
            .filter((name) => name.endsWith(`/${stem}.o`) || name.endsWith(`/${source}.o`))
            .sort((a, b) => modified(b) - modified(a));
        if (file === undefined) {
            faults.push(`${source}: no object of it in ${build}`);
            continue;
        }
        if (modified(file) > modified(addon)) faults.push(`${source}: compiled after the addon was linked`);
        const result = faultsOfObject(file, { isa, kind, architecture });
        faults.push(...result.faults.map((fault) => `${source}: ${fault}`));
        checked++;
        instructions += result.instructions;
        if (kind === 'fast') fusedInFast += result.fused;
    }
    const fused = instructionsOf(addon, architecture).filter(isFused).length;
    if (fused !== fusedInFast) {
        faults.push(`the addon has ${fused} fused multiply-adds, the objects of fast/* have ${fusedInFast}`);
    }
    return { faults, checked, instructions, fused };
}

function main() {
    const { values: options } = parseArgs({
        options: {
            object: { type: 'string' },
            isa: { type: 'string' },
            kind: { type: 'string' },
            least: { type: 'string', default: String(LEAST_INSTRUCTIONS) },
            architecture: { type: 'string', default: process.arch },
        },
    });
    const { object, isa, kind, least, architecture } = options;
    const { faults } = faultsOfObject(object, { isa, kind, least: Number(least), architecture });
    for (const fault of faults) console.error(`${path.basename(object)}: ${fault}`);
    return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main());
