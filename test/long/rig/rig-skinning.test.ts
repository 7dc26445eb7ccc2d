// SPDX-License-Identifier: MIT

import { Rig } from '../../../lib/rig/rig';
import { paletteOf, sample } from '../../rig/double-reference';
import { skinDouble } from '../../rig/double-skinning';
import { node, posed, refusal, rested, scene, skin } from '../../rig/scenes';
import { randomPrimitive, randomSkinnedScene, withMesh } from '../../rig/skinned-scenes';
import { firstDifference } from '../../support/bytes';
import { random as randomOf } from '../../support/random';

const TIMES = Float32Array.from({ length: 21 }, (_, i) => i / 9);

/** All vertices of mesh 0 in every pose, for one clip at `TIMES`. */
function skinAll(rig: Rig, clip: number) {
    const poses = posed(rig, TIMES, clip);
    const mesh = rig.meshes[0]!;
    const floats = TIMES.length * mesh.vertexCount * 3;
    const positions = new Float32Array(floats);
    const normals = new Float32Array(mesh.normals === null ? 0 : floats);
    const boxes = new Float32Array(TIMES.length * 6);
    rig.skinVertices(poses, 0, 0, positions, mesh.normals === null ? undefined : normals);
    rig.bounds(poses, 0, 0, boxes);
    return { mesh, positions, normals, boxes };
}

test('positions and normals are those of double precision: random scenes, scales, morphs, 4 and 8 influences', () => {
    const random = randomOf(50);
    let worst = 0;
    let worstNormal = 0;
    let compared = 0;
    const seen = new Set<number>();
    for (let round = 0; round < 40; round++) {
        const s = randomSkinnedScene(random);
        const rig = new Rig(s);
        const { mesh, positions, normals } = skinAll(rig, 0);
        seen.add(mesh.influences);
        // A vertex without weights follows its first joint.
        const weights = mesh.weights.slice();
        for (let v = 0; v < mesh.vertexCount; v++) {
            const first = v * mesh.influences;
            if (weights.subarray(first, first + mesh.influences).every((w) => w === 0)) weights[first] = 1;
        }
        const morph = s.animations[0]!.channels.find(({ path }) => path === 'weights');
        for (const [pose, time] of TIMES.entries()) {
            const palette = paletteOf(s, s.animations[0]!, time);
            const extent = Math.max(1, ...palette.flat().map(Math.abs));
            const expected = skinDouble({ ...mesh, weights }, palette, morph === undefined ? [] : sample(morph, time));
            for (let i = 0; i < expected.positions.length; i++) {
                const at = pose * mesh.vertexCount * 3 + i;
                worst = Math.max(worst, Math.abs(positions[at]! - expected.positions[i]!) / extent);
            }
            for (let v = 0; v < mesh.vertexCount; v++) {
                // Where the blended matrix is all but singular, the direction of a normal is noise.
                const condition = conditionOf(mesh, weights, palette, v);
                if (!(condition < 1e3)) continue;
                for (let c = 0; c < 3; c++) {
                    const i = v * 3 + c;
                    const error = Math.abs(normals[pose * mesh.vertexCount * 3 + i]! - expected.normals[i]!);
                    worstNormal = Math.max(worstNormal, error / condition);
                    compared++;
                }
            }
        }
    }
    expect([...seen].sort()).toEqual([4, 8]);
    expect(compared).toBeGreaterThan(1e5);
    expect(worst).toBeLessThan(4e-6);
    expect(worstNormal).toBeLessThan(4e-6);
});

/** The ratio of a normal's terms to their sum. */
function conditionOf(
    { influences, joints }: { influences: number; joints: ArrayLike<number> },
    weights: ArrayLike<number>,
    palette: readonly number[][],
    v: number,
): number {
    const m = new Array<number>(16).fill(0);
    for (let k = v * influences; k < (v + 1) * influences; k++) {
        for (let i = 0; i < 16; i++) m[i]! += weights[k]! * palette[joints[k]!]![i]!;
    }
    const size = Math.max(...[0, 1, 2].map((c) => Math.hypot(m[c * 4]!, m[c * 4 + 1]!, m[c * 4 + 2]!)));
    const [a, b, c] = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)] as [number[], number[], number[]];
    const determinant =
        a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
        b[0]! * (a[1]! * c[2]! - a[2]! * c[1]!) +
        c[0]! * (a[1]! * b[2]! - a[2]! * b[1]!);
    return size ** 3 / Math.abs(determinant);
}

