// SPDX-License-Identifier: MIT

import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../gltf-builder';
import { random, randomRotation, randomVector } from '../random';
import {
    affine,
    built,
    EXTRA_KEYS,
    type Figure,
    HALF,
    inRow,
    moved,
    type RowlessScene,
    type TortureScene,
    twoJoints,
} from './scene';

const restPose = built(
    {
        name: 'rest-pose',
        about: 'the rest pose in that clip; nothing leaks from the clip before',
        figures: [
            { clip: 0, time: 1, joint: 2, point: [1, 0, 0], to: [6 + 2 + 5, 6, 6] },
            { clip: 1, time: 1, joint: 1, point: [1, 0, 0], to: [2, 1, 0] },
            { clip: 1, time: 1, joint: 2, point: [1, 0, 0], to: [4, 1, 0] },
            { clip: 2, time: 1, joint: 1, point: [1, 0, 0], to: [0, 1, 0] },
        ],
    },
    () => {
        const gltf = new GltfBuilder([
            { children: [1, 2], translation: [0, 1, 0] },
            { translation: [1, 0, 0], rotation: [0, 0, 1, 0] },
            { translation: [2, 0, 0], scale: [2, 2, 2] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        const turn = keyed(1, 'rotation', [0, 1], [0, 0, 0, 1], [1, 0, 0, 0]);
        const grow = keyed(2, 'scale', [0, 1], [3, 3, 3], [5, 5, 5]);
        return gltf
            .animation('all', [turn, grow, moved(1, [7, 7, 7], [8, 8, 8]), moved(0, [9, 9, 9], [6, 6, 6])])
            .animation('one', [moved(1, [1, 0, 0], [3, 0, 0])])
            .animation('grow', [grow]);
    },
);

const notAnimated = built(
    {
        name: 'not-animated',
        about: 'a clip that moves nothing of the skin is the rest pose throughout',
        figures: [
            { clip: 0, time: 1, joint: 1, to: [0, 1, 0] },
            { clip: 1, time: 1, joint: 1, to: [0, 2, 0] },
        ],
    },
    () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, {}]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        return gltf
            .animation('still', [moved(2, [0, 0, 0], [1, 0, 0])])
            .animation('up', [moved(1, [0, 1, 0], [0, 2, 0])]);
    },
);

/** Names of the clips of `names`, as in its file. */
export const CLIP_NAMES = ['walk', 'walk', '', undefined, 'walk'];

const names = built(
    {
        name: 'names',
        about: 'duplicate, empty and missing ones: everything is addressed by its index',
        figures: CLIP_NAMES.map((_, clip): Figure => ({ clip, time: 1, joint: 1, to: [0, clip + 2, 0] })),
    },
    () => {
        const gltf = new GltfBuilder([
            { name: 'bone', children: [1] },
            { name: 'bone', translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        for (const [i, name] of CLIP_NAMES.entries()) gltf.animation(name, [moved(1, [0, 1, 0], [0, i + 2, 0])]);
        return gltf;
    },
);

const randomSkeleton = (name: string, late: boolean): RowlessScene =>
    built(
        {
            name,
            about: `a large random skeleton, everything at once${late ? ', late keys too' : ''}`,
            ...(late ? { parts: { Babylon: `${EXTRA_KEYS}, with the tangents of splines` } } : {}),
            figures: [],
        },
        () => {
            const next = random(4);
            const count = 60;
            const parents = Array.from({ length: count }, (_, node) => (node === 0 ? -1 : Math.floor(next() * node)));
            const nodes = parents.map((_, node): NodeSpec => {
                const children = parents.flatMap((parent, child) => (parent === node ? [child] : []));
                return {
                    ...(children.length > 0 ? { children } : {}),
                    translation: randomVector(next, 0.5),
                    rotation: randomRotation(next),
                    scale: randomVector(next, 0.1).map((x) => (next() < 0.1 ? -1 : 1) * (1 + x)),
                };
            });
            const gltf = new GltfBuilder(nodes);
            const joints = nodes.map((_, node) => node).filter((node) => node % 5 !== 2);
            const column = () => randomVector(next, 1);
            const inverseBindMatrices = joints.map(() => affine(column(), column(), column(), column()));
            gltf.skinnedMesh(gltf.skin(joints.reverse(), { inverseBindMatrices }));
            const modes = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;
            for (let clip = 0; clip < 3; clip++) {
                const channels: ChannelSpec[] = [];
                for (let node = 0; node < count; node++) {
                    if (next() < 0.3) continue;
                    const interpolation = modes[Math.floor(next() * 3)]!;
                    const start = late ? next() : 0;
                    const times = Array.from({ length: 12 }, (_, k) => Math.fround(start + k / 9));
                    const each = (value: () => number[], width: number) =>
                        times.flatMap(() => {
                            const tangent = () => [...randomVector(next, 1), 0].slice(0, width);
                            return interpolation === 'CUBICSPLINE' ? [tangent(), value(), tangent()] : [value()];
                        });
                    const rotations = each(() => randomRotation(next), 4);
                    channels.push({ node, path: 'rotation', interpolation, times, values: rotations });
                    const translations = each(() => randomVector(next, 0.5), 3);
                    channels.push({ node, path: 'translation', interpolation, times, values: translations });
                }
                gltf.animation(`random ${clip}`, channels);
            }
            return gltf;
        },
    );

const LIFTED: ChannelSpec = moved(1, [0, 1, 0], [0, 3, 0]);

const morphs = built(
    {
        name: 'morph-weights',
        about: 'of two targets: LINEAR, STEP, CUBICSPLINE and normalized keys, at rest where a clip has none',
        figures: [{ clip: 0, time: 1, joint: 1, to: [0, 3, 0] }],
    },
    () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        const body = gltf.skinnedMesh(gltf.skin([0, 1]), {}, [0.25, 0.5]);
        const keys = { node: body, path: 'weights', times: [0, 0.5, 1] } as const;
        const values = [
            [0, 0],
            [1, 0.25],
            [0.5, 1],
        ];
        const spline = values.flatMap((value, i) => [[0.5, -i], value, [i, 1]]);
        return gltf
            .animation('linear', [{ ...keys, values }, LIFTED])
            .animation('step', [{ ...keys, values, interpolation: 'STEP' }, LIFTED])
            .animation('spline', [{ ...keys, values: spline, interpolation: 'CUBICSPLINE' }, LIFTED])
            .animation('bytes', [{ ...keys, values, storage: { component: 'ubyte' } }, LIFTED])
            .animation('none', [LIFTED]);
    },
);

const ownMorphs = built(
    {
        name: 'morph-weights-of-node',
        about: 'those of the node come before those of its mesh',
        figures: [{ time: 1, joint: 1, to: [0, 3, 0] }],
    },
    () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        gltf.skinnedMesh(gltf.skin([0, 1]), { weights: [0.75, -0.5] }, [0.25, 0.5]);
        return gltf.animation('none', [LIFTED]);
    },
);

const pointers = twoJoints(
    {
        name: 'pointers',
        about: 'to the translation, rotation and scale of a node: channels like others',
        parts: { 'three.js': 'its GLTFLoader has no KHR_animation_pointer' },
        figures: [
            { time: 1, joint: 0, point: [1, 0, 0], to: [2, 2, 0], near: true },
            { time: 1, joint: 1, point: [1, 1, 1], to: [-1, 4, 2], near: true },
        ],
    },
    () => [
        { ...moved(0, [0, 0, 0], [2, 0, 0]), pointer: true },
        { ...keyed(0, 'rotation', [0, 1], [0, 0, 0, 1], [0, 0, HALF, HALF]), pointer: true },
        { ...keyed(0, 'scale', [0, 1], [1, 1, 1], [2, 2, 2]), pointer: true },
        moved(1, [0, 1, 0], [1, 0.5, 0]),
    ],
);

const pointersToWeights = built(
    {
        name: 'pointer-to-weights',
        about: 'to the morph weights of a node, and to something outside the pose',
        figures: [{ time: 1, joint: 1, to: [0, 3, 0] }],
    },
    () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        const node = gltf.skinnedMesh(gltf.skin([0, 1]), {}, [0.25, 0.5]);
        const values = [
            [0, 1],
            [1, 0.25],
        ];
        const elsewhere = { ...moved(0, [1, 1, 1], [0, 0, 0]), pointer: '/materials/0/emissiveFactor' };
        return gltf.animation('clip', [
            { node, path: 'weights', pointer: true, times: [0, 1], values },
            LIFTED,
            elsewhere,
        ]);
    },
);

export const CLIP_SCENES: readonly TortureScene[] = [
    ...inRow('joints that a clip does not animate', restPose, notAnimated),
    ...inRow('names', names),
    ...inRow('joint order', randomSkeleton('random-skeleton', true), randomSkeleton('random-skeleton-in-step', false)),
    ...inRow('morph weights', morphs, ownMorphs),
    ...inRow('KHR_animation_pointer', pointers, pointersToWeights),
];
