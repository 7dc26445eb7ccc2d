// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { InputError } from '../../lib/base/errors';
import { MAX_DECODED_VALUES } from '../../lib/gltf/limits';
import { Rig } from '../../lib/rig/rig';
import type { RigParts } from '../../lib/rig/source/from-parts';
import type { MeshParts } from '../../lib/rig/source/part-meshes';
import { verifyBake } from '../../lib/verify';
import { type GltfBuilder, type LooseJson, skinnedModel } from '../gltf/support/builder';
import { scratchFolder } from '../support/temporary-folder';
import { judgeSkinning } from './judge-skinning';
import { posed, refusal, rested } from './scenes';

const primitive = (model: GltfBuilder): LooseJson => model.json.meshes[0].primitives[0];

/** Adds or replaces attributes of the model's primitive. */
function attributes(model: GltfBuilder, added: LooseJson): GltfBuilder {
    Object.assign(primitive(model).attributes, added);
    return model;
}

const vec3 = (model: GltfBuilder, values: number[]) => model.accessor(Float32Array.from(values), 'VEC3');
const vec4 = (model: GltfBuilder, values: number[]) => model.accessor(Float32Array.from(values), 'VEC4');
const NEGATIVE = [1, 0, 0, 0, 1.5, -0.5, 0, 0, 1, 0, 0, 0];

async function documentOf(model: GltfBuilder) {
    const { WebIO } = await import('@gltf-transform/core');
    return new WebIO().readBinary(model.toGlb());
}

/** The model with normals, and two morph targets that the clip moves. */
function morphingModel(): GltfBuilder {
    const model = skinnedModel();
    attributes(model, { NORMAL: vec3(model, [1, 0, 0, 0, 0.6, 0.8, 0, 0, 1]) });
    primitive(model).targets = [
        { POSITION: vec3(model, [0, 0, 0, 0.25, -0.5, 1, 0, 0, 0]) },
        { POSITION: vec3(model, [1, 0, 0, 0, 0, 0, 0, -1, 2]), NORMAL: vec3(model, [0, 0.5, 0, 0, 0, 0, 1, 0, 0]) },
    ];
    model.json.meshes[0].weights = [0.25, 0.5];
    const animation = model.json.animations[0];
    const { input } = animation.samplers[0];
    const output = model.accessor(Float32Array.of(0, 0, 1, 0.25, 0.5, 1), 'SCALAR');
    animation.channels.push({ sampler: animation.samplers.length, target: { node: 3, path: 'weights' } });
    animation.samplers.push({ input, output });
    model.json.nodes[1].scale = [1, -2, 0.5];
    model.json.scene = 0;
    model.json.scenes = [{ nodes: [0] }];
    return model;
}

describe('morph targets', () => {
    const folder = scratchFolder();

    test('agree with three.js and double precision, below uneven scales and a mirror', async () => {
        const path = join(folder(), 'morph.glb');
        writeFileSync(path, morphingModel().toGlb());
        // LINEAR from (0, 0) over (1, 0.25) to (0.5, 1), keys at 0, 0.5 and 1.
        const weights = [0.05, 0.25, 0.45, 0.65, 0.85].map((time) => {
            const late = time > 0.5;
            const t = (late ? time - 0.5 : time) / 0.5;
            return late ? [1 - 0.5 * t, 0.25 + 0.75 * t] : [t, 0.25 * t];
        });
        const { rig, normalsCompared } = await judgeSkinning(path, 0, { weights });
        expect(normalsCompared).toBe(45);
        expect(rig.meshes[0]).toMatchObject({ weightCount: 2, vertexCount: 3 });
        expect(rig.meshes[0]!.targets.map(({ positions, normals }) => [positions?.length, normals?.length])).toEqual([
            [9, undefined],
            [9, 9],
        ]);
    });
});

