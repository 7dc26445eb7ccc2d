// SPDX-License-Identifier: MIT

interface Small {
    /** Names of the animations; each moves joint 1 up. Default: Walk and Run. */
    clips?: string[];
    /** Number of skins, which alternate between the same two joints. Default 1. */
    skins?: number;
    /** Duration of each animation in seconds. Default 1. */
    duration?: number;
    /** Distance that joint 1 moves. Default 1. */
    up?: number;
    /** Name of the buffer file, {@link smallBytes}; without it the buffer is in a data URI. */
    buffer?: string;
}

/** Two key times, then two translations. */
export function smallBytes({ duration = 1, up = 1 }: Small = {}): Buffer {
    return Buffer.from(Float32Array.of(0, duration, 0, 0, 0, 0, up, 0).buffer);
}

/** The text of a `.gltf` file, its buffer in a data URI. */
export function smallGltf(small: Small = {}): string {
    const { clips = ['Walk', 'Run'], skins = 1, buffer } = small;
    const bytes = smallBytes(small);
    return JSON.stringify({
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ name: 'hip', children: [1] }, { name: 'knee' }],
        ...(skins > 0 ? { skins: Array.from({ length: skins }, (_, i) => ({ joints: i % 2 ? [1, 0] : [0, 1] })) } : {}),
        ...(clips.length > 0
            ? {
                  animations: clips.map((name) => ({
                      name,
                      samplers: [{ input: 0, output: 1 }],
                      channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
                  })),
              }
            : {}),
        buffers: [
            {
                byteLength: bytes.length,
                uri: buffer ?? `data:application/octet-stream;base64,${bytes.toString('base64')}`,
            },
        ],
        bufferViews: [
            { buffer: 0, byteLength: 8 },
            { buffer: 0, byteOffset: 8, byteLength: 24 },
        ],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [bytes.readFloatLE(4)] },
            { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
        ],
    });
}

/** The same as `.glb`, with its buffer still in a data URI. */
export function smallGlb(small?: Small): Buffer {
    const text = smallGltf(small);
    const json = Buffer.from(text + ' '.repeat(-Buffer.byteLength(text) & 3));
    const head = Buffer.alloc(20);
    for (const [i, value] of [0x46546c67, 2, 20 + json.length, json.length, 0x4e4f534a].entries()) {
        head.writeUInt32LE(value, i * 4);
    }
    return Buffer.concat([head, json]);
}
