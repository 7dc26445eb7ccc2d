// SPDX-License-Identifier: MIT

/**
 * Checks each compiled object of the addon for code that can change bits, or end a process on an older CPU.
 *
 * - No approximate reciprocal or root in strict objects. Fused multiply-adds only in fast/*; the linked addon has exactly
 *   those of the fast objects.
 * - No instructions of a newer instruction set: no VEX or EVEX encoding in the baseline, no EVEX in AVX and AVX2.
 * - No weak or unique symbol in an object for an instruction set: the linker would merge it with its twin from another.
 * - No code that runs when the addon is loaded, before it reads the CPU's features.
 *
 * Part of npm run check:addon (addon.mjs).
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { filesBelow, root, runOrThrow } from '../lib.mjs';

const FUSED = /^(v?fn?m(add|sub)|v4fn?madd|vfc?(madd|mul)c|fml[as]|fn?m(add|sub)\b|bfml|fcmla)/;
/** Approximate reciprocals and roots, whose rounding differs between vendors. */
const APPROXIMATE = /^(v?rsqrt|v?rcp|frsqrt|frecp|ursqrte|urecpe|vexp2)/;
/** Clang's code for "max(0, x)" on ARM, where x = -0 must stay -0. */
const MAXIMUM = /^fmax/;
/** The old floating-point unit rounds twice. */
const X87 = /^f(ld|st|add|sub|mul|div|sqrt|ild|ist|chs|abs)/;
/** A rounding that is not the one to nearest. */
const ROUNDING = /\{r[nduz]-sae\}/;
const WIDE_REGISTER = /%[yz]mm/;
const EVEX_REGISTER = /%zmm|%[xy]mm(1[6-9]|2\d|3[01])|%k[0-7]/;

/** No object of this many instructions holds all kernels. */
const MIN_INSTRUCTIONS = 1000;

/** The routines that every table of kernels must have; the table has the addresses of the functions. */
const MIN_ENTRIES = 13;

/** Prefixes of GNU's programs for another architecture (Debian: binutils-…). */
const PREFIXES = { x64: 'x86_64-linux-gnu-', arm64: 'aarch64-linux-gnu-' };

export function objdump(architecture, ...args) {
    const prefix = architecture === process.arch ? '' : (PREFIXES[architecture] ?? '');
    return runOrThrow(`${prefix}objdump`, args, { cwd: process.cwd() });
}

/** Every instruction of a file: its bytes, mnemonic and operands. */
export function instructionsOf(file, architecture = process.arch) {
    const found = [];
    for (const line of objdump(architecture, '-d', '-w', file).split('\n')) {
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

/** Instructions that an object must not have, by instruction set and kind. */
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
function tableEntries(file, symbols, architecture) {
    // The object can also have a table of the Rig, and refer to the table of another object.
    const table = symbols.find(
        ({ name, section }) => section !== '*UND*' && /^_ZN8poselane\d+k(Strict|Fast)\w+?(?<!Rig)E$/.test(name),
    );
    if (!table) return -1;
    const relocations = objdump(architecture, '-r', '-j', table.section, file).matchAll(
        /^([0-9a-f]+) R_(?:X86_64_64|AARCH64_ABS64) /gm,
    );
    const places = [...relocations].map(([, offset]) => Number.parseInt(offset, 16) - table.address);
    return places.filter((place) => place >= 0 && place < table.size).length;
}

/** The symbols that `objdump -t` prints; seven letters say what each of them is. */
export function symbolsIn(text) {
    const lines = text.matchAll(/^([0-9a-f]+) (.{7}) (\S+)\s+([0-9a-f]+) +(?:\.hidden )?(.+)$/gm);
    return [...lines].map(([, address, flags, section, size, name]) => {
        return { flags, section, name, address: Number.parseInt(address, 16), size: Number.parseInt(size, 16) };
    });
}

/**
 * Faults of one object.
 *
 * @param isa A key of `isa` in native/sources.json, or `core`.
 * @param kind `strict`, `fast`: a table of kernels over lanes; `other`: anything else.
 */
export function faultsOfObject(file, { isa, kind, least = MIN_INSTRUCTIONS, architecture = process.arch }) {
    const faults = [];
    const instructions = instructionsOf(file, architecture);
    for (const [what, matches] of forbidden(isa, kind, architecture)) {
        const found = instructions.filter(matches);
        if (found.length > 0) faults.push(`${found.length} ${what}, the first: ${found[0].text}`);
    }
    const text = objdump(architecture, '-h', '-t', file);
    const symbols = symbolsIn(text);
    if (isa !== 'core' || kind !== 'other') {
        const merged = symbols.filter(({ flags, section }) => /^u|^.w/.test(flags) && section !== '*UND*');
        if (merged.length > 0) faults.push(`${merged.length} weak or unique symbols, the first: ${merged[0].name}`);
        if (/^ +\d+ \.(init_array|ctors)\b/m.test(text)) faults.push('code that runs when the addon is loaded');
    }
    if (kind !== 'other') {
        if (instructions.length < least) faults.push(`only ${instructions.length} instructions`);
        const entries = tableEntries(file, symbols, architecture);
        if (entries < 0) faults.push('no table of kernels');
        else if (entries <= MIN_ENTRIES) faults.push(`only ${entries} addresses in the table of kernels`);
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

const modified = (file) => fs.statSync(file).mtimeMs;

/** Checks all objects of a build folder, and the addon that was linked from them. */
export function checkBuild(build, architecture = process.arch) {
    const faults = [];
    // Objects of node-gyp end in .o, those of CMake in .cpp.o.
    const found = filesBelow(build).filter((name) => name.endsWith('.o'));
    const addon = path.join(build, 'Release/poselane.node');
    let checked = 0;
    let instructions = 0;
    let fusedInFast = 0;
    for (const { source, isa, kind } of sources(architecture)) {
        const stem = source.replace(/\.cpp$/, '');
        // Both builders can have left objects; the newer one was linked.
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
