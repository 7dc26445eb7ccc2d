// SPDX-License-Identifier: MIT

import { GltfBuilder, HALF, type LooseJson, lift } from '../gltf/support/builder';

const CORNERS = [0, 1, 2, 3].map((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1] as const);

/** A box around the origin, each face with its own corners and normals. */
function box(builder: GltfBuilder, [x, y, z]: readonly [number, number, number], material: number): LooseJson {
    const position: number[] = [];
    const normal: number[] = [];
    const indices: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
        for (const side of [-1, 1]) {
            const first = position.length / 3;
            for (const [u, v] of CORNERS) {
                const corner = [0, 0, 0];
                [corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]] = [side, u, v];
                position.push(corner[0]! * x, corner[1]! * y, corner[2]! * z);
                normal.push(...[0, 1, 2].map((i) => (i === axis ? side : 0)));
            }
            const order = side > 0 ? [0, 1, 2, 1, 3, 2] : [0, 2, 1, 1, 2, 3];
            indices.push(...order.map((i) => first + i));
        }
    }
    const limits = { min: [-x, -y, -z], max: [x, y, z] };
    return {
        attributes: {
            POSITION: builder.accessor(Float32Array.from(position), 'VEC3', limits),
            NORMAL: builder.accessor(Float32Array.from(normal), 'VEC3'),
        },
        indices: builder.accessor(Uint16Array.from(indices), 'SCALAR'),
        material,
    };
}

/** A box from y = 0 to 2 above the hip, whose upper half follows the knee. */
function skinned(builder: GltfBuilder, thick: number, x: number, material: number): LooseJson {
    const primitive = box(builder, [thick, 1, thick], material);
    const { bufferView, count } = builder.json.accessors[primitive.attributes.POSITION];
    const { byteOffset } = builder.json.bufferViews[bufferView];
    const positions = new Float32Array(builder.bin().buffer, byteOffset, count * 3);
    const joints = new Uint8Array(count * 4);
    const weights = new Float32Array(count * 4);
    for (let v = 0; v < count; v++) {
        positions[v * 3]! += x;
        positions[v * 3 + 1]! += 1;
        const above = positions[v * 3 + 1]! > 1 ? 0.75 : 0;
        joints[v * 4 + 1] = 1;
        weights.set([1 - above, above], v * 4);
    }
    Object.assign(builder.json.accessors[primitive.attributes.POSITION], {
        min: [x - thick, 0, -thick],
        max: [x + thick, 2, thick],
    });
    primitive.attributes.JOINTS_0 = builder.accessor(joints, 'VEC4');
    primitive.attributes.WEIGHTS_0 = builder.accessor(weights, 'VEC4');
    return primitive;
}

/** Moves of a box's corners in a morph target: its upper half by `x`, `y`, `z`. */
function target(builder: GltfBuilder, primitive: LooseJson, move: readonly number[]): LooseJson {
    const { bufferView, count } = builder.json.accessors[primitive.attributes.POSITION];
    const { byteOffset } = builder.json.bufferViews[bufferView];
    const positions = new Float32Array(builder.bin().buffer, byteOffset, count * 3);
    const middle = positions.reduce((sum, value, i) => (i % 3 === 1 ? sum + value / count : sum), 0);
    const moves = Float32Array.from(positions, (_, i) => (positions[i - (i % 3) + 1]! > middle ? move[i % 3]! : 0));
    const limits = [Math.min, Math.max].map((limit) => move.map((value) => limit(value, 0)));
    return { POSITION: builder.accessor(moves, 'VEC3', { min: limits[0], max: limits[1] }) };
}

/** Nodes of {@link wholeScene}. */
export const WHOLE = {
    root: 0,
    hip: 1,
    knee: 2,
    body: 3,
    sleeve: 4,
    head: 5,
    sword: 6,
    fan: 9,
    gem: 10,
    floor: 12,
} as const;

/**
 * A scene with everything that moves in real files, under a turned and scaled root: two skins with the same joints
 * (hip, knee); below the knee a head of two primitives with uneven scale, which has a mirrored ear as its child, and a sword whose
 * scale jumps to 0; bolts of one name on hip and knee; a fan without a skin, turned by the clip, on it a gem with morph weights; a
 * floor that stays. The body has morph weights, too. Two clips of a second.
 */
