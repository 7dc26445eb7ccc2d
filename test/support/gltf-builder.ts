// SPDX-License-Identifier: MIT
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NodeSpec {
    name?: string;
    children?: number[];
    matrix?: number[];
    translation?: number[];
    rotation?: number[];
    scale?: number[];
    mesh?: number;
    skin?: number;
    weights?: number[];
}

/** How an accessor lies in its buffer; plain floats unless said. */
export interface Storage {
    /** Integers are stored normalised. */
    component?: 'float' | 'byte' | 'ubyte' | 'short' | 'ushort';
    /** Bytes from one element to the next. */
    stride?: number;
    /** `zeros`: no buffer view below the sparse elements; `over`: a view with wrong values that they replace. */
    sparse?: 'zeros' | 'over';
}

export interface ChannelSpec {
    node: number;
    path: 'translation' | 'rotation' | 'scale' | 'weights';
    /** Whether the target is a KHR_animation_pointer, or what it points to instead. */
    pointer?: true | string;
    times: readonly number[];
    /** One element a key; CUBICSPLINE: in-tangent, value, out-tangent. Of weights a number for each morph target. */
    values: readonly (readonly number[])[];
    interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
    storage?: Storage;
}

/** A channel with LINEAR keys, one value for each time. */
export function keyed(
    node: number,
    path: ChannelSpec['path'],
    times: readonly number[],
    ...values: readonly (readonly number[])[]
): ChannelSpec {
    return { node, path, times, values };
}

const POINTER = 'KHR_animation_pointer';

const COMPONENT = {
    float: { type: 5126, bytes: 4, scale: 1 },
    byte: { type: 5120, bytes: 1, scale: 127 },
    ubyte: { type: 5121, bytes: 1, scale: 255 },
    short: { type: 5122, bytes: 2, scale: 32767 },
    ushort: { type: 5123, bytes: 2, scale: 65535 },
} as const;

/** Small glTF files for tests, with everything in one data URI. Nodes are given as in the file. */
export class GltfBuilder {
    private readonly json = {
        asset: { version: '2.0' },
        extensionsUsed: [] as string[],
        accessors: [] as Record<string, unknown>[],
        bufferViews: [] as Record<string, unknown>[],
        skins: [] as Record<string, unknown>[],
        meshes: [] as Record<string, unknown>[],
        animations: [] as Record<string, unknown>[],
    };
    private readonly bytes: number[] = [];

    constructor(readonly nodes: NodeSpec[]) {}

    skin(
        joints: number[],
        { inverseBindMatrices, skeleton }: { inverseBindMatrices?: number[][]; skeleton?: number } = {},
    ) {
        const skin: Record<string, unknown> = { joints };
        if (inverseBindMatrices !== undefined) skin.inverseBindMatrices = this.accessor('MAT4', inverseBindMatrices);
        if (skeleton !== undefined) skin.skeleton = skeleton;
        return this.json.skins.push(skin) - 1;
    }

    /**
     * Gives a node a mesh bound to the skin: one triangle a joint, near that joint's bind-space origin; and as many morph
     * targets as `morphs` has weights.
     */
    skinnedMesh(skin: number, node: NodeSpec = {}, morphs: readonly number[] = []): number {
        const joints = (this.json.skins[skin]!.joints as number[]).map((_, slot) => slot);
        const triangle = [
            [0.5, 0, 0],
            [0, 0.5, -0.25],
            [-0.25, 0, 0.5],
        ];
        const each = <T>(of: (slot: number, corner: number[]) => T): T[] =>
            joints.flatMap((slot) => triangle.map((corner) => of(slot, corner)));
        const attributes = {
            POSITION: this.accessor(
                'VEC3',
                each((_, corner) => corner),
                {},
                true,
            ),
            JOINTS_0: this.integers(each((slot) => [slot, 0, 0, 0])),
            WEIGHTS_0: this.accessor(
                'VEC4',
                each(() => [1, 0, 0, 0]),
            ),
        };
        const targets = morphs.map((_, target) => ({
            POSITION: this.accessor(
                'VEC3',
                each((slot, corner) => corner.map((x, c) => x * (target - 1) + (c === slot % 3 ? 0.25 : 0))),
                {},
                true,
            ),
        }));
        const morphing = morphs.length === 0 ? {} : { targets };
        const weights = morphs.length === 0 ? {} : { weights: morphs };
        const mesh = this.json.meshes.push({ primitives: [{ attributes, ...morphing }], ...weights }) - 1;
        return this.nodes.push({ ...node, mesh, skin }) - 1;
    }

    /**
     * A mesh of these vertices that no skin moves, for nodes to have; with as many morph targets as `morphs` has weights, which
     * displace each vertex by itself or by what `displacements` has.
     */
    rigidMesh(
        vertices: readonly number[][],
        morphs: readonly number[] = [],
        displacements: readonly (readonly number[][])[] = morphs.map(() => vertices),
        storage: Storage = {},
    ): number {
        const POSITION = this.accessor('VEC3', vertices, {}, true);
        const targets = displacements.map((own) => ({ POSITION: this.accessor('VEC3', own, storage, true) }));
        const morphing = morphs.length === 0 ? {} : { targets };
        const weights = morphs.length === 0 ? {} : { weights: morphs };
        return this.json.meshes.push({ primitives: [{ attributes: { POSITION }, ...morphing }], ...weights }) - 1;
    }

