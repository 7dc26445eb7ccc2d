// SPDX-License-Identifier: MIT

/** Large files: .gltf of a million nodes, by name, as in files.mjs. */

const MILLION = 1_000_000;
/** As in lib/bake/rows/skin-rig.ts. */
const MAX_NODES = 65_536;

const SHAPES = {
    chain: (i, count) => (i + 1 < count ? [i + 1] : []),
    star: (i, count) => (i === 0 ? Array.from({ length: count - 1 }, (_, k) => k + 1) : []),
    binary: (i, count) => [2 * i + 1, 2 * i + 2].filter((child) => child < count),
};
const several = (count) => [0, count >> 2, count >> 1, count - 1];
const last = (count) => [count - 1];
const all = (count) => Array.from({ length: count }, (_, i) => i);

/** @param w The w of all rotations; 0.8 makes them unit. Without it nodes have only children. */
function hierarchy(shape, count, joints, w) {
    const nodes = Array.from({ length: count }, (_, i) => {
        const children = SHAPES[shape](i, count);
        const own = `"translation":[0.${i % 997},0.0000125,0.5],"rotation":[0,0,0.6,${w}],"scale":[1,1,1]`;
        const parts = children.length > 0 ? [`"children":[${children}]`] : [];
        return `{${[...parts, ...(w === undefined ? [] : [`"name":"node${i}",${own}`])]}}`;
    });
    const keys = Buffer.from(Float32Array.of(0, 1, 0, 0, 0, 0, 1, 0).buffer).toString('base64');
    const rest = {
        asset: { version: '2.0' },
        skins: [{ joints: joints(count) }],
        animations: [
            {
                channels: [{ sampler: 0, target: { node: count - 1, path: 'translation' } }],
                samplers: [{ input: 0, output: 1 }],
            },
        ],
        buffers: [{ byteLength: 32, uri: `data:;base64,${keys}` }],
        bufferViews: [
            { buffer: 0, byteLength: 8 },
            { buffer: 0, byteOffset: 8, byteLength: 24 },
        ],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
            { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
        ],
    };
    return { gltf: `{"nodes":[${nodes}],${JSON.stringify(rest).slice(1)}` };
}

export const HIERARCHIES = {
    'chain-bare': () => hierarchy('chain', MILLION, last),
    chain: () => hierarchy('chain', MILLION, last, 0.8),
    'chain-several': () => hierarchy('chain', MILLION, several, 0.8),
    star: () => hierarchy('star', MILLION, last, 0.8),
    'star-warned': () => hierarchy('star', MILLION, last, 0.9),
    'star-all': () => hierarchy('star', MILLION, all, 0.8),
    binary: () => hierarchy('binary', MILLION, several, 0.8),
    'chain-at-limit': () => hierarchy('chain', MAX_NODES, several, 0.8),
    'star-at-limit': () => hierarchy('star', MAX_NODES, all, 0.8),
};
