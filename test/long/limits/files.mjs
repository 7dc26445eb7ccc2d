// SPDX-License-Identifier: MIT

/**
 * Small files that need much work or memory, by name. A function makes each: the bytes of a GLB, or `{ gltf, beside }`, the
 * text of a .gltf and its other files by name; a string there is the target of a symbolic link.
 */

import { createRequire } from 'node:module';
import glb from '../fuzz-gltf/glb.cjs';

const { MAX_DECODED_VALUES } = createRequire(import.meta.url)('../../../dist/gltf/limits.js');

const FLOAT = 5126;

/** Root > joint, a skin, one clip that moves the joint; `edit` does the rest. */
function model(edit, bin = base()) {
    const json = {
        asset: { version: '2.0' },
        buffers: [{ byteLength: bin.length }],
        bufferViews: [{ buffer: 0, byteLength: bin.length }],
        accessors: [
            { bufferView: 0, componentType: FLOAT, type: 'SCALAR', count: 2 },
            { bufferView: 0, byteOffset: 8, componentType: FLOAT, type: 'VEC3', count: 2 },
            { bufferView: 0, byteOffset: 8, componentType: FLOAT, type: 'VEC3', count: 3 },
        ],
        meshes: [],
        nodes: [{ children: [1] }, {}],
        skins: [{ joints: [0, 1] }],
        animations: [
            {
                samplers: [{ input: 0, output: 1 }],
                channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
            },
        ],
    };
    const text = edit(json);
    return glb.joinGlb(Buffer.from(typeof text === 'string' ? text : JSON.stringify(json)), bin);
}

/** Times 0 and 1, then zeros. */
function base(bytes = 1024, end = 1) {
    const bin = Buffer.alloc(bytes);
    bin.writeFloatLE(end, 4);
    return bin;
}

/** `count` ascending times. */
function times(count) {
    return Buffer.from(Float32Array.from({ length: count }, (_, i) => i / 1000).buffer);
}

const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** A Draco stream that ends after a header with these numbers of faces and points. */
function dracoStream(count) {
    const varint = [];
    for (let rest = count; ; rest = Math.floor(rest / 128)) {
        if (rest < 128) {
            varint.push(rest);
            break;
        }
        varint.push((rest % 128) + 128);
    }
    return Buffer.from([...Buffer.from('DRACO'), 2, 2, 1, 0, 0, 0, ...varint, ...varint, ...Array(64).fill(1)]);
}

const DRACO = 'KHR_draco_mesh_compression';

/** Adds accessors of this many vertices, each with its other properties; returns the attributes of a primitive. */
function addVertices({ accessors }, count, [position = {}, joints = {}, weights = position] = []) {
    const at = accessors.length;
    accessors.push(
        { ...position, componentType: FLOAT, type: 'VEC3', count },
        { ...joints, componentType: 5121, type: 'VEC4', count },
        { ...weights, componentType: FLOAT, type: 'VEC4', count },
    );
    return { POSITION: at, JOINTS_0: at + 1, WEIGHTS_0: at + 2 };
}

function addSkinnedMesh(json, primitives) {
    json.meshes.push({ primitives });
    json.nodes.push({ mesh: 0, skin: 0 });
}

/** Clips of the weights of a morph target, each with one accessor for both times and values. */
function addWeightClips(json, accessors) {
    json.animations = accessors.map((accessor) => ({
        samplers: [{ input: accessor, output: accessor }],
        channels: [{ sampler: 0, target: { node: 1, path: 'weights' } }],
    }));
    json.meshes.push({ primitives: [{ attributes: { POSITION: 2 }, targets: [{ POSITION: 2 }] }] });
    json.nodes[1].mesh = 0;
}

/** Primitives that each have their own view of one stream, and accessors of this many vertices. */
function dracoModel(stream, vertices, views = 1) {
    return model(
        (json) => {
            const primitives = many(views, () => {
                const view = { buffer: 0, byteOffset: 1024, byteLength: stream.length };
                const bufferView = json.bufferViews.push(view) - 1;
                const extension = { bufferView, attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 } };
                return { attributes: addVertices(json, vertices), extensions: { [DRACO]: extension } };
            });
            addSkinnedMesh(json, primitives);
            json.extensionsUsed = [DRACO];
        },
        Buffer.concat([base(), stream]),
    );
}

