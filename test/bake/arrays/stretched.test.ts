// SPDX-License-Identifier: MIT

/** Columns of qts16 with uneven scale or shear: the verifier proves them, and only they have a third texel. */

import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { verifyBake } from '../../../lib/verify';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { channel, node, scene, skin } from '../../rig/scenes';
import { knightFile } from '../../support/rigid-files';
import { stretchedFile } from '../../support/stretched-file';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

/** Columns with a third texel. */
function stretchedOf({ manifest }: BakeOutput): number[] {
    const { pivots, shape } = manifest.arrays.palette!;
    const columns = pivots!.length;
    const stretched = pivots!.flatMap(({ length }, column) => (length > 3 ? [column] : []));
    const texels = columns * 2 + stretched.length;
    expect(stretched.map((column) => pivots![column]![3])).toEqual(stretched.map((_, i) => columns * 2 + i));
    expect(shape.slice(1)).toEqual(stretched.length > 0 ? [texels, 4] : [columns, 8]);
    return stretched;
}

async function baked(path: string, options: BakeOptions = {}): Promise<BakeOutput> {
    return (await bakeFile(path, { layout: 'qts16', ...options })).outputs[0]!;
}

/** The max deviation of a joint's matrices from rotation and uniform scale, as a share of the scale, at 400 times of each clip. */
async function deviations(path: string): Promise<number[]> {
    const evaluator = await DoubleEvaluator.load(path);
    const max = evaluator.joints(0).map(() => 0);
    for (const animation of [0, 1]) {
        for (let i = 0; i < 400; i++) {
            const palette = evaluator.palette(0, animation, (i / 400) * 1.3);
            for (let joint = 0; joint < max.length; joint++) {
                const column = (k: number) => palette.subarray(joint * 16 + k * 4, joint * 16 + k * 4 + 3);
                const dot = (a: number, b: number) => column(a).reduce((sum, x, k) => sum + x * column(b)[k]!, 0);
                const size = (dot(0, 0) + dot(1, 1) + dot(2, 2)) / 3;
                const off = [dot(0, 1), dot(1, 2), dot(2, 0), ...[0, 1, 2].map((k) => dot(k, k) - size)];
                max[joint] = Math.max(max[joint]!, ...off.map((x) => Math.abs(x) / size));
            }
        }
    }
    return max;
}

describe.each([false, true])('scale with keys: %p', (moves) => {
    test.each([0, 1, 2, 3])('uneven scale at depth %d, and shear: proved, within 1%%', async (depth) => {
        for (const binds of [false, true]) {
            const path = stretchedFile(folder(), 10 * depth + Number(moves) + 2 * Number(binds), depth, moves, binds);
            const output = await baked(path);
            const [files] = await writeBake([output], folder());
            const { ok, problems, clips } = await verifyBake(path, files!.json);
            expect({ ok, problems }).toEqual({ ok: true, problems: [] });
            expect(clips.every(({ playback }) => playback !== null)).toBe(true);
            for (const { error } of output.manifest.clips) expect(error.maxLerpShare).toBeLessThanOrEqual(0.01);

            const stretched = new Set(stretchedOf(output));
            const off = await deviations(path);
            for (const [joint, most] of off.entries()) {
                if (most > 0.05) expect([joint, stretched.has(joint)]).toEqual([joint, true]);
                if (most < 1e-4) expect([joint, stretched.has(joint)]).toEqual([joint, false]);
            }
            // The tail is stretched, the leg is not.
            expect([stretched.has(5), stretched.has(4)]).toEqual([true, false]);
        }
    });
});

test('no column is stretched in a rig without uneven scale and shear', async () => {
    expect(stretchedOf(await baked(stretchedFile(folder(), 1, -1, false, true)))).toEqual([]);
});

/** An arm with a growing scale, below hips of another height. */
function growing(scale: readonly number[], height = 1) {
    const turned = height === 1 ? [0, 0, 0, 1] : [0, 0, 0.6, 0.8];
    const nodes = [node(-1, { name: 'hips', scale: [1, height, 1] }), node(0, { name: 'arm', rotation: turned })];
    const channels = [channel(1, 'scale', 'LINEAR', [0, 1], [1, 1, 1, ...scale])];
    return scene(nodes, [skin([0, 1])], [{ name: 'grow', channels }]);
}

/** With vertices 1 from the hips, and `reach` from the arm. */
const withVertices = (s: ReturnType<typeof growing>, reach: number) => {
    const primitive = {
        positions: Float32Array.of(1, 0, 0, 0, 1, 0, reach, 0, 0, 0, reach, 0),
        influences: 1,
        joints: Uint16Array.of(0, 0, 1, 1),
        weights: Float32Array.of(1, 1, 1, 1),
    };
    return { ...s, skinnedMeshes: [{ node: 0, mesh: 0, skin: 0, primitives: [primitive] }] };
};

test.each<[string, ReturnType<typeof growing>, BakeOptions, number[]]>([
    ['unequal scale', withVertices(growing([1, 1.5, 1]), 1), {}, [1]],
    ['flat', withVertices(growing([1, 1, 0]), 1), {}, [1]],
    ['shear, from uneven scale above a turn', withVertices(growing([1, 1, 1], 1.5), 1), {}, [0, 1]],
    ['flat in between', withVertices(growing([1, -1, -1]), 1), {}, [1]],
    ['inside out', withVertices(growing([-1, -1, -1]), 1), {}, []],
    ['within rounding', withVertices(growing([1, 1, 1], 1 + 1e-4), 1), {}, []],
    ['small enough for the error to be small', withVertices(growing([1, 1.5, 1]), 1e-3), {}, []],
    ['the same with a smaller tolerance', withVertices(growing([1, 1.5, 1]), 1e-3), { maxError: '0.05%' }, [1]],
    ['a joint that moves only its pivot', withVertices(growing([1, 1.5, 1]), 0), {}, []],
])('%s', async (_, s, options, stretched) => {
    const { outputs } = await bakeScene(s, { fps: 20, layout: 'qts16', ...options });
    expect(stretchedOf(outputs[0]!)).toEqual(stretched);
});

test('the scale of an attachment', async () => {
    const path = knightFile(folder());
    const output = await baked(path, { skin: 0 });
    expect(stretchedOf(output)).not.toEqual([]);
    const [files] = await writeBake([output], folder());
    expect(await verifyBake(path, files!.json)).toMatchObject({ ok: true, problems: [] });
});
