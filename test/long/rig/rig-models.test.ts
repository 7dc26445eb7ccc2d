// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readGltf } from '../../../lib/gltf/read';
import { findMorphs } from '../../../lib/rig/pack/morphs';
import { packRig } from '../../../lib/rig/pack/rig';
import { Rig } from '../../../lib/rig/rig';
import { buildSkeleton, nodesToEvaluate } from '../../../lib/rig/skeleton';
import { listMeshes, packMeshes } from '../../../lib/rig/source/list-meshes';
import { joinMeshes } from '../../../lib/rig/source/mesh-geometry';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { readGltfFile } from '../../../lib/verify/gltf-file';
import { answersOf, prepareRig } from '../../rig/rig-judge';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../../support/engines';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    type Model,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';
import { once } from '../../support/once';

const MODELS: { model: Model; joints: number; clips?: number; engines?: readonly EngineName[] }[] = [
    { model: CHARACTER, joints: 34 },
    { model: FOX, joints: 24, clips: 3 },
    { model: RIGGED_FIGURE, joints: 19, clips: 1 },
    { model: KNIGHT, joints: 41, clips: 76 },
    // Rotation keys of 0.707 are not unit: three.js lerps and normalises them, Babylon follows the specification.
    { model: SIMPLE_SKIN, joints: 2, clips: 1, engines: ['Babylon'] },
    { model: SIMPLE_SKIN_TWICE, joints: 2, clips: 1, engines: ['Babylon'] },
];

/** A generous estimate of everything that can be reached: lists with the whole of their buffers, objects, strings. */
function bytesOfAll(root: unknown): number {
    const seen = new Set<unknown>();
    let bytes = 0;
    const visit = (value: unknown): void => {
        if (typeof value === 'string') bytes += 16 + value.length * 2;
        if (typeof value !== 'object' || value === null || seen.has(value)) return;
        seen.add(value);
        bytes += 150;
        if (ArrayBuffer.isView(value)) visit(value.buffer);
        else if ('byteLength' in value) bytes += value.byteLength as number;
        else {
            for (const part of Object.values(value)) {
                bytes += 8;
                visit(part);
            }
        }
    };
    visit(root);
    return bytes;
}

/** All models at once, as far as they are here: engines take longer to start than to pose one. */
const prepared = once(async () => {
    const here = MODELS.filter(({ model }) => model.absent === null);
    const rigs = await Promise.all(
        // Fewer frames of the large one: the double evaluator is slow.
        here.map(({ model, engines = ENGINE_NAMES }) =>
            prepareRig(model.path, { fps: model === KNIGHT ? 12 : 60, engines }),
        ),
    );
    const answers = answersOf(rigs);
    return new Map(here.map(({ model }, i) => [model, () => rigs[i]!.judge(answers[i]!)]));
});

for (const { model, joints, clips } of MODELS) {
    describeModel(model, () => {
        test('all clips, at the frames and between, agree with the double evaluator and other engines', async () => {
            const judge = (await prepared()).get(model)!;
            const { rig, worst } = judge();
            expect(rig.skins.map((skin) => skin.joints.length)).toEqual([joints]);
            if (clips !== undefined) expect(rig.clips.length).toBe(clips);
            expect(worst).toBeLessThan(5e-6);
        });
    });
}

