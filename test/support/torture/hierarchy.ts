// SPDX-License-Identifier: MIT

import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../gltf-builder';
import { random, randomRotation } from '../random';
import { affine, built, HALF, inRow, moved, quarterTurn, type RowlessScene, type TortureScene } from './scene';

const scrambled = built(
    {
        name: 'scrambled',
        about: 'any order: children before parents, in the nodes and in the skin',
        figures: [
            // Joint 0 is the end of the chain: (1, 4, 0), 1 m higher at the end, seen through its inverse bind matrix.
            { clip: 1, time: 0, joint: 0, to: [1 + 3, 4 - 3, 1] },
            { clip: 1, time: 1, joint: 0, point: [1, 0, 0], to: [1 + 3, 5 - 3 + 1, 1] },
        ],
    },
    () => {
        // The chain 5 - 2 - 4 - 0 - 3.
        const gltf = new GltfBuilder([
            { children: [3], translation: [0, 1, 0] },
            {},
            { children: [4], translation: [0, 1, 0] },
            { translation: [0, 1, 0] },
            { children: [0], translation: [0, 1, 0] },
            { children: [2], translation: [1, 0, 0] },
        ]);
        const next = random(3);
        const joints = [3, 0, 5, 2, 4];
        const inverseBindMatrices = joints.map((slot) => quarterTurn([slot, -slot, 1]));
        gltf.skinnedMesh(gltf.skin(joints, { inverseBindMatrices }));
        const times = [0, 0.2, 0.5, 1];
        const channels = joints.map((node) => keyed(node, 'rotation', times, ...times.map(() => randomRotation(next))));
        return gltf.animation('random', channels).animation('rise', [moved(2, [0, 1, 0], [0, 2, 0])]);
    },
);

const turned = (node: number, to: number[]) => keyed(node, 'rotation', [0, 1], [0, 0, 0, 1], to);
const scaled = (node: number, from: number[], to: number[]) => keyed(node, 'scale', [0, 1], from, to);

const ancestors = built(
    {
        name: 'ancestors',
        about: 'animated ones count, above the skeleton and between its joints',
        figures: [
            { time: 0, joint: 0, to: [0, 2, 1] },
            { time: 1, joint: 0, to: [0, 1, 3] },
            { time: 0, joint: 1, to: [0, 4, 1] },
            { time: 1, joint: 1, point: [0, 1, 0], to: [0, -1, 3] },
        ],
    },
    () => {
        const gltf = new GltfBuilder([
            { children: [1], translation: [0, 0, 1], scale: [2, 2, 2] },
            { children: [2], translation: [0, 1, 0] },
            { children: [3] },
            { translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 3]));
        return gltf.animation('carried', [
            moved(0, [0, 0, 1], [0, 0, 3]),
            turned(2, [0, 0, 1, 0]),
            scaled(0, [2, 2, 2], [1, 1, 1]),
        ]);
    },
);

const between = built(
    {
        name: 'order-between',
        about: 'still and moved ones between two joints, in any order',
        figures: [{ time: 1, joint: 0, point: [1, 0, 0], to: [6, 1, 1], near: true }],
    },
    () => {
        const gltf = new GltfBuilder([
            { translation: [0, 0, 1] },
            { children: [3], scale: [2, 2, 2] },
            { children: [0], rotation: [0, 0, HALF, HALF] },
            { children: [2], translation: [1, 0, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 3]));
        return gltf.animation('all', [
            moved(3, [1, 0, 0], [3, 0, 0]),
            turned(2, [0, 0, HALF, HALF]),
            scaled(1, [1, 1, 1], [2, 1, 1]),
        ]);
    },
);

/** A skinned mesh that is moved, below a node that moves. */
const carried = (more: (mesh: number) => ChannelSpec[]) => () => {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, { children: [] }]);
    const mesh = gltf.skinnedMesh(gltf.skin([0, 1]), { translation: [5, 6, 7], scale: [3, 3, 3] });
    gltf.nodes[2]!.children!.push(mesh);
    return gltf.animation('decoy', [...more(mesh), moved(2, [0, 0, 0], [9, 0, 0]), moved(1, [0, 1, 0], [0, 3, 0])]);
};

const carriedMesh = built(
    {
        name: 'mesh-node-carried',
        about: 'no effect: moved, under an animated parent',
        figures: [{ time: 1, joint: 1, point: [1, 0, 0], to: [1, 3, 0] }],
    },
    carried(() => []),
);

const meshNode = built(
    {
        name: 'mesh-node',
        about: 'no effect: moved, animated and under an animated parent',
        parts: { Babylon: 'moves the skinned mesh by the channels of its node' },
        figures: [
            { time: 0, joint: 1, point: [1, 0, 0], to: [1, 1, 0] },
            { time: 1, joint: 1, point: [1, 0, 0], to: [1, 3, 0] },
        ],
    },
    carried((mesh) => [moved(mesh, [5, 6, 7], [8, 8, 8])]),
);

const skeletons = [0, 1, 2].map(
    (skeleton): RowlessScene =>
        built(
            {
                name: `skeleton-${skeleton}`,
                about: `no effect (node ${skeleton})`,
                ...(skeleton === 2
                    ? { parts: { Babylon: 'counts twice what is above a joint that is not below it' } }
                    : {}),
                figures: [
                    { time: 0, joint: 1, to: [1, 1, 1] },
                    { time: 1, joint: 1, to: [2, 1, 1] },
                ],
            },
            () => {
                const gltf = new GltfBuilder([
                    { children: [1], translation: [1, 0, 0] },
                    { children: [2], translation: [0, 1, 0] },
                    { translation: [0, 0, 1] },
                ]);
                gltf.skinnedMesh(gltf.skin([1, 2], { skeleton }));
                return gltf.animation('rise', [moved(0, [1, 0, 0], [2, 0, 0])]);
            },
        ),
);