describe('weights whose sum is not 1', () => {
    const folder = scratchFolder();
    /** Sums of 2, 0.5 and 0. */
    const model = () => {
        const wrong = morphingModel();
        return attributes(wrong, { WEIGHTS_0: vec4(wrong, [2, 0, 0, 0, 0.125, 0.375, 0, 0, 0, 0, 0, 0]) });
    };

    test('are divided by their sum, as in three.js', async () => {
        const path = join(folder(), 'weights.glb');
        const wrong = model();
        delete primitive(wrong).targets;
        delete wrong.json.meshes[0].weights;
        wrong.json.animations[0].channels.pop();
        writeFileSync(path, wrong.toGlb());
        const { rig } = await judgeSkinning(path, 0);
        expect([...rig.meshes[0]!.weights]).toEqual([1, 0, 0, 0, 0.25, 0.75, 0, 0, 0, 0, 0, 0]);
    });

    test('give equal boxes in a rig, a Document, a bake and verify', async () => {
        const path = join(folder(), 'boxes.glb');
        writeFileSync(path, model().toGlb());
        const { outputs, warnings } = await bakeFile(path, { emit: ['palette', 'bounds'] });
        expect(warnings.map(({ code }) => code)).toContain('WEIGHTS_NOT_NORMALIZED');
        const [files] = await writeBake(outputs, folder());
        expect(await verifyBake(path, files!.json)).toMatchObject({ ok: true });
        for (const rig of [await Rig.load(path), Rig.fromDocument(await documentOf(model()))]) {
            const poses = posed(rig, [0]);
            poses.data.fill(0, poses.weightsOffset, poses.weightsOffset + rig.rest.weights.length * 16);
            const box = new Float32Array(6);
            rig.bounds(poses, 0, 0, box);
            const { byteOffset } = outputs[0]!.manifest.arrays.bounds!;
            const baked = new Float32Array(outputs[0]!.bin.slice(byteOffset, byteOffset + 24).buffer);
            for (const [side, value] of baked.entries()) expect(box[side]).toBeCloseTo(value, 6);
        }
    });
});

