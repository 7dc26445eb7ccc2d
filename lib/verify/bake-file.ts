// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../errors';

/** What of a manifest is looked at, as docs/format.md describes it. */
export interface BakeManifest {
    readonly format: string;
    readonly version: number;
    readonly source: { readonly name: string; readonly sha256: string };
    readonly recipe: {
        readonly fps: readonly [number, number];
        readonly end?: 'clamp' | 'fit';
        readonly space?: 'scene' | 'skin-root';
        readonly renormalize?: boolean;
        readonly from?: number;
        readonly to?: number;
        readonly maxError?: number;
        readonly [key: string]: unknown;
    };
    readonly binary: { readonly uri: string; readonly byteLength: number; readonly sha256: string };
    readonly extent?: number;
    readonly skin: {
        readonly index: number;
        readonly root?: number;
        readonly joints: readonly { readonly node: number; readonly name: string; readonly parent: number }[];
    };
    readonly clips: readonly BakeClip[];
    readonly arrays: Readonly<Record<string, BakeArray>>;
    readonly warnings?: readonly { readonly code: string; readonly pointer: string; readonly message: string }[];
}

export interface BakeClip {
    readonly name: string;
    readonly animation: number;
    readonly firstRow: number;
    readonly frameCount: number;
    readonly duration: number;
    readonly start?: number;
    readonly fps: number | null;
    readonly discontinuities: readonly number[];
    readonly bounds?: readonly number[];
}

export interface BakeArray {
    readonly byteOffset: number;
    readonly byteLength: number;
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly layout: string;
    /** `hit`: indices into `skin.joints`. */
    readonly joints?: readonly number[];
    /** `local` */
    readonly slots?: readonly {
        readonly node: number;
        readonly name: string;
        readonly parent: number;
        readonly matrix?: readonly number[];
    }[];
    /** `morph` */
    readonly meshes?: readonly {
        readonly node: number;
        readonly name: string;
        readonly first: number;
        readonly count: number;
    }[];
    /** `root`: the index of a joint. */
    readonly joint?: number;
}

export interface BakeFiles {
    readonly path: string;
    readonly manifest: BakeManifest;
    /** The manifest as it stands in the file. */
    readonly json: string;
    readonly bin: Buffer;
}

/**
 * Reads a manifest and its bin.
 *
 * @throws InputError `FILE_UNREADABLE`; `BAKE_INVALID` for what is no manifest of version 1.
 */
export async function readBake(path: string): Promise<BakeFiles> {
    const json = (await read(path, path, '')).toString('utf8');
    const refuse = (rule: string, pointer = '', cause?: unknown): never => {
        throw new InputError('BAKE_INVALID', path, pointer, rule, cause === undefined ? undefined : { cause });
    };
    let manifest: BakeManifest;
    try {
        manifest = JSON.parse(json);
    } catch (cause) {
        return refuse('not a manifest: no JSON', '', cause);
    }
    if (manifest === null || manifest.format !== 'poselane-bake') refuse('not a manifest: format is not poselane-bake');
    if (manifest.version !== 1) refuse(`version ${manifest.version} is not known, only 1`, '/version');
    const { recipe, binary, skin, clips, arrays } = manifest;
    const isList = Array.isArray;
    if (!isList(recipe?.fps) || recipe.fps.length !== 2) refuse('must be [numerator, denominator]', '/recipe/fps');
    if (typeof binary?.uri !== 'string') refuse('must be a string', '/binary/uri');
    if (!isList(skin?.joints) || !Number.isInteger(skin.index)) refuse('needs index and joints', '/skin');
    if (!isList(clips)) refuse('must be a list', '/clips');
    if (typeof arrays !== 'object' || arrays === null) refuse('must be an object', '/arrays');
    for (const [name, array] of Object.entries(arrays)) {
        const numbers = [array?.byteOffset, array?.byteLength, ...(isList(array?.shape) ? array.shape : [NaN])];
        if (!numbers.every((x) => Number.isInteger(x) && x >= 0)) {
            refuse('needs byteOffset, byteLength and shape', `/arrays/${name}`);
        }
    }
    const name = decodeURIComponent(binary.uri);
    if (name.includes('/') || name.includes('\\')) refuse('must lie beside the manifest', '/binary/uri');
    return { path, manifest, json, bin: await read(join(dirname(path), name), path, '/binary/uri') };
}

async function read(path: string, file: string, pointer: string): Promise<Buffer> {
    try {
        return await readFile(path);
    } catch (cause) {
        const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
        throw new InputError('FILE_UNREADABLE', file, pointer, `cannot be read: ${code}`, { cause });
    }
}

/** In hex. */
export function sha256Of(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
}

const BYTES: Readonly<Record<string, number>> = { f32: 4, f16: 2 };

/** Bytes of one element; undefined for a dtype that this version does not have. */
export function bytesOf(dtype: string): number | undefined {
    return BYTES[dtype];
}

/** Some elements of an array as doubles: `into.length` of them from element `first` on. */
export function readElements(bin: Buffer, array: BakeArray, first: number, into: Float64Array): Float64Array {
    for (let k = 0; k < into.length; k++) {
        if (array.dtype === 'f16') into[k] = halfToDouble(bin.readUInt16LE(array.byteOffset + (first + k) * 2));
        else into[k] = bin.readFloatLE(array.byteOffset + (first + k) * 4);
    }
    return into;
}

/** IEEE 754 binary16. */
export function halfToDouble(bits: number): number {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
