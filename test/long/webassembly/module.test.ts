// SPDX-License-Identifier: MIT

/** The instructions of the module, by its compiler's disassembler; and the memory of rigs is freed. */

import { gunzipSync } from 'node:zlib';
import { STRICT_BYTES } from '../../../lib/webassembly/strict-bytes';
import { runNode } from '../../support/processes';

const bytes = gunzipSync(Buffer.from(STRICT_BYTES, 'base64'));

test('no instruction whose result differs from machine to machine', () => {
    const code = `import { commands } from '@yowasp/clang';
        import { readFileSync } from 'node:fs';
        const lines = [];
        const stdout = (bytes) => void (bytes && lines.push(Buffer.from(bytes).toString()));
        await commands.objdump(['-d', 'm.wasm'], { 'm.wasm': readFileSync(0) }, { stdout, fetchProgress: () => {} });
        process.stdout.write(lines.join(''));`;
    const { stdout, status } = runNode(['--input-type=module', '-e', code], { input: bytes });
    expect(status).toBe(0);
    const mnemonics = new Set(stdout.match(/(?<=\t)[a-z]\w*(\.\w+)+/g));
    // Proves that the listing shows such instructions.
    for (const name of ['f32x4.mul', 'f32x4.add', 'f32x4.sqrt', 'f32x4.pmin', 'f64x2.mul', 'v128.load']) {
        expect(mnemonics).toContain(name);
    }
    expect([...mnemonics].filter((name) => /relaxed|madd|fma|\.dot|f32x4\.(min|max)$/.test(name))).toEqual([]);
});

test('unreachable rigs and poses free their memory', () => {
    const code = `const { Rig } = require(${JSON.stringify(require.resolve('../../../dist/index.js'))});
        const rest = Array.from({ length: 50 }, () => [0, 1, 0, 0, 0, 0, 1, 1, 1, 1]).flat();
        const rss = [];
        for (let i = 0; i < 300; i++) {
            const rig = Rig.create({ parents: Array.from({ length: 50 }, (_, i) => i - 1), rest });
            for (let k = 0; k < 3; k++) rig.createPoses(1000).data.fill(1);
            // Poses of some slots, which have their own tables.
            for (let k = 0; k < 20; k++) rig.createPoses(16, { only: [k] }).data.fill(1);
            if (i % 10 === 9) {
                gc();
                rss.push(process.memoryUsage().rss / 2 ** 20);
            }
        }
        console.log(JSON.stringify([rss[9], rss.at(-1)]));`;
    const { stdout, stderr } = runNode(['--expose-gc', '-e', code], {
        env: { ...process.env, POSELANE_BACKEND: 'wasm' },
    });
    expect(stderr).toBe('');
    // 300 rigs with 13 MB of poses each would be 4 GB.
    const [before, after] = JSON.parse(stdout) as [number, number];
    expect(after).toBeLessThan(before + 200);
});
