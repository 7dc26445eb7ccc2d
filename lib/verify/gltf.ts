// SPDX-License-Identifier: MIT

import { InputError } from '../base/errors';

/** A glTF file as the evaluator gets it. The evaluator itself applies the rules of the specification to its values. */
export interface GltfFile {
    /** As the caller named it. */
    readonly path: string;
    /** Checked: types, indices and counts are right, and the nodes are trees. */
    readonly json: GltfJson;
    /** In the order of the JSON; null for one without data. */
    readonly buffers: readonly (Uint8Array | null)[];
    /** In hex, as manifests state it: over the JSON as it stands in the file, then every buffer that has data. */
    readonly sha256: string;
    /** By index, the accessors that are evaluated: all elements, tightly packed, integers normalised where the file says so. */
    readonly numbers: ReadonlyMap<number, Float64Array>;
    /** The maximum of numbers that may be made of the file. */
    readonly maxNumbers: number;
    /** Why clips cannot be evaluated, by their numbers: they have no channels. */
    readonly faults: ReadonlyMap<number, InputError>;
    /** How many of the animations, the last ones, are those of other files. */
    readonly taken?: number;
}

/** The parts of a glTF's JSON that evaluating needs, as the specification writes them down. */
export interface GltfJson {
    readonly nodes?: readonly GltfNode[];
    readonly skins?: readonly GltfSkin[];
    readonly meshes?: readonly GltfMesh[];
    readonly animations?: readonly GltfAnimation[];
    readonly accessors?: readonly { readonly componentType: number; readonly normalized?: boolean }[];
    readonly bufferViews?: readonly {
        readonly buffer: number;
        readonly byteOffset?: number;
        readonly byteLength: number;
    }[];
    readonly images?: readonly { readonly uri?: unknown }[];
    readonly samplers?: readonly unknown[];
}

export interface GltfNode {
    readonly name?: unknown;
    readonly children?: readonly number[];
    readonly matrix?: readonly number[];
    readonly translation?: readonly number[];
    readonly rotation?: readonly number[];
    readonly scale?: readonly number[];
    readonly weights?: readonly number[];
    readonly mesh?: number;
    readonly skin?: number;
    readonly extensions?: {
        readonly EXT_mesh_gpu_instancing?: { readonly attributes: Readonly<Record<string, number>> };
    };
}

export interface GltfSkin {
    readonly joints: readonly number[];
    readonly inverseBindMatrices?: number;
}

export interface GltfMesh {
    readonly primitives?: readonly GltfPrimitive[];
    readonly weights?: readonly number[];
}

export interface GltfPrimitive {
    readonly attributes: Readonly<Record<string, number>>;
    readonly targets?: readonly Readonly<Record<string, number>>[];
}

export interface GltfAnimation {
    readonly name?: unknown;
    readonly channels?: readonly { readonly sampler: number; readonly target: GltfTarget }[];
    readonly samplers?: readonly { readonly input: number; readonly output: number; readonly interpolation?: string }[];
}

export interface GltfTarget {
    readonly node?: number;
    readonly path: string;
    readonly extensions?: { readonly KHR_animation_pointer?: { readonly pointer: string } };
}

/** What a row of the palette has a matrix for. */
export interface Columns {
    /** Skins of the input with the same joints and inverse binds; none where it has no skin. */
    readonly skins: readonly number[];
    /** Node of each column: joints in the file's order, then attachments by node. */
    readonly nodes: readonly number[];
    /** Joints. */
    readonly joints: number;
    /** `nodes.length * 16`; of attachments, identities. */
    readonly binds: Float64Array;
}

/** Stops the verification: the input breaks `rule` at `pointer`. */
export function refuse(file: string, pointer: string, rule: string): never {
    throw new InputError('GLTF_INVALID', file, pointer, rule);
}

/** The name; empty where the file has none, or has something that is not a string. */
export function nameOf(named: { readonly name?: unknown } | undefined): string {
    return typeof named?.name === 'string' ? named.name : '';
}