function meshoptModel(count, bytes) {
    return model((json) => {
        const extension = { buffer: 0, byteOffset: 0, byteLength: bytes, byteStride: 4, count, mode: 'ATTRIBUTES' };
        json.bufferViews.push({ buffer: 0, byteLength: count * 4, extensions: { EXT_meshopt_compression: extension } });
        json.accessors.push({ bufferView: 1, componentType: FLOAT, type: 'SCALAR', count });
        // As many weights as times.
        addWeightClips(json, [3]);
    }, Buffer.alloc(bytes));
}

/** `animations` channels, each in its own animation, that move the joint by `keys` keys. */
function sharedKeys(keys, animations) {
    return model(
        (json) => {
            json.accessors[0].count = keys;
            json.accessors[1] = { bufferView: 0, componentType: FLOAT, type: 'VEC3', count: keys };
            json.bufferViews[0].byteLength = keys * 12;
            json.animations = many(animations, () => json.animations[0]);
        },
        Buffer.concat([times(keys), Buffer.alloc(keys * 8)]),
    );
}

/** Accessors of the same bytes, each the times and values of its own clip. */
function overlapping(values, accessors) {
    return model((json) => {
        const accessor = { bufferView: 0, componentType: FLOAT, type: 'SCALAR', count: values };
        addWeightClips(
            json,
            many(accessors, () => json.accessors.push(accessor) - 1),
        );
    }, times(values));
}

/** Clips of one sampler, with one accessor for both times and values. */
function sharedWeights(keys, clips) {
    return model((json) => {
        json.accessors[0].count = keys;
        addWeightClips(
            json,
            many(clips, () => 0),
        );
    }, times(keys));
}

/** Primitives of the same vertices, with `sets` sets of joints and `targets` morph targets; then `more`. */
function sharedVertices(vertices, primitives, { sets = 1, targets = 0, more = () => {} } = {}) {
    const bin = times(vertices * 4);
    return model(
        (json) => {
            const bufferView = json.bufferViews.push({ buffer: 0, byteLength: bin.length }) - 1;
            const zeros = json.bufferViews.push({ buffer: 0, byteOffset: bin.length, byteLength: vertices * 4 }) - 1;
            const { POSITION, JOINTS_0, WEIGHTS_0 } = addVertices(json, vertices, [
                { bufferView },
                { bufferView: zeros },
            ]);
            const attributes = { POSITION };
            for (let n = 0; n < sets; n++)
                Object.assign(attributes, { [`JOINTS_${n}`]: JOINTS_0, [`WEIGHTS_${n}`]: WEIGHTS_0 });
            const primitive = { attributes, targets: many(targets, () => ({ POSITION })) };
            json.bufferViews[0].byteLength = 1024;
            addSkinnedMesh(
                json,
                many(primitives, () => primitive),
            );
            more(json);
        },
        Buffer.concat([bin, Buffer.alloc(vertices * 4)]),
    );
}

/** Numbers of a vertex in a rig: position, joints and weights, morph targets. */
const numbersOf = (sets, targets) => 3 + 8 * sets + 3 * targets;
const verticesAtTheLimit = (sets, targets, part = 1, more) =>
    sharedVertices(2 ** 14, Math.floor((MAX_DECODED_VALUES * part) / (2 ** 14 * numbersOf(sets, targets))), {
        sets,
        targets,
        more,
    });

/** This share of each limit. */
function keysAndVertices(part) {
    return verticesAtTheLimit(1, 100, part, (json) => {
        const input = json.accessors.push({ ...json.accessors[3], type: 'SCALAR' }) - 1;
        json.animations = many(Math.floor((MAX_DECODED_VALUES * part) / (2 ** 14 * 3)), () => ({
            samplers: [{ input, output: 3 }],
            channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
        }));
    });
}