describe('storage', () => {
    test('normalized, strided, sparse and 16-bit data are decoded', async () => {
        const model = morphingModel();
        const interleaved = new Float32Array([9, 1, 2, 3, 8, 4, 5, 6, 7, 7, 8, 9]);
        const bufferView = model.view(interleaved, { byteStride: 16 });
        const strided = { bufferView, byteOffset: 4, componentType: 5126, type: 'VEC3', count: 3 };
        const normal = { normalized: true };
        const padded = new Int8Array([127, 0, 0, 0, 0, 127, 0, 0, -127, -128, 0, 0]);
        const bytes = { bufferView: model.view(padded, { byteStride: 4 }), componentType: 5120, type: 'VEC3' };
        attributes(model, {
            POSITION: model.json.accessors.push(strided) - 1,
            NORMAL: model.json.accessors.push({ ...bytes, count: 3, normalized: true }) - 1,
            JOINTS_0: model.accessor(new Uint16Array([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), 'VEC4'),
            WEIGHTS_0: model.accessor(new Uint8Array([0, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0]), 'VEC4', normal),
            JOINTS_1: model.accessor(new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'VEC4'),
            WEIGHTS_1: model.accessor(new Uint16Array([65535, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'VEC4', normal),
        });
        const at = (list: Uint8Array | Float32Array) => ({ bufferView: model.view(list), byteOffset: 0 });
        const sparse = {
            count: 1,
            indices: { ...at(Uint8Array.of(2)), componentType: 5121 },
            values: at(Float32Array.of(5, 6, 7)),
        };
        const [first, second] = primitive(model).targets;
        first.POSITION = model.json.accessors.push({ componentType: 5126, type: 'VEC3', count: 3, sparse }) - 1;
        second.NORMAL = model.accessor(new Int16Array([0, 0, 0, 32767, 0, 0, 0, 0, -32767]), 'VEC3', normal);
        const [mesh] = (await Rig.load(model.toGlb())).meshes;
        expect([...mesh!.positions]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect([...mesh!.normals!]).toEqual([1, 0, 0, 0, 1, 0, -1, -1, 0]);
        expect(mesh!.influences).toBe(8);
        expect([...mesh!.joints]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, ...new Array(7).fill(0)]);
        const [fifth, rest] = [Math.fround(0.2), Math.fround(0.8)];
        expect([...mesh!.weights]).toEqual([
            ...[0, 0, 0, 0, 1, 0, 0, 0],
            ...[fifth, rest, 0, 0, 0, 0, 0, 0],
            ...[1, 0, 0, 0, 0, 0, 0, 0],
        ]);
        expect([...mesh!.targets[0]!.positions!]).toEqual([0, 0, 0, 0, 0, 0, 5, 6, 7]);
        expect([...mesh!.targets[1]!.normals!]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, -1]);
    });

    test('primitives that no skin can move are left out; the others keep their number', async () => {
        const model = morphingModel();
        const { attributes: own, targets } = primitive(model);
        model.json.meshes[0].primitives.unshift({ attributes: { POSITION: own.POSITION }, targets });
        model.json.meshes[0].primitives.push({ attributes: { ...own }, targets: targets.slice().reverse() });
        const [mesh] = (await Rig.load(model.toGlb())).meshes;
        expect(mesh!.primitives).toEqual([
            { index: 1, firstVertex: 0, vertexCount: 3 },
            { index: 2, firstVertex: 3, vertexCount: 3 },
        ]);
        expect([...mesh!.targets[0]!.normals!]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0, 0]);
        const [a, b] = [mesh!.targets[0]!.positions!, mesh!.targets[1]!.positions!];
        expect([...a.subarray(0, 9)]).toEqual([...b.subarray(9)]);
    });

    test('a small file cannot request any number of vertices', async () => {
        const model = skinnedModel();
        const count = 2 ** 16;
        const bufferView = model.view(new Uint8Array(count * 4));
        const set = { componentType: 5121, type: 'VEC4', count, bufferView };
        const JOINTS_0 = model.json.accessors.push(set) - 1;
        const WEIGHTS_0 = model.json.accessors.push({ ...set, normalized: true }) - 1;
        const POSITION = model.json.accessors.push({ componentType: 5126, type: 'VEC3', count }) - 1;
        const many = Math.ceil(MAX_DECODED_VALUES / (count * 11)) + 1;
        model.json.meshes[0].primitives = Array(many).fill({ attributes: { POSITION, JOINTS_0, WEIGHTS_0 } });
        await expect(Rig.load(model.toGlb())).rejects.toMatchObject({
            code: 'GLTF_INVALID',
            pointer: '/meshes/0',
            rule: expect.stringMatching(/the limit here/),
        });
    });
});

describe('faults of a file', () => {
    const at = '/meshes/0/primitives/0';
    const [NAN, INFINITE] = [
        [1, 0, 0, 0, NaN, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 1, 0, Infinity, 0, 0, 0, 1],
    ];
    const normal = (values: number[]) => (m: GltfBuilder) => attributes(m, { NORMAL: vec3(m, values) });
    const weights = (values: number[]) => (m: GltfBuilder) => attributes(m, { WEIGHTS_0: vec4(m, values) });
    const target = (change: (m: GltfBuilder) => unknown) => (m: GltfBuilder) =>
        Object.assign(primitive(m).targets, { 1: change(m) });

    test.each<[string, RegExp, (m: GltfBuilder) => unknown]>([
        [`${at}/attributes/WEIGHTS_0`, /vertex 1 has weight -0.5, must not be negative/, weights(NEGATIVE)],
        [
            '/meshes/0/primitives/1/attributes/WEIGHTS_1',
            /vertex 2 has weight -1, must not be negative/,
            (m) => {
                const { attributes: own, targets } = primitive(m);
                const WEIGHTS_1 = vec4(m, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1]);
                const second = { attributes: { ...own, JOINTS_1: own.JOINTS_0, WEIGHTS_1 }, targets };
                m.json.meshes[0].primitives.push(second);
            },
        ],
        [`${at}/attributes/WEIGHTS_0`, /element 1, component 0, is NaN/, weights(NAN)],
        [
            `${at}/attributes/JOINTS_0`,
            /vertex 2 has joint 9, skin 0 has 2 joints/,
            (m) => {
                const JOINTS_0 = m.accessor(new Uint8Array([0, 0, 0, 0, 0, 1, 0, 0, 9, 0, 0, 0]), 'VEC4');
                attributes(m, { JOINTS_0, WEIGHTS_0: vec4(m, [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]) });
            },
        ],
        [`${at}/attributes/NORMAL`, /has 1 elements, POSITION has 3/, normal([0, 0, 1])],
        [
            `${at}/attributes/NORMAL`,
            /must be VEC3 of float, normalized byte, normalized short/,
            (m) => attributes(m, { NORMAL: m.accessor(new Int16Array(9), 'VEC3') }),
        ],
        [`${at}/attributes/NORMAL`, /element 1, component 1, is Infinity/, normal(INFINITE)],
        [
            `${at}/targets/1/POSITION`,
            /has 1 elements, POSITION has 3/,
            target((m) => ({ POSITION: vec3(m, [0, 0, 1]) })),
        ],
        [`${at}/targets/1/NORMAL`, /element 1, component 1, is Inf/, target((m) => ({ NORMAL: vec3(m, INFINITE) }))],
        [`${at}/targets/1`, /must be an object/, target(() => 7)],
    ])('%s: %s', async (pointer, rule, change) => {
        const model = morphingModel();
        change(model);
        const load = Rig.load(model.toGlb(), { name: 'hero.glb' });
        await expect(load).rejects.toBeInstanceOf(InputError);
        const fault = { code: 'GLTF_INVALID', file: 'hero.glb', pointer, rule: expect.stringMatching(rule) };
        await expect(load).rejects.toMatchObject(fault);
    });
});

