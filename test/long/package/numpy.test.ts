// SPDX-License-Identifier: MIT

/** examples/read_bake.py reads what BakedTable reads, and skins as the Rig does. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { Rig } from '../../../lib/rig';
import { type ArrayName, BakedTable } from '../../../lib/table';
import { CHARACTER } from '../../support/models';
import { runProgram } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';
import { describeUnless } from '../../support/unless';

const installed = runProgram('python3', ['-c', 'import numpy']).status === 0;
const CODE = readFileSync(join(__dirname, '../../../examples/read_bake.py'), 'utf8');

const folder = scratchFolder();

/** Runs the example and `code`, and gives what that writes as float32. */
function floatsOf(code: string, ...args: string[]): Float32Array {
    const put = 'def put(array): sys.stdout.buffer.write(np.ascontiguousarray(array, "<f4").tobytes())';
    const script = join(folder(), 'run.py');
    writeFileSync(script, `import sys\n${CODE}\n${put}\n${code}`);
    const { status, stdout, stderr } = runProgram<Buffer>('python3', [script, ...args], { encoding: 'buffer' });
    expect([status, String(stderr)]).toEqual([0, '']);
    return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
}

async function bakeCharacter(name: string, options: BakeOptions, container: 'files' | 'glb') {
    const bake = await bakeFile(CHARACTER.path, options);
    const [written] = await writeBake(bake, join(folder(), name), { container });
    return { path: written!.json, table: BakedTable.open(bake.outputs[0]!.json, bake.outputs[0]!.bin) };
}

describeUnless(!installed && 'is not installed', 'NumPy', () => {
    const NAMES: ArrayName[] = ['palette', 'hit', 'local', 'bounds'];
    const emit = [...NAMES, 'jointBounds'] as const;

    test.each([
        ['files', { layout: 'mat4' }],
        ['glb', { layout: 'mat4' }],
        ['glb', { layout: 'mat3x4', dtype: 'f16' }],
        ['files', { layout: 'qts16' }],
    ] as const)('%s, %p: every row of every array', async (container, options) => {
        const { path, table } = await bakeCharacter(container, { ...options, emit, fps: 8 }, container);
        const found = floatsOf(
            `_, arrays = load_bake(sys.argv[1])\nfor name in sys.argv[2:]: put(arrays[name])`,
            path,
            ...emit,
        );
        const expected: number[] = [];
        for (const name of NAMES) {
            const row = new Float32Array(table.arrays[name]!.rowFloats);
            for (const [clip, { frameCount }] of table.clips.entries()) {
                for (let frame = 0; frame < frameCount; frame++) {
                    const time = Float64Array.of(table.frameTime(clip, frame));
                    expected.push(...table.sample(name, clip, time, row));
                }
            }
        }
        expected.push(...table.jointBounds!);
        expect(expected.length).toBeGreaterThan(40_000);
        expect(Buffer.compare(Buffer.from(found.buffer), Buffer.from(Float32Array.from(expected).buffer))).toBe(0);
    });

    // Half floats are off by a thousandth of the extent, which is 1.6.
    test.each([
        ['mat4', 2e-6],
        ['mat3x4', 2e-6],
        ['qts16', 1.6e-3],
    ] as const)('%s: vertices are those of the Rig, and in the space of each engine', async (layout, error) => {
        const { path, table } = await bakeCharacter(layout, { layout, fps: 30, clips: ['Walk'] }, 'glb');
        const rig = await Rig.load(CHARACTER.path);
        const [mesh] = rig.meshes;
        const { vertexCount, influences, joints, weights, positions } = mesh!;
        const dense = new Float32Array(vertexCount * table.columns);
        for (let i = 0; i < weights.length; i++) {
            dense[Math.floor(i / influences) * table.columns + joints[i]!]! += weights[i]!;
        }
        const frame = 7;
        const poses = rig.createPoses(1);
        rig.evaluate(poses, rig.clipNamed('Walk'), Float64Array.of(table.frameTime(0, frame)));
        rig.toGlobal(poses);
        const expected = new Float32Array(vertexCount * 3);
        rig.skinVertices(poses, mesh!.skin, 0, expected);
        const inputs = { weights: dense, positions };
        for (const [name, list] of Object.entries(inputs)) writeFileSync(join(folder(), name), list);
        const found = floatsOf(
            `
manifest, arrays = load_bake(sys.argv[1])
row = manifest['clips'][0]['firstRow'] + ${frame}
palette = manifest['arrays']['palette']
matrices = matrices_of(arrays['palette'], palette['layout'], palette.get('pivots'))[row]
weights, positions = (np.fromfile(file, '<f4').reshape(${vertexCount}, -1) for file in sys.argv[2:])
here = skin(matrices, weights, positions)
put(here)
`,
            path,
            ...Object.keys(inputs).map((name) => join(folder(), name)),
        );
        expect(found.length).toBe(expected.length);
        const off = found.reduce((max, x, i) => Math.max(max, Math.abs(x - expected[i]!)), 0);
        expect(off).toBeLessThan(error);
    });
});