/** A valid stream of random points. */
async function validDraco(points) {
    const { default: draco3d } = await import('draco3dgltf');
    const draco = await draco3d.createEncoderModule();
    const [builder, mesh, encoder, out] = [
        new draco.MeshBuilder(),
        new draco.Mesh(),
        new draco.Encoder(),
        new draco.DracoInt8Array(),
    ];
    let state = 1;
    const random = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
    const list = (width, make) => Array.from({ length: points * width }, make);
    builder.AddFacesToMesh(mesh, 1, new Uint32Array([0, 1, 2]));
    builder.AddFloatAttribute(mesh, draco.POSITION, points, 3, new Float32Array(list(3, random)));
    builder.AddUInt8Attribute(mesh, draco.GENERIC, points, 4, new Uint8Array(list(4, () => 0)));
    builder.AddFloatAttribute(mesh, draco.GENERIC, points, 4, new Float32Array(list(4, (_, i) => (i % 4 ? 0 : 1))));
    encoder.SetEncodingMethod(draco.MESH_SEQUENTIAL_ENCODING);
    encoder.SetAttributeQuantization(draco.POSITION, 8);
    const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
    return Buffer.from(Uint8Array.from({ length }, (_, i) => out.GetValue(i)));
}

/** Many primitives of the same three vertices, or one with many targets. */
function smallPrimitive(json, targets) {
    return { attributes: addVertices(json, 3, [{ bufferView: 0 }, { bufferView: 0 }]), ...targets };
}

/** A .gltf with one more buffer for each of the names, all of them as long; `beside` are the files. */
function external(names, byteLength, beside) {
    const buffers = names.map((uri) => ({ uri, byteLength }));
    return { gltf: JSON.stringify({ asset: { version: '2.0' }, nodes: [{}], buffers }), beside };
}

const deep = (open, close, depth) => `${open.repeat(depth)}1${close.repeat(depth)}`;

