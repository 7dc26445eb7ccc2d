// SPDX-License-Identifier: MIT

/**
 * Compiles the kernels, `wasm` of native/sources.json, with npm's clang for WebAssembly. Writes them as text to
 * lib/webassembly/strict-bytes.ts, so that no bundler loses them.
 */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../lib.mjs';

const FILE = path.join(root, 'lib/webassembly/strict-bytes.ts');

const { wasm: units } = JSON.parse(fs.readFileSync(path.join(root, 'native/sources.json'), 'utf8'));

// The kernels need only memcpy and memset of a C library. No relaxed SIMD: its results differ between machines.
const FLAGS = [
    ...['--target=wasm32-wasip1', '-std=c++17', '-Os', '-msimd128', '-mbulk-memory', '-ffp-contract=off', '-Inative'],
    ...['-Wall', '-Wextra', '-Werror', '-fno-exceptions', '-fno-rtti', '-fvisibility=hidden', '-nostartfiles'],
    ...['-Wl,--no-entry', '-Wl,--export-dynamic', '-Wl,--export-table', '-Wl,--export=__heap_base'],
    ...['-Wl,--import-memory', '-Wl,--strip-all', '-Wl,--compress-relocations'],
];

/** Folders as objects. The compiler's file system has no `..`, so includes are relative to native/. */
function sourcesIn(folder) {
    const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
    const include = (_, name) => `#include "${path.posix.relative('native', path.posix.join(folder, name))}"`;
    return Object.fromEntries(
        entries.flatMap((entry) => {
            const file = `${folder}/${entry.name}`;
            if (entry.isDirectory()) return [[entry.name, sourcesIn(file)]];
            if (!/\.(h|cpp)$/.test(entry.name)) return [];
            return [[entry.name, fs.readFileSync(path.join(root, file), 'utf8').replace(/#include "(.*)"/g, include)]];
        }),
    );
}

async function compile(files, flags = []) {
    const { commands, runLLVM } = await import('@yowasp/clang');
    // Quiet: the compiler would report every megabyte that it reads.
    await runLLVM(null, {}, { fetchProgress: () => {} });
    const log = [];
    const print = (bytes) => void (bytes && log.push(Buffer.from(bytes).toString()));
    const streams = { stdout: print, stderr: print };
    const command = [...FLAGS, ...flags, ...units, '-o', 'strict.wasm'];
    const made = await commands['clang++'](command, files, streams).catch((error) => {
        throw new Error(log.join('') || error.message);
    });
    return made['strict.wasm'];
}

/** The module, compiled with these flags. */
export const compileWith = (flags) => compile({ native: sourcesIn('native') }, flags);

function sectionOf(text) {
    const content = Buffer.from(`\x08poselane${text}`);
    return Buffer.concat([Buffer.of(0, content.length), content]);
}

/** @returns Why there is no module; null if there is one. */
export async function buildWebassembly() {
    const files = { native: sourcesIn('native') };
    const hash = createHash('sha256')
        .update(JSON.stringify([FLAGS, units, files]))
        .digest('hex');
    if (fs.existsSync(FILE) && fs.readFileSync(FILE, 'utf8').includes(hash)) return null;
    let bytes = null;
    let problem = null;
    try {
        bytes = await compile(files);
    } catch (error) {
        problem = error.message;
    }
    const sources = hash.slice(0, 16);
    const text =
        bytes === null ? '' : gzipSync(Buffer.concat([bytes, sectionOf(sources)]), { level: 9 }).toString('base64');
    const lines = [
        '// SPDX-License-Identifier: MIT',
        `// Made by scripts/build/webassembly.mjs of native/ (${bytes === null ? 'not at all' : hash}).`,
        '',
        '/** The module, gzip and base64; empty where it could not be compiled. */',
        `export const STRICT_BYTES: string = '${text}';`,
        '',
        '/** What the module is made of, by its hash: the section `poselane` in it. */',
        `export const STRICT_SOURCES = '${sources}';`,
    ];
    fs.writeFileSync(FILE, `${lines.join('\n')}\n`);
    return problem;
}
