// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { InputError } from '../../lib/base/errors';
import { Rig } from '../../lib/rig/rig';
import { GltfBuilder } from '../support/gltf-builder';
import { scratchFolder } from '../support/temporary-folder';
import { describeScenes, FAULTS, SCENES } from '../support/torture';
import { CLIP_NAMES } from '../support/torture/clips';
import { moved, type TortureScene } from '../support/torture/scene';
import { STEP_RATES } from '../support/torture/times';
import { geometryOf, readDocument, skinDouble } from './double-skinning';
import { type JudgedRig, judgeRig } from './rig-judge';
import { globalsOf, posed } from './scenes';

/**
 * A block for each case of support/torture. The double evaluator judges every scene and its vertices at frames and between
 * them. Figures calculated by hand catch errors that both evaluators share.
 */
const folder = scratchFolder();

/** Max error of vertices, in meters. They are at most 1 m from their joints. */
const VERTEX_LIMIT = 1e-4;

/** Judges the skinned vertices, and so the morph weights, of all meshes at some times of every clip. Returns their number. */
async function judgeVertices({ rig, evaluator }: JudgedRig): Promise<number> {
    const document = await readDocument(evaluator.file.path);
    let compared = 0;
    for (const [clip, { duration }] of rig.clips.entries()) {
        const times = [0, 0.3, 0.5, 0.77, 1].map((x) => Math.fround(x * duration));
        const poses = posed(rig, times, clip);
        for (const [mesh, { node, skin, vertexCount }] of rig.meshes.entries()) {
            const out = new Float32Array(times.length * vertexCount * 3);
            rig.skinVertices(poses, skin, mesh, out);
            const geometry = geometryOf(document, node);
            const expected = times.flatMap((time) => {
                const matrices = Array.from(evaluator.palette(skin, clip, time));
                const palette = evaluator.joints(skin).map((_, i) => matrices.slice(i * 16, i * 16 + 16));
                return skinDouble(geometry, palette, evaluator.weights(node, clip, time)).positions;
            });
            expect(out.length).toBe(expected.length);
            const size = Math.max(1, ...expected.map(Math.abs));
            for (const [i, x] of expected.entries()) {
                if (Math.abs(out[i]! - x) < VERTEX_LIMIT * size) compared++;
                else throw new Error(`clip ${clip}, mesh ${mesh}, float ${i}: ${out[i]} instead of ${x}`);
            }
        }
    }
    return compared;
}

async function judge({ write, fps, figures }: TortureScene): Promise<JudgedRig> {
    const { path, plain } = write(folder());
    const judged = await judgeRig(path, { fps, plain });
    for (const { clip = 0, time, joint, skin, point, to, near } of figures) {
        const at = judged.at(clip, time, joint, point, skin);
        if (near) for (const [c, x] of to.entries()) expect(at[c]).toBeCloseTo(x, 5);
        else expect(at).toEqual(to);
    }
    expect(await judgeVertices(judged)).toBeGreaterThan(0);
    return judged;
}

/** Further checks of some scenes, by name. */
const SEEN: Record<string, (judged: JudgedRig) => void> = {
    ...Object.fromEntries(
        STEP_RATES.map((rate) => [
            `step-${rate}`,
            ({ rig }: JudgedRig) => expect(rig.clips[0]!.cadence).toMatchObject({ keys: 301, rate }),
        ]),
    ),
    'random-rotations': ({ worst }) => expect(worst).toBeLessThan(1.5e-6),
    'late-first-key': ({ rig }) => expect(rig.clips[0]!.duration).toBe(1.5),
    'order-between': ({ rig }) => {
        expect(rig.slots.map(({ node }) => node)).toEqual([1, 3, 2, 0]);
        expect(rig.slots.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2]);
        expect([...rig.skins[0]!.parents]).toEqual([1, -1]);
    },
    'mesh-node': ({ rig }) =>
        expect(rig.meshes).toMatchObject([{ name: '', node: 3, skin: 0, firstWeight: 0, weightCount: 0 }]),
    'two-skins': ({ rig }) => expect(rig.slots.length).toBe(3),
    'matrix-nodes': ({ rig }) => {
        expect(rig.slots.map(({ hasMatrix }) => hasMatrix)).toEqual([true, false, true, true]);
        expect([...rig.rest.matrices.subarray(0, 12)]).toEqual([1, 0.5, 0, 0, 0, 1, 0.25, 0, 0, 0, 1, 1]);
    },
    names: ({ rig }) => {
        expect(rig.clips.map(({ name }) => name)).toEqual(CLIP_NAMES.map((name) => name ?? ''));
        expect(rig.slots.map(({ name }) => name)).toEqual(['bone', 'bone']);
    },
    'morph-weights': ({ rig }) => expect(rig.meshes).toMatchObject([{ weightCount: 2 }]),
};

test('further checks name existing scenes', () => {
    const names = SCENES.map(({ name }) => name);
    for (const name of Object.keys(SEEN)) expect(names).toContain(name);
});

describeScenes(async (scene) => {
    const judged = await judge(scene);
    SEEN[scene.name]?.(judged);
});

test('sockets below joints and other moving nodes are slots; other fixed nodes are not', async () => {
    const gltf = new GltfBuilder([
        { name: 'joint', children: [1] },
        { name: 'hand', children: [2], translation: [0, 0, 3] },
        { name: 'sword', translation: [0, 2, 0] },
        { name: 'scenery' },
        { name: 'mover' },
    ]);
    gltf.skin([0, 1]);
    gltf.animation('clip', [moved(4, [0, 0, 0], [1, 0, 0]), moved(0, [0, 0, 0], [0, 0, 5])]);
    const { rig } = await judgeRig(gltf.write(folder(), 'sockets'));
    expect(rig.slots.map(({ name }) => name)).toEqual(['joint', 'mover', 'hand', 'sword']);
    expect(rig.slotOf(3)).toBe(-1);
    expect(rig.slotOf(2)).toBe(3);
    expect(globalsOf(rig, posed(rig, [1]), [3, 1])).toEqual([
        [1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 8],
        [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0],
    ]);
});

describe('malformed input', () => {
    test.each(FAULTS)('$about: an error that names the file, the pointer and the rule', async (fault) => {
        const path = fault.write(folder());
        const error = await Rig.load(path).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(InputError);
        const { code, pointer, rule } = fault;
        expect(error).toMatchObject({ code, pointer, rule: expect.stringMatching(rule) });
        expect(basename((error as InputError).file)).toBe(basename(path));
    });
});