describe('meshes: false', () => {
    const folder = scratchFolder();
    const negative = () => {
        const model = morphingModel();
        return attributes(model, { WEIGHTS_0: vec4(model, NEGATIVE) });
    };

    test('loads a file whose vertices break a rule; poses and morph weights exist, vertices do not', async () => {
        await expect(Rig.load(negative().toGlb())).rejects.toMatchObject({ code: 'GLTF_INVALID' });
        const whole = await Rig.load(morphingModel().toGlb());
        const rig = await Rig.load(negative().toGlb(), { meshes: false });
        for (const shown of ['slots', 'skins', 'clips', 'rest'] as const) expect(rig[shown]).toEqual(whole[shown]);
        const { node, skin, firstWeight, weightCount } = whole.meshes[0]!;
        expect(rig.meshes).toMatchObject([{ node, skin, firstWeight, weightCount, vertexCount: 0, primitives: [] }]);
        const times = Float32Array.from({ length: 16 }, (_, i) => i / 15);
        const [a, b] = [whole, rig].map((one) => Buffer.from(posed(one, times).data.buffer));
        expect(Buffer.compare(a!, b!)).toBe(0);
    });

    test('does not read vertices: accessors that are not vertices', async () => {
        const model = attributes(morphingModel(), { POSITION: 0, JOINTS_0: 1e6, NORMAL: 'none' });
        await expect(Rig.load(model.toGlb())).rejects.toMatchObject({ code: 'GLTF_INVALID' });
        const path = join(folder(), 'odd.glb');
        writeFileSync(path, model.toGlb());
        const rig = await Rig.load(path, { meshes: false });
        expect(rig.clips[0]!.tracks).toBeGreaterThan(0);
    });

    test('skinVertices and bounds state why there is nothing to skin, and write nothing', async () => {
        const rig = await Rig.load(negative().toGlb(), { meshes: false });
        const poses = rig.createPoses(1);
        const out = new Float32Array(9).fill(0.5);
        const error = (routine: string) => {
            const why = 'mesh 0 has no vertices: the rig was loaded with `meshes: false`';
            return refusal('ERR_INDEX_RANGE', `^${routine}: ${why}$`);
        };
        expect(() => rig.skinVertices(poses, 0, 0, out)).toThrow(error('skinVertices'));
        expect(() => rig.bounds(poses, 0, 0, out)).toThrow(error('bounds'));
        expect(() => rig.bounds(poses, 0, 1, out)).toThrow(/mesh is 1, needs a mesh, 0 to 0/);
        expect(out.every((x) => x === 0.5)).toBe(true);
    });

    test.each([0, 'no', null])('rejects %p', async (meshes) => {
        await expect(Rig.load(morphingModel().toGlb(), { meshes: meshes as never })).rejects.toMatchObject({
            name: 'TypeError',
            code: 'ERR_ARGUMENT_TYPE',
            message: expect.stringMatching(/^Rig\.load: options\.meshes must be true or false, got /),
        });
    });

    test('the baker needs only positions of vertices, and bakes such a file', async () => {
        const path = join(folder(), 'negative.glb');
        writeFileSync(path, negative().toGlb());
        const { outputs, warnings } = await bakeFile(path);
        expect(outputs).toHaveLength(1);
        expect(warnings.map(({ code }) => code)).toContain('NEGATIVE_WEIGHT');
    });
});