/** Two joints, posed by hand, and a mesh of three vertices. */
const parts = {
    parents: [-1, -1],
    rest: rested(2),
    clips: [{ channels: [] }],
    skins: [{ joints: [0, 1] }, { joints: [1] }],
};
const mesh = {
    node: 0,
    skin: 0,
    positions: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    normals: [1, 1, 0, 0, 1, 0, 0, 0, 1],
    joints: [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    weights: [1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0],
};

describe('rig.meshes', () => {
    test('shows the vertices of all primitives in one list, those with fewer influences filled up', () => {
        const random = randomOf(3);
        const shapes = [4, 8].map((influences) => ({ vertices: 2, influences, joints: 1, targets: 1 }));
        const made = shapes.map((shape) => randomPrimitive(random, shape));
        const s = withMesh(scene([node(-1)], [skin([0])], []), random, made);
        const [shown] = new Rig(s).meshes;
        expect(shown).toMatchObject({
            node: 1,
            skin: 0,
            firstWeight: 0,
            weightCount: 1,
            vertexCount: 4,
            influences: 8,
        });
        expect(shown!.primitives).toEqual([
            { index: 0, firstVertex: 0, vertexCount: 2 },
            { index: 1, firstVertex: 2, vertexCount: 2 },
        ]);
        const [a, b] = made.map(({ primitive }) => primitive);
        expect([...shown!.positions]).toEqual([...a!.positions, ...b!.positions]);
        const none = [0, 0, 0, 0];
        const [w, x] = [[...a!.weights], [...b!.weights]];
        expect([...shown!.weights]).toEqual([...w.slice(0, 4), ...none, ...w.slice(4), ...none, ...x]);
        expect([...shown!.normals!]).toEqual(made.flatMap(({ surface }) => [...surface.normals!]));
        expect(shown!.targets).toHaveLength(1);
    });

    test('changes of it do not change vertices', () => {
        const random = randomOf(4);
        const rig = new Rig(randomSkinnedScene(random));
        const before = skinAll(rig, 0);
        const [shown] = rig.meshes;
        for (const list of [shown!.positions, shown!.normals!, shown!.weights, shown!.joints]) list.fill(7777);
        for (const { positions, normals } of shown!.targets) for (const list of [positions, normals]) list?.fill(7777);
        expect(firstDifference(skinAll(rig, 0).positions, before.positions)).toBe(-1);
        expect(firstDifference(skinAll(rig, 0).normals, before.normals)).toBe(-1);
        expect(firstDifference(skinAll(rig, 0).boxes, before.boxes)).toBe(-1);
    });

    test('a primitive without normals: null, and outNormals is refused', () => {
        const random = randomOf(5);
        const shape = { vertices: 3, influences: 4, joints: 1, targets: 0 };
        const [a, b] = [randomPrimitive(random, shape), randomPrimitive(random, shape)];
        const half = { ...b, surface: { ...b.surface, normals: null } };
        const rig = new Rig(withMesh(scene([node(-1)], [skin([0])], []), random, [a, half]));
        expect(rig.meshes[0]!.normals).toBeNull();
        const poses = rig.createPoses(1);
        const out = new Float32Array(18).fill(0.5);
        expect(() => rig.skinVertices(poses, 0, 0, out, new Float32Array(18))).toThrow(
            refusal('ERR_INDEX_RANGE', /outNormals must be left out, a primitive of mesh 0 has no normals/),
        );
        expect(out.every((x) => x === 0.5)).toBe(true);
        rig.toGlobal(poses);
        rig.skinVertices(poses, 0, 0, out);
        expect(out.some((x) => x === 0.5)).toBe(false);
    });

    test('nodes that share a mesh share its vertices, each with weights and a skin of its own', () => {
        const random = randomOf(6);
        const shape = { vertices: 5, influences: 4, joints: 1, targets: 1 };
        const { primitive, surface } = randomPrimitive(random, shape);
        const carrier = (weight: number) => ({ ...node(-1), weights: Float32Array.of(weight) });
        const s = {
            ...scene([node(-1), carrier(1), carrier(0), node(-1)], [skin([0]), skin([3])], []),
            skinnedMeshes: [1, 2].map((index) => {
                return { node: index, mesh: 0, skin: index - 1, primitives: [primitive], surfaces: [surface] };
            }),
        };
        const rig = new Rig(s);
        expect(rig.meshes[1]!.positions).toBe(rig.meshes[0]!.positions);
        const poses = rig.createPoses(1);
        rig.setLocal(poses, 0, 1, Float32Array.of(9, 0, 0, 0, 0, 0, 1, 1, 1, 1));
        rig.toGlobal(poses);
        const [a, b] = [new Float32Array(15), new Float32Array(15)];
        rig.skinVertices(poses, 0, 0, a);
        rig.skinVertices(poses, 1, 1, b);
        for (let i = 0; i < 15; i++) {
            const delta = surface.targets[0]!.positions?.[i] ?? 0;
            const weights = primitive.weights.subarray(Math.floor(i / 3) * 4, Math.floor(i / 3) * 4 + 4);
            const sum = weights.reduce((x, y) => x + y, 0) || 1;
            expect(b[i]! - a[i]!).toBeCloseTo(sum * ((i % 3 === 0 ? 9 : 0) - delta), 5);
        }
    });
});

describe('the poses', () => {
    test('`only`: the joints that move the mesh suffice', () => {
        const random = randomOf(7);
        const three = scene([node(-1), node(-1), node(1)], [skin([0, 1, 2])], []);
        const made = randomPrimitive(random, { vertices: 20, influences: 4, joints: 1, targets: 0 });
        made.primitive.joints.fill(2);
        const rig = new Rig(withMesh(three, random, [made]));
        const out = [[2], [0, 1, 2]].map((only) => {
            const poses = rig.createPoses(3, { only });
            rig.setLocal(poses, 2, rig.slotOf(2), Float32Array.of(1, 2, 3, 0, 0, 1, 0, 1, 2, 3));
            rig.toGlobal(poses);
            const positions = new Float32Array(180);
            rig.skinVertices(poses, 0, 0, positions);
            return positions;
        });
        expect(firstDifference(out[0]!, out[1]!)).toBe(-1);
        const other = rig.createPoses(3, { only: [0] });
        expect(() => rig.bounds(other, 0, 0, new Float32Array(18))).toThrow(
            refusal('ERR_INDEX_RANGE', /mesh 0 needs slot 2, but the poses were created with `only`/),
        );
    });

    test('count: no more is written than the poses there are, and none for none', () => {
        const rig = Rig.create({ ...parts, meshes: [mesh] });
        const poses = rig.createPoses(40);
        rig.toGlobal(poses);
        for (const count of [0, 1, 17]) {
            poses.count = count;
            const lists = [9, 9, 6].map((floats) => new Float32Array(floats * (count + 1)).fill(0.123));
            rig.skinVertices(poses, 0, 0, lists[0]!, lists[1]!);
            rig.bounds(poses, 0, 0, lists[2]!);
            for (const [i, floats] of [9, 9, 6].entries()) {
                const list = lists[i]!;
                const written = list.map((x) => (x === Math.fround(0.123) ? 0 : 1));
                expect([...written]).toEqual([...written].map((_, k) => (k < floats * count ? 1 : 0)));
            }
        }
    });
});

// rig-errors.test.ts tests wrong single arguments.
test('rejects a mesh of another skin, and a mesh without a skin', () => {
    const rig = Rig.create({ ...parts, meshes: [mesh, { ...mesh, node: 1, skin: 1, joints: new Uint16Array(12) }] });
    const out = new Float32Array(9);
    expect(() => rig.skinVertices(posed(rig, [0]), 0, 1, out)).toThrow(
        refusal('ERR_INDEX_RANGE', /mesh 1 is moved by skin 1, not by 0/),
    );
    const morphing = new Rig(scene([{ ...node(-1), weights: Float32Array.of(1) }], [skin([0])], []));
    expect(() => morphing.bounds(morphing.createPoses(1), 0, 0, out)).toThrow(
        refusal('ERR_INDEX_RANGE', /bounds: mesh 0 is moved by no skin/),
    );
});

test('a mesh all of whose primitives were left out has no vertices to skin', () => {
    const empty = new Rig({
        ...scene([node(-1)], [skin([0])], []),
        skinnedMeshes: [{ node: 0, mesh: 0, skin: 0, primitives: [], surfaces: [] }],
    });
    const out = new Float32Array(3).fill(0.5);
    const poses = empty.createPoses(4);
    empty.toGlobal(poses);
    empty.skinVertices(poses, 0, 0, out);
    expect([...out]).toEqual([0.5, 0.5, 0.5]);
    expect(() => empty.bounds(poses, 0, 0, out)).toThrow(refusal('ERR_INDEX_RANGE', /bounds: mesh 0 has no vertices/));
});
