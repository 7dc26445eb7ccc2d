// SPDX-License-Identifier: MIT

import { InputError } from '../base/errors';
import type { ManifestRescaled } from '../format/manifest';

/** A glTF file as the evaluator gets it. The evaluator applies the specification's rules to the values. */
export interface GltfFile {
    /** Path given by the caller. */
    readonly path: string;
    /** Checked: types, indices and counts are valid, and the nodes are trees. */
    readonly json: GltfJson;
    /** In the order of the JSON; null for a buffer without data. */
    readonly buffers: readonly (Uint8Array | null)[];
    /** In hex, as in manifests: over the JSON as stored in the file, then every buffer with data. */
    readonly sha256: string;
    /** The evaluated accessors, by index: all elements, tightly packed. Integers are normalized if the file says so. */
    readonly numbers: ReadonlyMap<number, Float64Array>;
    /** Maximum number of values that may be read from the file. */
    readonly maxNumbers: number;
    /** Errors of clips that cannot be evaluated, by animation number. These have no channels. */
    readonly faults: ReadonlyMap<number, InputError>;
    /** How many animations, at the end of the list, come from other files. */
    readonly taken?: number;
    /** The clips that were retargeted from another skeleton. */
    readonly retargeted?: readonly Retargeted[];
}

/** A clip that was retargeted. */
export interface Retargeted {
    /** Number of the clip here. */
    readonly animation: number;
    readonly source: GltfFile;
    /** Number of the clip there. */
    readonly from: number;
    /** Joints by role: there, and here. */
    readonly pairs: ReadonlyMap<string, readonly [source: number, target: number]>;
}

/** The parts of a glTF's JSON that evaluation needs, named as in the specification. */
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
    readonly mode?: number;
    readonly attributes: Readonly<Record<string, number>>;
    readonly targets?: readonly Readonly<Record<string, number>>[];
}

export interface GltfAnimation {
    readonly name?: unknown;
    readonly extras?: unknown;
    readonly channels?: readonly { readonly sampler: number; readonly target: GltfTarget }[];
    readonly samplers?: readonly { readonly input: number; readonly output: number; readonly interpolation?: string }[];
}

export interface GltfTarget {
    readonly node?: number;
    readonly path: string;
    readonly extensions?: { readonly KHR_animation_pointer?: { readonly pointer: string } };
}

/** `skin.rescaled` of the manifest. */
export type Rescaled = ManifestRescaled;

/** The columns of a palette. */
export interface Columns {
    /** Skins of the input with the same joints and inverse binds. Empty without a skin. */
    readonly skins: readonly number[];
    /** Further skins whose vertices share the palette after a scale and a translation. */
    readonly rescaled: readonly Rescaled[];
    /** Node of each column: joints in the file's order, then attachments by node. */
    readonly nodes: readonly number[];
    /** Number of joints. */
    readonly joints: number;
    /** `nodes.length * 16`; identities for attachments. */
    readonly binds: Float64Array;
}

/** Stops the verification because the input breaks `rule` at `pointer`. */
export function refuse(file: string, pointer: string, rule: string): never {
    throw new InputError('GLTF_INVALID', file, pointer, rule);
}

/** The name; empty if the file has none or one that is not a string. */
export function nameOf(named: { readonly name?: unknown } | undefined): string {
    return typeof named?.name === 'string' ? named.name : '';
}