describe('Rig.fromDocument', () => {
    test('has the vertices of the original file', async () => {
        const model = morphingModel();
        const [a, b] = [await Rig.load(model.toGlb()), Rig.fromDocument(await documentOf(model))];
        expect(b.meshes).toEqual(a.meshes);
        expect(b.meshes[0]!.targets).toHaveLength(2);
    });

    type Document = Awaited<ReturnType<typeof documentOf>>;
    const first = (document: Document) => document.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
    const attribute = (d: Document, name: string) => first(d).getAttribute(name)!;
    const displacement = (d: Document) => first(d).listTargets()[0]!.getAttribute('POSITION')!;
    test.each<[string, RegExp, (d: Document) => unknown]>([
        [
            'attributes/WEIGHTS_0',
            /has 2 vertices, POSITION has 3/,
            (d) => attribute(d, 'WEIGHTS_0').setArray(new Float32Array(8)),
        ],
        ['attributes', /1 sets of JOINTS_n, 0 of WEIGHTS_n/, (d) => first(d).setAttribute('WEIGHTS_0', null)],
        [
            'targets/0/POSITION',
            /vertex 1 has Infinity, must be finite/,
            (d) => displacement(d).setElement(1, [0, Infinity, 0]),
        ],
    ])('%s: %s', async (place, rule, change) => {
        const document = await documentOf(morphingModel());
        change(document);
        const pointer = `/meshes/0/primitives/0/${place}`;
        const fault = { code: 'GLTF_INVALID', file: '', pointer, rule: expect.stringMatching(rule) };
        expect(() => Rig.fromDocument(document)).toThrow(expect.objectContaining(fault));
    });
});