describeModel(INTERPOLATION_TEST, () => {
    test('no skin: its animated nodes are slots, and move as they should', async () => {
        const rig = await Rig.load(INTERPOLATION_TEST.path);
        const evaluator = await DoubleEvaluator.load(INTERPOLATION_TEST.path);
        expect(rig.skins).toEqual([]);
        expect(rig.clips.length).toBe(evaluator.animationCount);
        expect(rig.clips.length).toBe(9);
        const slots = Uint16Array.from(rig.slots.keys());
        const nodes = rig.slots.map(({ node }) => node);
        // Past the end too.
        const clips = rig.clips.map(({ duration }, animation) => {
            return { animation, times: Array.from({ length: 50 }, (_, i) => Math.fround((i / 45) * duration)) };
        });
        const shown = ENGINE_NAMES.map((engine) => {
            return ENGINES[engine]([{ file: INTERPOLATION_TEST.path, nodes, clips }], [nodes.length])[0]!;
        });
        let compared = 0;
        for (const { animation: clip, times } of clips) {
            const poses = rig.createPoses(times.length);
            rig.evaluate(poses, clip, Float32Array.from(times));
            rig.toGlobal(poses);
            const out = new Float32Array(times.length * slots.length * 12);
            rig.joints(poses, slots, out);
            for (const [pose, time] of times.entries()) {
                const globals = evaluator.globals(clip, time);
                for (const [slot, { node }] of rig.slots.entries()) {
                    for (let i = 0; i < 12; i++) {
                        const element = (i % 4) * 4 + (i >> 2);
                        const expected = globals[node * 16 + element]!;
                        const own = out[(pose * slots.length + slot) * 12 + i]!;
                        const limit = 4e-6 * Math.max(1, Math.abs(expected));
                        if (!(Math.abs(own - expected) < limit))
                            throw new Error(`clip ${clip}, ${time} s, node ${node}`);
                        for (const [engine, all] of shown.entries()) {
                            const theirs = all[clip]![(pose * nodes.length + slot) * 16 + element]!;
                            if (Math.abs(own - theirs) < limit) compared++;
                            else throw new Error(`${ENGINE_NAMES[engine]}: clip ${clip}, ${time} s, node ${node}`);
                        }
                    }
                }
            }
        }
        expect(compared).toBe(9 * 50 * nodes.length * 12 * ENGINE_NAMES.length);
    });
});

describeModel(KNIGHT, () => {
    const accessorBytes = async () => {
        const { json, numbers } = await readGltfFile(KNIGHT.path);
        const used = new Set(json.animations!.flatMap(({ samplers }) => samplers!.flatMap((s) => [s.input, s.output])));
        return [...used].reduce((sum, index) => {
            expect(json.accessors![index]!.componentType).toBe(5126);
            return sum + numbers.get(index)!.length * 4;
        }, 0);
    };

    test('loaded, it takes at most three times what its animation accessors do', async () => {
        const scene = await readGltf(KNIGHT.path, { surfaces: true });
        const skeleton = buildSkeleton(scene.nodes, nodesToEvaluate(scene));
        const morphs = findMorphs(scene.nodes);
        const { slots, skins, clips, meshes, rest } = new Rig(scene);
        // All that a rig keeps but for a few scratch lists.
        const kept = bytesOfAll([
            packRig(scene, skeleton, morphs),
            packMeshes(listMeshes(scene, morphs, joinMeshes(scene))),
            skeleton,
            slots,
            skins,
            clips,
            meshes,
            rest,
        ]);
        const accessors = await accessorBytes();
        expect(accessors).toBeGreaterThan(1e6);
        expect(kept).toBeGreaterThan(accessors / 2);
        expect(kept).toBeLessThan(3 * accessors);
    });

    test('30 keys a second, but for the clips that are one instant', async () => {
        const rig = await Rig.load(KNIGHT.path);
        const still = rig.clips.filter(({ duration }) => duration === 0);
        expect(still.length).toBe(7);
        for (const { duration, cadence } of rig.clips) expect(cadence.rate).toBe(duration === 0 ? null : 30);
    });
});

describeModel(RIGGED_FIGURE, () => {
    test('bytes, with a way to the buffer beside them, are the same rig as the file', async () => {
        const bytes = new Uint8Array(readFileSync(RIGGED_FIGURE.path));
        const resolve = async (path: string) => new Uint8Array(readFileSync(join(dirname(RIGGED_FIGURE.path), path)));
        const rigs = [
            await Rig.load(RIGGED_FIGURE.path),
            await Rig.load(bytes, { name: 'figure.gltf', resolve }),
        ] as const;
        expect(rigs[1].slots).toEqual(rigs[0].slots);
        const out = rigs.map((rig) => {
            const poses = rig.createPoses(1);
            rig.evaluate(poses, 0, Float32Array.of(0.6));
            return poses.data;
        });
        expect(out[1]).toEqual(out[0]);
        await expect(Rig.load(bytes, { name: 'figure.gltf' })).rejects.toMatchObject({
            code: 'FILE_UNREADABLE',
            file: 'figure.gltf',
        });
    });
});
