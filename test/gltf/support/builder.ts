// SPDX-License-Identifier: MIT

/** The JSON under construction. It is not typed, because tests make it invalid in many ways. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type LooseJson = any;

export type Numbers = Float32Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array;

const COMPONENT_TYPES = new Map<unknown, number>([
    [Int8Array, 5120],
    [Uint8Array, 5121],
    [Int16Array, 5122],
    [Uint16Array, 5123],
    [Uint32Array, 5125],
    [Float32Array, 5126],
]);

const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export const asBytes = (data: Numbers) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** Builds a small glTF with one buffer. Callers can change `json` before they get the file's bytes. */
export class GltfBuilder {
    readonly json: LooseJson = {
        asset: { version: '2.0' },
        buffers: [{}],
        bufferViews: [],
        accessors: [],
        meshes: [],
        nodes: [],
        skins: [],
        animations: [],
    };
    private data: Uint8Array = new Uint8Array(0);

    /** Appends bytes on a 4-byte boundary and returns their offset. */
    append(bytes: Uint8Array): number {
        const offset = Math.ceil(this.data.length / 4) * 4;
        const grown = new Uint8Array(offset + bytes.length);
        grown.set(this.data);
        grown.set(bytes, offset);
        this.data = grown;
        this.json.buffers[0].byteLength = grown.length;
        return offset;
    }

    /** A buffer view of new bytes; returns its index. */
    view(data: Numbers, extra: LooseJson = {}): number {
        const byteOffset = this.append(asBytes(data));
        return this.json.bufferViews.push({ buffer: 0, byteOffset, byteLength: data.byteLength, ...extra }) - 1;
    }

    /** An accessor with its own buffer view; returns its index. */
    accessor(data: Numbers, type: string, extra: LooseJson = {}): number {
        const count = data.length / WIDTHS[type]!;
        const componentType = COMPONENT_TYPES.get(data.constructor);
        return this.json.accessors.push({ bufferView: this.view(data), componentType, type, count, ...extra }) - 1;
    }

    /** The buffer's bytes. */
    bin(): Uint8Array {
        return this.data;
    }

    toGlb(): Uint8Array {
        return glb([
            [0x4e4f534a, pad(new TextEncoder().encode(JSON.stringify(this.json)), 0x20)],
            [0x004e4942, pad(this.data, 0)],
        ]);
    }

    /** A `.gltf` with the buffer at `uri`, or embedded. */
    toGltf(uri = `data:application/octet-stream;base64,${Buffer.from(this.data).toString('base64')}`): Uint8Array {
        const [first, ...others] = this.json.buffers;
        return new TextEncoder().encode(JSON.stringify({ ...this.json, buffers: [{ uri, ...first }, ...others] }));
    }
}

export function pad(bytes: Uint8Array, filler: number): Uint8Array {
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler);
    padded.set(bytes);
    return padded;
}

/** A GLB file of any chunks (type, data). */
export function glb(chunks: readonly (readonly [type: number, data: Uint8Array])[]): Uint8Array {
    const length = chunks.reduce((sum, [, data]) => sum + 8 + data.length, 12);
    const bytes = new Uint8Array(length);
    const view = new DataView(bytes.buffer);
    for (const [i, value] of [0x46546c67, 2, length].entries()) view.setUint32(i * 4, value, true);
    let offset = 12;
    for (const [type, data] of chunks) {
        view.setUint32(offset, data.length, true);
        view.setUint32(offset + 4, type, true);
        bytes.set(data, offset + 8);
        offset += 8 + data.length;
    }
    return bytes;
}

/** Indexes in {@link skinnedModel}. */
export const MODEL = {
    root: 0,
    hip: 1,
    knee: 2,
    body: 3,
    inverseBind: 0,
    position: 1,
    joints: 2,
    weights: 3,
    times: 4,
    rotations: 5,
    stepTimes: 6,
    translations: 7,
} as const;

/** Translation by `y`, column-major. */
export const lift = (y: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];

export const HALF = Math.fround(Math.SQRT1_2);

/**
 * The smallest complete model: root > (hip > knee, body). The skin has the joints hip and knee; the body has
 * three vertices; the clip turns the knee (LINEAR, three keys) and moves the hip (STEP, two keys).
 */
export function skinnedModel(): GltfBuilder {
    const builder = new GltfBuilder();
    const { json } = builder;
    json.nodes.push(
        { name: 'root', children: [1, 3] },
        { name: 'hip', children: [2] },
        { name: 'knee', translation: [0, 1, 0] },
        { name: 'body', mesh: 0, skin: 0 },
    );
    const inverseBindMatrices = builder.accessor(new Float32Array([...lift(0), ...lift(-1)]), 'MAT4');
    json.skins.push({ name: 'legs', joints: [1, 2], inverseBindMatrices });
    const POSITION = builder.accessor(new Float32Array([0, 0, 0, 0, 1, 0, 0.5, 2, 0]), 'VEC3');
    const JOINTS_0 = builder.accessor(new Uint8Array([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), 'VEC4');
    const WEIGHTS_0 = builder.accessor(new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]), 'VEC4');
    json.meshes.push({ primitives: [{ attributes: { POSITION, JOINTS_0, WEIGHTS_0 } }] });
    const times = builder.accessor(new Float32Array([0, 0.5, 1]), 'SCALAR');
    const turns = builder.accessor(new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]), 'VEC4');
    const stepTimes = builder.accessor(new Float32Array([0.25, 0.75]), 'SCALAR');
    const steps = builder.accessor(new Float32Array([0, 0, 0, 0, 2, 0]), 'VEC3');
    json.animations.push({
        name: 'wave',
        samplers: [
            { input: times, output: turns },
            { input: stepTimes, output: steps, interpolation: 'STEP' },
        ],
        channels: [
            { sampler: 0, target: { node: 2, path: 'rotation' } },
            { sampler: 1, target: { node: 1, path: 'translation' } },
        ],
    });
    return builder;
}

/** The animation's samplers and channels, which most tests change. */
export const clip = (builder: GltfBuilder): LooseJson => builder.json.animations[0];

/** Makes one sampler of {@link skinnedModel} read other data. */
export function setOutput(builder: GltfBuilder, data: Numbers, type: string, extra: LooseJson = {}): void {
    clip(builder).samplers[0].output = builder.accessor(data, type, extra);
}