describe('Rig.create', () => {
    const mesh: MeshParts = {
        node: 1,
        skin: 0,
        positions: [0, 0, 0, 1, 1, 1],
        normals: [0, 0, 1, 0, 1, 0],
        joints: [0, 0, 0, 0, 1, 0, 0, 0],
        weights: [1, 0, 0, 0, 1, 0, 0, 0],
        targets: [{ positions: [0, 0, 0, 0, 1, 0] }],
    };
    const parts = (...meshes: unknown[]): RigParts => ({
        parents: [-1, 0],
        rest: rested(2),
        skins: [{ joints: [1, 0] }],
        meshes: meshes as MeshParts[],
    });

    test('copies its arguments', () => {
        const given = { ...mesh, positions: Float32Array.of(0, 0, 0, 1, 1, 1), joints: Uint16Array.from(mesh.joints) };
        const rig = Rig.create(parts(given));
        expect(rig.meshes).toMatchObject([{ node: 1, skin: 0, weightCount: 1, vertexCount: 2, influences: 4 }]);
        given.positions.fill(9);
        given.joints.fill(9);
        const poses = rig.createPoses(1);
        rig.toGlobal(poses);
        const out = new Float32Array(6);
        rig.skinVertices(poses, 0, 0, out);
        expect([...out]).toEqual([0, 0, 0, 1, 1, 1]);
    });

    test.each<[object, RegExp]>([
        [{ node: 2 }, /meshes\[0\]\.node is 2, must be a node, 0 to 1/],
        [{ skin: 1 }, /meshes\[0\]\.skin is 1, must be a skin, 0 to 0/],
        [{ positions: [0, 0] }, /meshes\[0\]\.positions has 2 numbers, must have 3 for each vertex/],
        [{ positions: [0, 0, NaN, 0, 0, 0] }, /meshes\[0\]\.positions vertex 0 has NaN, must be finite/],
        [{ normals: [0, 0, 1] }, /meshes\[0\]\.normals has 1 vertices, POSITION has 2/],
        [{ joints: [0, 0, 0, 0] }, /meshes\[0\]\.joints has 4 numbers, must have 2 vertices x 4 = 8/],
        [{ joints: [0, 0, 0, 0, 2, 0, 0, 0] }, /meshes\[0\]\.joints vertex 1 has joint 2, skin 0 has 2 joints/],
        [{ joints: [0, 0, 0, 0, -1, 0, 0, 0] }, /meshes\[0\]\.joints\[4\] is -1, must be an integer from 0 to 65535/],
        [{ weights: [1] }, /meshes\[0\]\.weights has 1 numbers, must have 2 vertices x 4 = 8/],
        [{ influences: 3 }, /meshes\[0\]\.joints 3 influences for each vertex, must be a multiple of 4/],
        [{ targets: [{ positions: [1] }] }, /meshes\[0\]\.targets\[0\]\.positions has 1 numbers/],
        [{ targets: [{ normals: [0, 0, 1] }] }, /meshes\[0\]\.targets\[0\]\.normals has 1 vertices, POSITION has 2/],
        [{ targetWeights: [1, 2] }, /meshes\[0\]\.targetWeights has 2 elements, must have 1/],
        [{ targetWeights: [NaN] }, /meshes\[0\]\.targetWeights\[0\] is NaN, must be finite/],
    ])('rejects %j', (changes, message) => {
        expect(() => Rig.create(parts({ ...mesh, ...changes }))).toThrow(refusal('ERR_RIG_INVALID', message));
    });

    test('rejects a second mesh for a node', () => {
        expect(() => Rig.create(parts(mesh, { ...mesh, node: 0 }, mesh))).toThrow(
            refusal('ERR_RIG_INVALID', /^Rig.create: meshes\[2\].node 1 has a mesh already: one for each node$/),
        );
    });

    test.each<[unknown, RegExp]>([
        [null, /meshes\[0\] must be an object/],
        [{ ...mesh, node: '1' }, /meshes\[0\]\.node must be a number/],
        [{ ...mesh, positions: 'none' }, /meshes\[0\]\.positions must be a list of numbers/],
        [{ ...mesh, influences: '4' }, /meshes\[0\]\.influences must be a number/],
        [{ ...mesh, targets: {} }, /meshes\[0\]\.targets must be an array/],
        [{ ...mesh, targets: [7] }, /meshes\[0\]\.targets\[0\] must be an object/],
    ])('rejects the type of %#', (given, message) => {
        expect(() => Rig.create(parts(given))).toThrow(refusal('ERR_ARGUMENT_TYPE', message, 'TypeError'));
    });
});
