// SPDX-License-Identifier: MIT
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GltfBuilder as FileBuilder } from '../gltf/support/builder';

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
    extras?: unknown;
}

/** How an accessor is stored; plain floats by default. */
export interface Storage {
    /** Integers are normalized. */
    component?: 'float' | 'byte' | 'ubyte' | 'short' | 'ushort';
    /** Bytes from one element to the next. */
    stride?: number;
    /** `zeros`: no buffer view below the sparse elements; `over`: a view with wrong values that they replace. */
    sparse?: 'zeros' | 'over';
}

export interface ChannelSpec {
    node: number;
    path: 'translation' | 'rotation' | 'scale' | 'weights';
    /** Whether the target is a KHR_animation_pointer; a string replaces its pointer. */
    pointer?: true | string;
    times: readonly number[];
    /** One element a key; CUBICSPLINE: in-tangent, value, out-tangent. Weights: a number for each morph target. */
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
    float: { type: 5126, List: Float32Array, scale: 1 },
    byte: { type: 5120, List: Int8Array, scale: 127 },
    ubyte: { type: 5121, List: Uint8Array, scale: 255 },
    short: { type: 5122, List: Int16Array, scale: 32767 },
    ushort: { type: 5123, List: Uint16Array, scale: 65535 },
} as const;

type Rows = readonly (readonly number[])[];

/** Small glTF files for tests, with everything in one data URI. Nodes are given as in the file. */
export class GltfBuilder {
    readonly file = new FileBuilder();

    constructor(readonly nodes: NodeSpec[]) {}

    skin(
        joints: number[],
        {
            inverseBindMatrices,
            ...others
        }: { inverseBindMatrices?: number[][]; skeleton?: number; extras?: unknown } = {},
    ): number {
        const binds = inverseBindMatrices && { inverseBindMatrices: this.accessor('MAT4', inverseBindMatrices) };
        return this.file.json.skins.push({ joints, ...binds, ...others }) - 1;
    }

    /**
     * Gives a node a mesh bound to the skin: one triangle a joint, near that joint's bind-space origin; and as many morph
     * targets as `morphs` has weights.
     */
    skinnedMesh(skin: number, node: NodeSpec = {}, morphs: readonly number[] = []): number {
        const triangle = [
            [0.5, 0, 0],
            [0, 0.5, -0.25],
            [-0.25, 0, 0.5],
        ];
        const joints: number[] = this.file.json.skins[skin].joints;
        const corners = joints.flatMap((_, slot) => triangle.map((corner) => ({ slot, corner })));
        const attributes = this.influences(
            corners.map(({ slot, corner }) => ({ at: corner, joints: [slot, 0, 0, 0], weights: [1, 0, 0, 0] })),
        );
        const displacements = morphs.map((_, target) =>
            corners.map(({ slot, corner }) => corner.map((x, c) => x * (target - 1) + (c === slot % 3 ? 0.25 : 0))),
        );
        return this.nodes.push({ ...node, mesh: this.mesh(attributes, morphs, displacements), skin }) - 1;
    }

    /**
     * A mesh of these vertices that no skin moves, for nodes to have; with as many morph targets as `morphs` has weights, which
     * displace each vertex by itself or by what `displacements` has.
     */
    rigidMesh(
        vertices: Rows,
        morphs: readonly number[] = [],
        displacements: readonly Rows[] = morphs.map(() => vertices),
        storage: Storage = {},
    ): number {
        return this.mesh({ POSITION: this.accessor('VEC3', vertices, {}, true) }, morphs, displacements, storage);
    }

    /**
     * Gives a node a mesh of these vertices, bound to the skin; each with four joints and weights. Morph targets as in
     * `rigidMesh`.
     */
    vertices(
        skin: number,
        vertices: readonly { at: number[]; joints: number[]; weights: number[] }[],
        morphs: readonly number[] = [],
        displacements: readonly Rows[] = [],
    ): number {
        return this.nodes.push({ mesh: this.mesh(this.influences(vertices), morphs, displacements), skin }) - 1;
    }

