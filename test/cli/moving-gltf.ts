// SPDX-License-Identifier: MIT

interface Moving {
    /** Names of the animations. Default: Walk and Run. */
    readonly clips?: readonly string[];
    /** Number of keys in each, a 30th of a second apart. Default 61. */
    readonly keys?: number;
    /** Name of the buffer file, which the caller writes; without it the buffer is in a data URI. */
    readonly buffer?: string;
}

/** A `.gltf` with a triangle that moves along a line and swings, and the bytes of its buffer. */
export function movingGltf({ clips = ['Walk', 'Run'], keys = 61, buffer }: Moving = {}): {
    readonly text: string;
    readonly bytes: Buffer;
} {
    const times = Float32Array.from({ length: keys }, (_, i) => i / 30);
    const steps = Float32Array.from({ length: keys * 3 }, (_, i) => (i % 3 === 0 ? i / 3 / 30 : 0));
    const swing = Float32Array.from({ length: keys * 4 }, (_, i) => {
        const half = Math.sin((Math.floor(i / 4) / 30) * 4) / 4;
        return [Math.sin(half), 0, 0, Math.cos(half)][i % 4]!;
    });
    const triangle = Float32Array.of(0, 0, 0, 0.5, 0, 0, 0, 1, 0);
    const arrays = [triangle, times, steps, swing];
    const bytes = Buffer.concat(arrays.map(({ buffer }) => Buffer.from(buffer as ArrayBuffer)));
    const offsets = arrays.map((_, i) => arrays.slice(0, i).reduce((sum, { byteLength }) => sum + byteLength, 0));
    const floats = { componentType: 5126 };
    const json = {
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [
            { name: 'Body', children: [1] },
            { name: 'Hand', mesh: 0 },
        ],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        ...(clips.length === 0
            ? {}
            : {
                  animations: clips.map((name) => ({
                      name,
                      samplers: [
                          { input: 1, output: 2 },
                          { input: 1, output: 3 },
                      ],
                      channels: [
                          { sampler: 0, target: { node: 0, path: 'translation' } },
                          { sampler: 1, target: { node: 1, path: 'rotation' } },
                      ],
                  })),
              }),
        buffers: [
            {
                byteLength: bytes.length,
                uri: buffer ?? `data:application/octet-stream;base64,${bytes.toString('base64')}`,
            },
        ],
        bufferViews: arrays.map(({ byteLength }, i) => ({ buffer: 0, byteOffset: offsets[i]!, byteLength })),
        accessors: [
            { ...floats, bufferView: 0, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0.5, 1, 0] },
            { ...floats, bufferView: 1, count: keys, type: 'SCALAR', min: [0], max: [times[keys - 1]!] },
            { ...floats, bufferView: 2, count: keys, type: 'VEC3' },
            { ...floats, bufferView: 3, count: keys, type: 'VEC4' },
        ],
    };
    return { text: JSON.stringify(json), bytes };
}