const rising = (): NodeSpec[] => [{ children: [1], translation: [0, 2, 0] }, { translation: [0, 1, 0] }];
const rise = (gltf: GltfBuilder) => gltf.animation('rise', [moved(0, [0, 2, 0], [0, 4, 0])]);

const noInverseBind = built(
    {
        name: 'no-inverse-bind',
        about: 'identity',
        figures: [{ time: 1, joint: 1, point: [1, 0, 0], to: [1, 5, 0] }],
    },
    () => {
        const gltf = new GltfBuilder(rising());
        gltf.skinnedMesh(gltf.skin([0, 1]));
        return rise(gltf);
    },
);

const IDENTITY = affine([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]);
/** Nothing says that a bind pose is rigid. */
const SHEARED = affine([1, 0.5, 0], [0, -2, 0], [0, 0.25, 1], [0, 0, -3]);

const inverseBind = built(
    {
        name: 'inverse-bind',
        about: 'used unchanged, shear and mirror too',
        figures: [
            { time: 1, joint: 0, point: [1, 0, 0], to: [1, 4, 0] },
            { time: 1, joint: 1, point: [1, 1, 0], to: [1, 5 - 1.5, -3] },
        ],
    },
    () => {
        const gltf = new GltfBuilder(rising());
        gltf.skinnedMesh(gltf.skin([0, 1], { inverseBindMatrices: [IDENTITY, SHEARED] }));
        return rise(gltf);
    },
);

const twoSkins = built(
    {
        name: 'two-skins',
        about: 'nodes once, a palette each, in the order of its own joints',
        figures: [
            { time: 1, joint: 1, point: [1, 0, 0], to: [4, 2, 0] },
            { time: 1, joint: 0, point: [1, 0, 0], skin: 1, to: [0, 2, 5] },
            { time: 1, joint: 1, point: [1, 1, 0], skin: 1, to: [3 + 1, 2 + 0.5 - 2, -3] },
        ],
    },
    () => {
        const gltf = new GltfBuilder([
            { children: [1, 2], translation: [0, 1, 0] },
            { translation: [1, 0, 0] },
            { translation: [-1, 0, 0] },
        ]);
        const up = affine([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 5]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        gltf.skinnedMesh(gltf.skin([2, 1, 0], { inverseBindMatrices: [up, SHEARED, up] }));
        return gltf.animation('shared', [moved(0, [0, 1, 0], [0, 2, 0]), moved(1, [1, 0, 0], [3, 0, 0])]);
    },
);

const scale = built(
    {
        name: 'scale',
        about: 'still and animated, kept with the shear that they make: no rotation + translation',
        figures: [
            { time: 0, joint: 1, point: [1, 0, 1], to: [HALF, 3 + 3 * HALF, -1], near: true },
            { time: 1, joint: 1, point: [1, 0, 1], to: [-2 * HALF, 3 - 6 * HALF, -0.5], near: true },
        ],
    },
    () => {
        const gltf = new GltfBuilder([
            { children: [1], scale: [1, 3, -1] },
            // An eighth of a turn below a non-uniform scale: shear.
            { children: [2], translation: [0, 1, 0], rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
            { translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        return gltf.animation('mirror', [scaled(1, [1, 1, 1], [-2, 1, 0.5]), turned(2, [HALF, 0, 0, HALF])]);
    },
);

const matrixNodes = built(
    {
        name: 'matrix-nodes',
        about: 'unchanged: shear above, in a joint, and a scale of 0',
        parts: { 'three.js': 'decomposes them: no shear', Babylon: 'decomposes them: no shear' },
        figures: [
            { time: 1, joint: 0, to: [2, 4, 1] },
            { time: 1, joint: 1, point: [1, 1, 1], to: [2 + 1 + 1 + 1, 4 - 0.5 + 1 + 1, 1 - 2] },
            { time: 1, joint: 2, point: [1, 1, 1], to: [2 + 1 + 0.5, 5.25, 2] },
        ],
    },
    () => {
        const gltf = new GltfBuilder([
            { children: [1], matrix: affine([1, 0, 0], [0.5, 1, 0], [0, 0.25, 1], [0, 0, 1]) },
            { children: [2, 3], translation: [0, 2, 0] },
            { matrix: affine([0, 1, 0], [0, 0, -2], [1, 1, 0], [1, 0, 0]) },
            { matrix: affine([1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 0]) },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 2, 3]));
        return gltf.animation('rise', [moved(1, [0, 2, 0], [0, 4, 0])]);
    },
);

export const HIERARCHY_SCENES: readonly TortureScene[] = [
    ...inRow('joint order', scrambled),
    ...inRow('nodes that are not joints, above or between', ancestors, between),
    ...inRow("the skinned mesh's own node transform", carriedMesh, meshNode),
    ...inRow('`skin.skeleton`', ...skeletons),
    ...inRow('inverse bind matrices missing', noInverseBind, inverseBind),
    ...inRow('several skins, shared joints', twoSkins),
    ...inRow('non-uniform and negative scale', scale),
    ...inRow('`matrix` nodes', matrixNodes),
];