    animation(name: string | undefined, channels: readonly ChannelSpec[], others: { extras?: unknown } = {}): this {
        const { json } = this.file;
        const samplers = channels.map(({ path, times, values, interpolation, storage }) => {
            const rows = path === 'weights' ? values.flat().map((x) => [x]) : values;
            const type = ({ 1: 'SCALAR', 3: 'VEC3', 4: 'VEC4' } as const)[rows[0]!.length as 1 | 3 | 4];
            const keys = times.map((time) => [time]);
            return {
                input: this.accessor('SCALAR', keys, {}, true),
                output: this.accessor(type, rows, storage),
                ...(interpolation === undefined ? {} : { interpolation }),
            };
        });
        const targets = channels.map(({ node, path, pointer }, sampler) => {
            if (pointer === undefined) return { sampler, target: { node, path } };
            json.extensionsUsed = [POINTER];
            const to = pointer === true ? `/nodes/${node}/${path}` : pointer;
            return { sampler, target: { path: 'pointer', extensions: { [POINTER]: { pointer: to } } } };
        });
        json.animations.push({ ...(name === undefined ? {} : { name }), channels: targets, samplers, ...others });
        return this;
    }

    /** Writes `<folder>/<name>.gltf` and returns its path. */
    write(folder: string, name: string): string {
        const { json } = this.file;
        const children = new Set(this.nodes.flatMap((node) => node.children ?? []));
        const roots = this.nodes.flatMap((_, index) => (children.has(index) ? [] : [index]));
        Object.assign(json, { nodes: this.nodes, scene: 0, scenes: [{ nodes: roots }] });
        for (const [key, value] of Object.entries(json)) {
            if (Array.isArray(value) && value.length === 0 && key !== 'nodes') delete json[key];
        }
        const path = join(folder, `${name}.gltf`);
        writeFileSync(path, this.file.toGltf());
        return path;
    }

    private influences(vertices: readonly { at: number[]; joints: number[]; weights: number[] }[]) {
        const rows = (key: 'at' | 'joints' | 'weights') => vertices.map((vertex) => vertex[key]);
        return {
            POSITION: this.accessor('VEC3', rows('at'), {}, true),
            JOINTS_0: this.file.accessor(Uint8Array.from(rows('joints').flat()), 'VEC4'),
            WEIGHTS_0: this.accessor('VEC4', rows('weights')),
        };
    }

    private mesh(
        attributes: object,
        weights: readonly number[] = [],
        displacements: readonly Rows[] = [],
        storage: Storage = {},
    ): number {
        const targets = displacements.map((rows) => ({ POSITION: this.accessor('VEC3', rows, storage, true) }));
        const primitive = { attributes, ...(weights.length === 0 ? {} : { targets }) };
        return (
            this.file.json.meshes.push({ primitives: [primitive], ...(weights.length === 0 ? {} : { weights }) }) - 1
        );
    }

    private accessor(
        type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4',
        elements: Rows,
        { component = 'float', stride, sparse }: Storage = {},
        bounds = false,
    ): number {
        const width = elements[0]!.length;
        const { type: componentType, List, scale } = COMPONENT[component];
        const listOf = (rows: Rows, step = width) => {
            const list = new List(rows.length * step);
            const stored = (x: number) => (component === 'float' ? x : Math.round(x * scale));
            for (const [i, row] of rows.entries()) list.set(row.map(stored), i * step);
            return list;
        };
        const accessor: Record<string, unknown> = { componentType, type, count: elements.length };
        if (component !== 'float') accessor.normalized = true;
        if (bounds) {
            const all = elements.map((element) => [...listOf([element])]);
            for (const side of ['min', 'max'] as const) {
                accessor[side] = all[0]!.map((_, c) => Math[side](...all.map((element) => element[c]!)));
            }
        }
        if (sparse === undefined) {
            const step = stride === undefined ? width : stride / List.BYTES_PER_ELEMENT;
            accessor.bufferView = this.file.view(
                listOf(elements, step),
                stride === undefined ? {} : { byteStride: stride },
            );
        } else {
            // Every element that is not 0 is a sparse one.
            const which = [...elements.keys()].filter((i) => listOf([elements[i]!]).some((x) => x !== 0));
            if (sparse === 'over') {
                const wrong = elements.map((element, i) =>
                    which.includes(i) ? element.map(() => 1 / scale) : element,
                );
                accessor.bufferView = this.file.view(listOf(wrong));
            }
            accessor.sparse = {
                count: which.length,
                indices: { bufferView: this.file.view(Uint16Array.from(which)), componentType: 5123 },
                values: { bufferView: this.file.view(listOf(which.map((i) => elements[i]!))) },
            };
        }
        return this.file.json.accessors.push(accessor) - 1;
    }
}
