// SPDX-License-Identifier: MIT
import { judge } from '../support/displacement-judge';
import { type ChannelSpec, GltfBuilder, type NodeSpec } from '../support/gltf-builder';
import { random, randomRotation, randomVector } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';

/**
 * The semantics table of shared/baking.md, rows on nodes, skins and clips: every file is judged frame by frame (see
 * `judge`), and one or two frames are compared with figures worked out by hand.
 */
const folder = scratchFolder();

/** Moves a node from where it is at 0 s to `to` at 1 s. */
function moved(node: number, from: number[], to: number[]): ChannelSpec {
    return { node, path: 'translation', times: [0, 1], values: [from, to] };
}

/** Column-major; the bottom row is 0 0 0 1. */
function affine(x: number[], y: number[], z: number[], t: number[]): number[] {
    return [...x, 0, ...y, 0, ...z, 0, ...t, 1];
}

const IDENTITY = affine([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]);
/** Turns +x to +y, then moves. */
const quarterTurn = (t: number[]): number[] => affine([0, 1, 0], [-1, 0, 0], [0, 0, 1], t);

describe('joints', () => {
    test('any order: children before parents, in the nodes and in the skin', async () => {
        // The chain 5 - 2 - 4 - 0 - 3.
        const nodes: NodeSpec[] = [
            { children: [3], translation: [0, 1, 0] },
            {},
            { children: [4], translation: [0, 1, 0] },
            { translation: [0, 1, 0] },
            { children: [0], translation: [0, 1, 0] },
            { children: [2], translation: [1, 0, 0] },
        ];
        const gltf = new GltfBuilder(nodes);
        const next = random(3);
        const joints = [3, 0, 5, 2, 4];
        const inverseBindMatrices = joints.map((slot) => quarterTurn([slot, -slot, 1]));
        gltf.skinnedMesh(gltf.skin(joints, { inverseBindMatrices }));
        const times = [0, 0.2, 0.5, 1];
        const channels = joints.map((node): ChannelSpec => {
            return { node, path: 'rotation', times, values: times.map(() => randomRotation(next)) };
        });
        gltf.animation('random', channels).animation('rise', [moved(2, [0, 1, 0], [0, 2, 0])]);
        const [judged] = await judge(gltf.write(folder(), 'scrambled'));
        const parents = judged!.baked.manifest.skin.joints.map(({ parent }) => parent);
        expect(parents).toEqual([1, 4, -1, 2, 3]);
        // Joint 0 is the end of the chain: (1, 4, 0), 1 m higher at the end, seen through its inverse bind matrix.
        expect(judged!.at(1, 0, 0)).toEqual([1 + 3, 4 - 3, 1]);
        expect(judged!.at(1, 60, 0, [1, 0, 0])).toEqual([1 + 3, 5 - 3 + 1, 1]);
    });

    test('animated nodes that are no joints count, above the skeleton and between its joints', async () => {
        const gltf = new GltfBuilder([
            { children: [1], translation: [0, 0, 1], scale: [2, 2, 2] },
            { children: [2], translation: [0, 1, 0] },
            { children: [3] },
            { translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 3]));
        const times = [0, 1];
        gltf.animation('carried', [
            moved(0, [0, 0, 1], [0, 0, 3]),
            {
                node: 2,
                path: 'rotation',
                times,
                values: [
                    [0, 0, 0, 1],
                    [0, 0, 1, 0],
                ],
            },
            {
                node: 0,
                path: 'scale',
                times,
                values: [
                    [2, 2, 2],
                    [1, 1, 1],
                ],
            },
        ]);
        const [judged] = await judge(gltf.write(folder(), 'ancestors'));
        expect(judged!.at(0, 0, 0)).toEqual([0, 2, 1]);
        expect(judged!.at(0, 60, 0)).toEqual([0, 1, 3]);
        expect(judged!.at(0, 0, 1)).toEqual([0, 4, 1]);
        expect(judged!.at(0, 60, 1, [0, 1, 0])).toEqual([0, -1, 3]);
    });

    test("the skinned mesh's own node has no effect, moved, animated and under an animated parent", async () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, { children: [] }]);
        const skin = gltf.skin([0, 1]);
        const mesh = gltf.skinnedMesh(skin, { translation: [5, 6, 7], scale: [3, 3, 3] });
        gltf.nodes[2]!.children!.push(mesh);
        gltf.animation('decoy', [
            moved(mesh, [5, 6, 7], [8, 8, 8]),
            moved(2, [0, 0, 0], [9, 0, 0]),
            moved(1, [0, 1, 0], [0, 3, 0]),
        ]);
        const [judged] = await judge(gltf.write(folder(), 'mesh-node'));
        expect(judged!.at(0, 0, 1, [1, 0, 0])).toEqual([1, 1, 0]);
        expect(judged!.at(0, 60, 1, [1, 0, 0])).toEqual([1, 3, 0]);
    });

    test.each([0, 1, 2])('skin.skeleton (node %d) has no effect', async (skeleton) => {
        const gltf = new GltfBuilder([
            { children: [1], translation: [1, 0, 0] },
            { children: [2], translation: [0, 1, 0] },
            { translation: [0, 0, 1] },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 2], { skeleton }));
        gltf.animation('rise', [moved(0, [1, 0, 0], [2, 0, 0])]);
        const [judged] = await judge(gltf.write(folder(), `skeleton-${skeleton}`));
        expect(judged!.at(0, 0, 1)).toEqual([1, 1, 1]);
        expect(judged!.at(0, 60, 1)).toEqual([2, 1, 1]);
    });

    test('inverse bind matrices: used as they are, and identity where there are none', async () => {
        const nodes = (): NodeSpec[] => [{ children: [1], translation: [0, 2, 0] }, { translation: [0, 1, 0] }];
        const channels = [moved(0, [0, 2, 0], [0, 4, 0])];
        const without = new GltfBuilder(nodes());
        without.skinnedMesh(without.skin([0, 1]));
        const [plain] = await judge(without.animation('rise', channels).write(folder(), 'no-inverse-bind'));
        expect(plain!.at(0, 60, 1, [1, 0, 0])).toEqual([1, 5, 0]);

        const given = new GltfBuilder(nodes());
        // Sheared and mirrored: nothing says that a bind pose is rigid.
        const sheared = affine([1, 0.5, 0], [0, -2, 0], [0, 0.25, 1], [0, 0, -3]);
        given.skinnedMesh(given.skin([0, 1], { inverseBindMatrices: [IDENTITY, sheared] }));
        const [judged] = await judge(given.animation('rise', channels).write(folder(), 'inverse-bind'));
        expect(judged!.at(0, 60, 0, [1, 0, 0])).toEqual([1, 4, 0]);
        expect(judged!.at(0, 60, 1, [1, 1, 0])).toEqual([1, 5 - 1.5, -3]);
    });

    test('a skin without a mesh is measured by its joints', async () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        gltf.skin([0, 1]);
        gltf.animation('rise', [moved(1, [0, 1, 0], [0, 3, 0])]);
        const [judged] = await judge(gltf.write(folder(), 'no-mesh'));
        expect(judged!.at(0, 60, 1)).toEqual([0, 3, 0]);
    });
});