    /** Gives a node a mesh of these vertices, bound to the skin; each with four joints and weights. */
    vertices(skin: number, vertices: readonly { at: number[]; joints: number[]; weights: number[] }[]): number {
        const POSITION = this.accessor(
            'VEC3',
            vertices.map(({ at }) => at),
            {},
            true,
        );
        const JOINTS_0 = this.integers(vertices.map(({ joints }) => joints));
        const WEIGHTS_0 = this.accessor(
            'VEC4',
            vertices.map(({ weights }) => weights),
        );
        const mesh = this.json.meshes.push({ primitives: [{ attributes: { POSITION, JOINTS_0, WEIGHTS_0 } }] }) - 1;
        return this.nodes.push({ mesh, skin }) - 1;
    }

    animation(name: string | undefined, channels: readonly ChannelSpec[]): this {
        const samplers = channels.map(({ path, times, values, interpolation, storage }) => ({
            input: this.accessor(
                'SCALAR',
                times.map((time) => [time]),
                {},
                true,
            ),
            output:
                path === 'weights'
                    ? this.accessor(
                          'SCALAR',
                          values.flat().map((x) => [x]),
                          storage,
                      )
                    : this.accessor(values[0]!.length === 3 ? 'VEC3' : 'VEC4', values, storage),
            ...(interpolation === undefined ? {} : { interpolation }),
        }));
        const targets = channels.map(({ node, path, pointer }, sampler) => {
            if (pointer === undefined) return { sampler, target: { node, path } };
            if (!this.json.extensionsUsed.includes(POINTER)) this.json.extensionsUsed.push(POINTER);
            const to = pointer === true ? `/nodes/${node}/${path}` : pointer;
            return { sampler, target: { path: 'pointer', extensions: { [POINTER]: { pointer: to } } } };
        });
        this.json.animations.push({ ...(name === undefined ? {} : { name }), channels: targets, samplers });
        return this;
    }

    /** Writes `<folder>/<name>.gltf` and returns its path. */
    write(folder: string, name: string): string {
        const children = new Set(this.nodes.flatMap((node) => node.children ?? []));
        const roots = this.nodes.flatMap((_, index) => (children.has(index) ? [] : [index]));
        const uri = `data:application/octet-stream;base64,${Buffer.from(this.bytes).toString('base64')}`;
        const filled = Object.entries(this.json).filter(([, value]) => !Array.isArray(value) || value.length > 0);
        const json = {
            ...Object.fromEntries(filled),
            nodes: this.nodes,
            scene: 0,
            scenes: [{ nodes: roots }],
            buffers: [{ byteLength: this.bytes.length, uri }],
        };
        const path = join(folder, `${name}.gltf`);
        writeFileSync(path, JSON.stringify(json));
        return path;
    }

    private accessor(
        type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4',
        elements: readonly (readonly number[])[],
        { component = 'float', stride, sparse }: Storage = {},
        bounds = false,
    ): number {
        const width = elements[0]!.length;
        const { type: componentType, bytes, scale } = COMPONENT[component];
        const accessor: Record<string, unknown> = { componentType, type, count: elements.length };
        if (component !== 'float') accessor.normalized = true;
        const stored = elements.map((element) =>
            element.map((x) => (component === 'float' ? Math.fround(x) : Math.round(x * scale))),
        );
        const view = (rows: readonly (readonly number[])[], step: number): number =>
            this.view(rows.length * step, step === width * bytes ? undefined : step, (data) => {
                for (const [row, element] of rows.entries()) {
                    for (const [c, x] of element.entries()) put(data, row * step + c * bytes, component, x);
                }
            });
        if (sparse === undefined) {
            accessor.bufferView = view(stored, stride ?? width * bytes);
        } else {
            // Every element that is not 0 is a sparse one.
            const which = stored.flatMap((element, index) => (element.some((x) => x !== 0) ? [index] : []));
            if (sparse === 'over') {
                const wrong = stored.map((element, index) => (which.includes(index) ? element.map(() => 1) : element));
                accessor.bufferView = view(wrong, width * bytes);
            }
            const indices = this.view(which.length * 2, undefined, (data) => {
                for (const [k, index] of which.entries()) data.setUint16(k * 2, index, true);
            });
            const values = view(
                which.map((index) => stored[index]!),
                width * bytes,
            );
            accessor.sparse = {
                count: which.length,
                indices: { bufferView: indices, componentType: 5123 },
                values: { bufferView: values },
            };
        }
        if (bounds) {
            accessor.min = stored[0]!.map((_, c) => Math.min(...stored.map((element) => element[c]!)));
            accessor.max = stored[0]!.map((_, c) => Math.max(...stored.map((element) => element[c]!)));
        }
        return this.json.accessors.push(accessor) - 1;
    }

    private integers(elements: readonly (readonly number[])[]): number {
        const bufferView = this.view(elements.length * 4, undefined, (data) => {
            for (const [k, x] of elements.flat().entries()) data.setUint8(k, x);
        });
        const accessor = { bufferView, componentType: 5121, type: 'VEC4', count: elements.length };
        return this.json.accessors.push(accessor) - 1;
    }

    private view(byteLength: number, byteStride: number | undefined, fill: (data: DataView) => void): number {
        while (this.bytes.length % 4 !== 0) this.bytes.push(0);
        const data = new DataView(new ArrayBuffer(byteLength));
        fill(data);
        const view = { buffer: 0, byteOffset: this.bytes.length, byteLength };
        this.bytes.push(...new Uint8Array(data.buffer));
        return this.json.bufferViews.push(byteStride === undefined ? view : { ...view, byteStride }) - 1;
    }
}

function put(data: DataView, at: number, component: NonNullable<Storage['component']>, x: number): void {
    if (component === 'float') data.setFloat32(at, x, true);
    else if (component === 'byte') data.setInt8(at, x);
    else if (component === 'ubyte') data.setUint8(at, x);
    else if (component === 'short') data.setInt16(at, x, true);
    else data.setUint16(at, x, true);
}