export function wholeScene(): GltfBuilder {
    const builder = new GltfBuilder();
    const { json } = builder;
    const color = (r: number, g: number, b: number, extra = {}) => ({
        pbrMetallicRoughness: { baseColorFactor: [r, g, b, 1], metallicFactor: 0, roughnessFactor: 0.8 },
        ...extra,
    });
    json.materials = [
        color(0.8, 0.3, 0.2),
        color(0.2, 0.5, 0.8, { doubleSided: true }),
        color(0.3, 0.7, 0.3),
        color(0.7, 0.7, 0.65),
    ];
    const body = skinned(builder, 0.3, 0, 0);
    body.targets = [target(builder, body, [0, 0, 0.4]), target(builder, body, [0.3, 0, 0])];
    const gem = box(builder, [0.15, 0.15, 0.15], 1);
    gem.targets = [target(builder, gem, [0, 0.4, 0])];
    json.meshes = [
        { name: 'body', primitives: [body], weights: [0.25, 0] },
        { name: 'sleeve', primitives: [skinned(builder, 0.12, 0.5, 1)] },
        { name: 'head', primitives: [box(builder, [0.3, 0.2, 0.25], 2), box(builder, [0.1, 0.3, 0.1], 1)] },
        { name: 'sword', primitives: [box(builder, [0.06, 0.06, 0.6], 1)] },
        { name: 'bolt', primitives: [box(builder, [0.1, 0.1, 0.1], 2)] },
        { name: 'fan', primitives: [box(builder, [0.7, 0.08, 0.1], 0)] },
        { name: 'gem', primitives: [gem], weights: [0.5] },
        { name: 'floor', primitives: [box(builder, [1.4, 0.1, 1.2], 3)] },
        { name: 'ear', primitives: [box(builder, [0.2, 0.05, 0.1], 0)] },
    ];
    const turn = (angle: number) => [0, Math.fround(Math.sin(angle / 2)), 0, Math.fround(Math.cos(angle / 2))];
    json.nodes = [
        {
            name: 'root',
            children: [1, 3, 4, 9, 12],
            rotation: turn(0.5),
            scale: [0.8, 0.8, 0.8],
            translation: [0.1, 0, 0],
        },
        { name: 'hip', children: [2, 7], translation: [-0.5, 0.2, 0] },
        { name: 'knee', children: [5, 6, 8], translation: [0, 1, 0] },
        { name: 'body', mesh: 0, skin: 0 },
        { name: 'sleeve', mesh: 1, skin: 1 },
        { name: 'The Head', mesh: 2, translation: [0, 1.2, 0], scale: [1, 1.5, 0.8], children: [11] },
        { name: 'sword', mesh: 3, translation: [0.6, 0.8, 0.3] },
        { name: 'bolt', mesh: 4, translation: [0, 0.3, 0.35] },
        { name: 'bolt', mesh: 4, translation: [0, 0.4, 0.35], rotation: turn(0.3) },
        { name: 'fan', mesh: 5, translation: [1.2, 1.6, 0], children: [10] },
        { name: 'gem', mesh: 6, translation: [0.5, 0.25, 0] },
        { name: 'ear', mesh: 8, translation: [0.35, 0, 0], scale: [-1, 1, 1], rotation: turn(0.4) },
        { name: 'floor', mesh: 7, translation: [0, -0.1, 0], rotation: turn(0.2) },
    ];
    const inverseBindMatrices = builder.accessor(new Float32Array([...lift(0), ...lift(-1)]), 'MAT4');
    json.skins = [
        { joints: [1, 2], inverseBindMatrices },
        { joints: [1, 2], inverseBindMatrices },
    ];
    Object.assign(json, { scene: 0, scenes: [{ name: 'Scene', nodes: [0] }] });
    const times = builder.accessor(new Float32Array([0, 0.5, 1]), 'SCALAR', { min: [0], max: [1] });
    const keys = (values: readonly number[], type: string) => builder.accessor(Float32Array.from(values), type);
    const clip = (name: string, channels: readonly (readonly [number, string, number, string?])[]) => ({
        name,
        samplers: channels.map(([, , output, interpolation = 'LINEAR']) => ({ input: times, output, interpolation })),
        channels: channels.map(([node, path], sampler) => ({ sampler, target: { node, path } })),
    });
    const bend = [HALF * 0.6, 0, 0, Math.sqrt(1 - (HALF * 0.6) ** 2)];
    json.animations = [
        clip('bend', [
            [2, 'rotation', keys([0, 0, 0, 1, ...bend, 0, 0, 0, 1], 'VEC4')],
            [6, 'scale', keys([1, 1, 1, 0, 0, 0, 1, 1, 1], 'VEC3'), 'STEP'],
            [9, 'rotation', keys([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0], 'VEC4')],
            [10, 'weights', keys([0.5, 1, 0], 'SCALAR')],
            [3, 'weights', keys([0.25, 0, 1, 0, 0, 1], 'SCALAR')],
        ]),
        clip('slide', [
            [1, 'translation', keys([-0.5, 0.2, 0, -0.9, 0.4, 0.3, -0.5, 0.2, 0], 'VEC3')],
            [9, 'translation', keys([1.2, 1.6, 0, 1, 1.2, 0.4, 1.2, 1.6, 0], 'VEC3')],
        ]),
    ];
    return builder;
}