export const FILES = {
    'an accessor of 2^31 elements': () => model((json) => (json.accessors[1].count = 2 ** 31)),
    'an accessor of 2^31 elements that nothing stores': () =>
        model(({ accessors }) => {
            accessors[1].count = 2 ** 31;
            delete accessors[1].bufferView;
        }),
    '16 million elements that nothing stores': () =>
        model(({ accessors }) => {
            accessors[0] = { componentType: FLOAT, type: 'SCALAR', count: 4e6 };
            accessors[1] = { componentType: FLOAT, type: 'VEC3', count: 4e6 };
        }),
    '2^31 sparse elements': () =>
        model(({ accessors }) => {
            const indices = { bufferView: 0, componentType: 5125 };
            accessors[1].sparse = { count: 2 ** 31, indices, values: { bufferView: 0 } };
        }),
    'accessors of 2^24 numbers over 4 MB': () => overlapping(2 ** 20, 16),
    'accessors of 2^27 numbers over 4 MB': () => overlapping(2 ** 20, 128),
    'keys at the limit, of small accessors': () => overlapping(2 ** 16, MAX_DECODED_VALUES / 2 ** 16),
    'keys at the limit, of large accessors': () => overlapping(2 ** 22, MAX_DECODED_VALUES / 2 ** 22),
    'keys at the limit, of one accessor': () => sharedWeights(2 ** 16, MAX_DECODED_VALUES / 2 ** 16),
    'vertices at the limit': () => verticesAtTheLimit(1, 0),
    'vertices at the limit, with two sets of joints': () => verticesAtTheLimit(2, 0),
    'vertices at the limit, nearly all of morph targets': () => verticesAtTheLimit(1, 100),
    'keys and vertices, together at the limit': () => keysAndVertices(0.5),
    'keys and vertices, each at the limit': () => keysAndVertices(1),
    '10^5 keys, shared by 10^4 clips': () => sharedKeys(100_000, 10_000),
    '10^5 keys, shared by 100 clips': () => sharedKeys(100_000, 100),
    'JSON of a million nested lists': () =>
        model((json) => `${JSON.stringify(json).slice(0, -1)},"a":${deep('[', ']', 1e6)}}`),
    'JSON of 200,000 nested objects': () =>
        model((json) => `${JSON.stringify(json).slice(0, -1)},"a":${deep('{"a":', '}', 2e5)}}`),
    'a chain of 60,000 nodes, all joints': () =>
        model((json) => {
            json.nodes = many(60_000, (i) => (i < 59_999 ? { children: [i + 1] } : {}));
            json.skins[0].joints = many(60_000, (i) => i);
        }),
    '100,000 clips': () => model((json) => (json.animations = many(100_000, () => json.animations[0]))),
    '100,000 clips without a channel': () =>
        model((json) => (json.animations = many(100_000, () => ({ samplers: [], channels: [] })))),
    '200,000 channels of as many nodes': () =>
        model((json) => {
            json.nodes = many(200_000, () => ({}));
            const channels = json.nodes.map((_, node) => ({ sampler: 0, target: { node, path: 'translation' } }));
            json.animations[0].channels = channels;
        }),
    '20,000 skins': () =>
        model((json) => {
            json.nodes = many(20_000, () => ({}));
            json.skins = many(20_000, (i) => ({ joints: [i] }));
        }),
    '300 skins of 10,000 joints': () =>
        model((json) => {
            json.nodes = many(10_000, () => ({}));
            json.skins = many(300, (skin) => ({ joints: json.nodes.map((_, i) => (skin + i) % 10_000) }));
        }),
    'a clip of 3e38 seconds': () => model(() => {}, base(1024, 3e38)),
    'a clip of a year': () => model(() => {}, base(1024, 31_536_000)),
    'a clip of an hour': () => model(() => {}, base(1024, 3600)),
    '64 MB of base64': () =>
        model((json) => {
            json.buffers.push({ byteLength: 1, uri: `data:;base64,${'A'.repeat(2 ** 26)}` });
        }),
    '64 MB that are not base64': () =>
        model((json) => {
            json.buffers.push({ byteLength: 1, uri: `data:;base64,${'A'.repeat(2 ** 26)}*` });
        }),
    'a name of 64 MB': () => model((json) => (json.nodes[0].name = 'a'.repeat(2 ** 26))),
    'a meshopt stream of 1 KB for 1 GiB': () => meshoptModel(2 ** 28, 1024),
    'a meshopt stream of 256 KB for 128 MiB': () => meshoptModel(2 ** 25, 2 ** 18),
    'a Draco stream of 80 bytes for 2^31 points': () => dracoModel(dracoStream(2 ** 31), 1000),
    'a Draco stream of 80 bytes for 10^8 points': () => dracoModel(dracoStream(1e8), 1000),
    '300 views of a Draco stream of 90,000 points': async () => dracoModel(await validDraco(90_000), 3, 300),
    '16 views of a Draco stream of 90,000 points, as many as the accessors': async () =>
        dracoModel(await validDraco(90_000), 90_000, 16),
    '9000 buffers that are one file of 2 MB': () =>
        external(
            many(9000, () => 'a'),
            2e6,
            { a: Buffer.alloc(2e6) },
        ),
    '60 spellings of the name of a file of 32 MB': () =>
        external(
            many(60, (i) => `${'./'.repeat(i)}a`),
            1,
            { a: Buffer.alloc(2 ** 25) },
        ),
    '80 links to a file of 16 MB': () => {
        const names = many(80, (i) => `link${i}`);
        const links = Object.fromEntries(names.map((name) => [name, 'a']));
        return external(names, 1, { a: Buffer.alloc(2 ** 24), ...links });
    },
    'Draco accessors of 2^24 vertices': () => dracoModel(dracoStream(1000), 2 ** 24),
    '10^5 morph targets': () =>
        model((json) => addSkinnedMesh(json, [smallPrimitive(json, { targets: many(1e5, () => ({ POSITION: 2 })) })])),
    '10^5 primitives': () =>
        model((json) => {
            const primitive = smallPrimitive(json);
            addSkinnedMesh(
                json,
                many(1e5, () => primitive),
            );
        }),
    '10^6 required extensions': () =>
        model((json) => (json.extensionsRequired = many(1e6, () => 'KHR_lights_punctual'))),
};
