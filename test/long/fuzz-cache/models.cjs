// SPDX-License-Identifier: MIT
'use strict';

/** The text of a `.gltf` file with two joints, skins in which their order alternates, and clips that move one joint. */
function modelOf({ clips, skins = 1, keys = 2 }) {
    const times = Float32Array.from({ length: keys }, (_, i) => i / 8);
    const places = Float32Array.from({ length: keys * 3 }, (_, i) => (i % 3 === 1 ? ((i * i) % 7) / 8 : 0));
    const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const [joints, weights] = [new Uint8Array(12), new Float32Array(12)];
    for (const i of [0, 1, 2]) [joints[i * 4], weights[i * 4]] = [i % 2, 1];
    const lists = [times, places, corners, joints, weights].map((list) => Buffer.from(list.buffer));
    let length = 0;
    const bufferViews = lists.map(({ byteLength }) => {
        const byteOffset = length;
        length += byteLength;
        return { buffer: 0, byteOffset, byteLength };
    });
    const accessor = (bufferView, componentType, count, type, more = {}) => {
        return { bufferView, componentType, count, type, ...more };
    };
    return JSON.stringify({
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0, ...Array.from({ length: skins }, (_, i) => 2 + i)] }],
        nodes: [
            { name: 'hip', children: [1] },
            { name: 'knee' },
            ...Array.from({ length: skins }, (_, skin) => ({ name: `mesh ${skin}`, mesh: 0, skin })),
        ],
        meshes: [{ primitives: [{ attributes: { POSITION: 2, JOINTS_0: 3, WEIGHTS_0: 4 } }] }],
        skins: Array.from({ length: skins }, (_, i) => ({ joints: i % 2 ? [1, 0] : [0, 1] })),
        animations: clips.map((name) => ({
            name,
            samplers: [{ input: 0, output: 1 }],
            channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
        })),
        buffers: [
            {
                byteLength: length,
                uri: `data:application/octet-stream;base64,${Buffer.concat(lists).toString('base64')}`,
            },
        ],
        bufferViews,
        accessors: [
            accessor(0, 5126, keys, 'SCALAR', { min: [0], max: [times[keys - 1]] }),
            accessor(1, 5126, keys, 'VEC3'),
            accessor(2, 5126, 3, 'VEC3', { min: [0, 0, 0], max: [1, 1, 0] }),
            accessor(3, 5121, 3, 'VEC4'),
            accessor(4, 5126, 3, 'VEC4'),
        ],
    });
}

module.exports = { modelOf };
