// SPDX-License-Identifier: MIT

/**
 * node test/long/webassembly-traps.mjs: the kernels' module with UndefinedBehaviorSanitizer gives the golden bits. Faults trap:
 * the sanitizer has no library for WebAssembly. test/long/webassembly/bounds.test.ts tests the ends of lists. Build first.
 */

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { compileWith } from '../../scripts/build/webassembly.mjs';
import { endWith, root } from '../../scripts/lib.mjs';
import { goldenFaults, outputOf } from './sweep/emulated.mjs';

const checks = [
    'bounds',
    'shift',
    'signed-integer-overflow',
    'integer-divide-by-zero',
    'float-cast-overflow',
    'bool',
    'unreachable',
    'return',
];
const bytes = await compileWith([`-fsanitize=${checks.join(',')}`, '-fsanitize-trap=all', '-O1']);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-traps-'));
try {
    const file = path.join(folder, 'strict-bytes.cjs');
    const text = gzipSync(bytes).toString('base64');
    fs.writeFileSync(
        file,
        `require(${JSON.stringify(path.join(root, 'dist/webassembly/strict-bytes.js'))}).STRICT_BYTES = '${text}';`,
    );
    const report = path.join(root, 'test/long/sweep/report.cjs');
    const only = ['--only', 'strict/wasm,the plain functions,the bound functions'];
    const env = { POSELANE_BACKEND: 'wasm' };
    const result = JSON.parse(await outputOf([process.execPath, '--require', file, report, ...only], env));
    const faults = goldenFaults(result, ['strict/wasm']);
    // The checks are code.
    if (bytes.length <= (await compileWith(['-O1'])).length) faults.push('nothing is checked');
    endWith(faults, 'webassembly-traps');
} finally {
    fs.rmSync(folder, { recursive: true, force: true });
}