test('several skins that share joints: one output each, named after its skin', async () => {
    const gltf = new GltfBuilder([
        { children: [1, 2], translation: [0, 1, 0] },
        { translation: [1, 0, 0] },
        { translation: [-1, 0, 0] },
    ]);
    gltf.skinnedMesh(gltf.skin([0, 1]));
    gltf.skinnedMesh(
        gltf.skin([2, 1, 0], {
            inverseBindMatrices: [quarterTurn([0, 0, 0]), quarterTurn([0, 0, 5]), quarterTurn([0, 0, 0])],
        }),
    );
    gltf.animation('shared', [moved(0, [0, 1, 0], [0, 2, 0]), moved(1, [1, 0, 0], [3, 0, 0])]);
    const [first, second] = await judge(gltf.write(folder(), 'two-skins'));
    expect([first!.baked.stem, second!.baked.stem]).toEqual(['two-skins.skin0', 'two-skins.skin1']);
    expect([first!.baked.manifest.skin.index, second!.baked.manifest.skin.index]).toEqual([0, 1]);
    expect(first!.at(0, 60, 1, [1, 0, 0])).toEqual([4, 2, 0]);
    expect(second!.at(0, 60, 1, [1, 0, 0])).toEqual([3, 3, 5]);
});

describe('matrices', () => {
    test('non-uniform and negative scale, still and animated, are kept: no rotation + translation', async () => {
        const half = Math.SQRT1_2;
        const gltf = new GltfBuilder([
            { children: [1], scale: [1, 3, -1] },
            // An eighth of a turn below a non-uniform scale: shear.
            { children: [2], translation: [0, 1, 0], rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
            { translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        const times = [0, 1];
        gltf.animation('mirror', [
            {
                node: 1,
                path: 'scale',
                times,
                values: [
                    [1, 1, 1],
                    [-2, 1, 0.5],
                ],
            },
            {
                node: 2,
                path: 'rotation',
                times,
                values: [
                    [0, 0, 0, 1],
                    [half, 0, 0, half],
                ],
            },
        ]);
        const [judged] = await judge(gltf.write(folder(), 'scale'));
        for (const [c, x] of [half, 3 + 3 * half, -1].entries()) {
            expect(judged!.at(0, 0, 1, [1, 0, 1])[c]).toBeCloseTo(x, 5);
        }
        for (const [c, x] of [-2 * half, 3 - 6 * half, -0.5].entries()) {
            expect(judged!.at(0, 60, 1, [1, 0, 1])[c]).toBeCloseTo(x, 5);
        }
    });

    test('matrix nodes as they are: shear above, in a joint, and a scale of 0', async () => {
        const gltf = new GltfBuilder([
            { children: [1], matrix: affine([1, 0, 0], [0.5, 1, 0], [0, 0.25, 1], [0, 0, 1]) },
            { children: [2, 3], translation: [0, 2, 0] },
            { matrix: affine([0, 1, 0], [0, 0, -2], [1, 1, 0], [1, 0, 0]) },
            { matrix: affine([1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 0]) },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 2, 3]));
        gltf.animation('rise', [moved(1, [0, 2, 0], [0, 4, 0])]);
        // three.js decomposes matrices and so loses the shear.
        const [judged] = await judge(gltf.write(folder(), 'matrix-nodes'), { three: false });
        expect(judged!.at(0, 60, 0)).toEqual([2, 4, 1]);
        expect(judged!.at(0, 60, 1, [1, 1, 1])).toEqual([2 + 1 + 1 + 1, 4 - 0.5 + 1 + 1, 1 - 2]);
        expect(judged!.at(0, 60, 2, [1, 1, 1])).toEqual([2 + 1 + 0.5, 5.25, 2]);
    });
});

describe('clips', () => {
    test('joints that a clip does not animate are in the rest pose there, whatever the clip before did', async () => {
        const gltf = new GltfBuilder([
            { children: [1, 2], translation: [0, 1, 0] },
            { translation: [1, 0, 0], rotation: [0, 0, 1, 0] },
            { translation: [2, 0, 0], scale: [2, 2, 2] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        const turn: ChannelSpec = {
            node: 1,
            path: 'rotation',
            times: [0, 1],
            values: [
                [0, 0, 0, 1],
                [1, 0, 0, 0],
            ],
        };
        const grow: ChannelSpec = {
            node: 2,
            path: 'scale',
            times: [0, 1],
            values: [
                [3, 3, 3],
                [5, 5, 5],
            ],
        };
        gltf.animation('all', [turn, grow, moved(1, [7, 7, 7], [8, 8, 8]), moved(0, [9, 9, 9], [6, 6, 6])])
            .animation('one', [moved(1, [1, 0, 0], [3, 0, 0])])
            .animation('grow', [grow]);
        const [judged] = await judge(gltf.write(folder(), 'rest-pose'));
        expect(judged!.at(0, 60, 2, [1, 0, 0])).toEqual([6 + 2 + 5, 6, 6]);
        expect(judged!.at(1, 60, 1, [1, 0, 0])).toEqual([2, 1, 0]);
        expect(judged!.at(1, 60, 2, [1, 0, 0])).toEqual([4, 1, 0]);
        expect(judged!.at(2, 60, 1, [1, 0, 0])).toEqual([0, 1, 0]);
    });

    test('a clip that moves nothing of the skin is the rest pose, not animated, with a warning', async () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, {}]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        gltf.animation('still', [moved(2, [0, 0, 0], [1, 0, 0])]).animation('up', [moved(1, [0, 1, 0], [0, 2, 0])]);
        const [judged] = await judge(gltf.write(folder(), 'not-animated'));
        const { clips, warnings } = judged!.baked.manifest;
        expect(clips.map(({ animated }) => animated)).toEqual([false, true]);
        expect(clips.map(({ frameCount }) => frameCount)).toEqual([61, 61]);
        expect(judged!.at(0, 60, 1)).toEqual([0, 1, 0]);
        expect(warnings.map(({ pointer }) => pointer)).toEqual(['/animations/0']);
    });

    test('duplicate, empty and missing names: clips are kept apart by their index', async () => {
        const names = ['walk', 'walk', '', undefined, 'walk'];
        const gltf = new GltfBuilder([
            { name: 'bone', children: [1] },
            { name: 'bone', translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        for (const [index, name] of names.entries()) {
            gltf.animation(name, [moved(1, [0, 1, 0], [0, index + 2, 0])]);
        }
        const [judged] = await judge(gltf.write(folder(), 'names'));
        const { clips, skin } = judged!.baked.manifest;
        expect(clips.map(({ name }) => name)).toEqual(['walk', 'walk', '', '', 'walk']);
        expect(clips.map(({ animation }) => animation)).toEqual([0, 1, 2, 3, 4]);
        expect(skin.joints.map(({ name }) => name)).toEqual(['bone', 'bone']);
        expect(names.map((_, index) => judged!.at(index, 60, 1)[1])).toEqual([2, 3, 4, 5, 6]);
    });

    test('a large random skeleton, everything at once', async () => {
        const next = random(4);
        const count = 60;
        const parents = Array.from({ length: count }, (_, node) => (node === 0 ? -1 : Math.floor(next() * node)));
        const nodes = parents.map(
            (_, node): NodeSpec => ({
                children: parents.flatMap((parent, child) => (parent === node ? [child] : [])),
                translation: randomVector(next, 0.5),
                rotation: randomRotation(next),
                scale: randomVector(next, 0.1).map((x) => (next() < 0.1 ? -1 : 1) * (1 + x)),
            }),
        );
        for (const node of nodes) if (node.children!.length === 0) delete node.children;
        const gltf = new GltfBuilder(nodes);
        const joints = nodes.map((_, node) => node).filter((node) => node % 5 !== 2);
        const inverseBindMatrices = joints.map(() => {
            const column = (): number[] => randomVector(next, 1);
            return affine(column(), column(), column(), column());
        });
        gltf.skinnedMesh(gltf.skin(joints.reverse(), { inverseBindMatrices }));
        const modes = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;
        for (let clip = 0; clip < 3; clip++) {
            const channels: ChannelSpec[] = [];
            for (let node = 0; node < count; node++) {
                if (next() < 0.3) continue;
                const interpolation = modes[Math.floor(next() * 3)]!;
                const start = next();
                const times = Array.from({ length: 12 }, (_, k) => Math.fround(start + k / 9));
                const each = (value: () => number[], width: number): number[][] =>
                    times.flatMap(() => {
                        const tangent = (): number[] => [...randomVector(next, 1), 0].slice(0, width);
                        return interpolation === 'CUBICSPLINE' ? [tangent(), value(), tangent()] : [value()];
                    });
                const rotations = each(() => randomRotation(next), 4);
                channels.push({ node, path: 'rotation', interpolation, times, values: rotations });
                const translations = each(() => randomVector(next, 0.5), 3);
                channels.push({ node, path: 'translation', interpolation, times, values: translations });
            }
            gltf.animation(`random ${clip}`, channels);
        }
        const [judged] = await judge(gltf.write(folder(), 'random-skeleton'));
        expect(judged!.baked.manifest.skin.joints).toHaveLength(48);
    });
});
