// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { InputError } from '../base/errors';
import type { Manifest, ManifestArray, ManifestClip, ManifestError } from '../format/manifest';
import { ANOTHER_BIN, readPair } from '../format/read-pair';
import { splitBake } from '../format/split-bake';
import { readExternal } from '../gltf/buffers';
import { openContainer } from '../gltf/container';
import { openInput } from '../gltf/files';
import { foreignFormatOf } from '../gltf/foreign';
import { createReport } from '../gltf/reading';
import { flag, index, list, memberOf, nullable, number, object, oneOf, optional, record, text, whole } from './shape';

type Recipe = Manifest['recipe'];
type Skin = NonNullable<Manifest['skin']>;
type Arrays = Required<Manifest['arrays']>;

/**
 * The parts of a manifest that are read. `MANIFEST_SHAPE` checks them. Keys that earlier bakes do not have are
 * optional.
 */
export interface BakeManifest
    extends Pick<Manifest, 'source' | 'binary'>,
        Partial<Pick<Manifest, 'extent' | 'warnings'>> {
    readonly format: string;
    readonly version: number;
    readonly recipe: Pick<Recipe, 'fps'> & Partial<Recipe> & Readonly<Record<string, unknown>>;
    readonly skin: (Omit<Skin, 'root' | 'indices'> & Partial<Skin>) | null;
    readonly attachments?: Manifest['attachments'];
    readonly clips: readonly BakeClip[];
    readonly arrays: Readonly<Record<string, BakeArray>>;
}

export interface BakeClip
    extends Omit<ManifestClip, 'bounds' | 'loop' | 'error'>,
        Partial<Pick<ManifestClip, 'bounds' | 'loop'>> {
    readonly error?: Omit<ManifestError, 'maxLate'> & Partial<ManifestError>;
}

export interface BakeArray
    extends Omit<ManifestArray, 'dtype' | 'layout'>,
        Partial<Pick<Arrays['hit'], 'joints'>>,
        Partial<Pick<Arrays['local'], 'slots'>>,
        Partial<Pick<Arrays['morph'], 'meshes'>>,
        Partial<Pick<Arrays['root'], 'joint'>>,
        Partial<Pick<Arrays['palette'], 'pivots'>> {
    readonly dtype: string;
    readonly layout: string;
}

/** Terms of a frame rate go up to 2^26. */
const term = (value: unknown, pointer: string) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 67108864
        ? null
        : { pointer, rule: 'must be an integer from 1 to 67108864' };

const MANIFEST_SHAPE = object({
    source: object({
        name: text,
        sha256: text,
        animations: optional(list(object({ name: text, sha256: text, clips: whole }))),
    }),
    recipe: object({
        fps: list(term, 2),
        end: optional(oneOf('clamp', 'fit')),
        space: optional(oneOf('scene', 'skin-root')),
        attachments: optional(oneOf('none')),
        renormalize: optional(flag),
        rename: optional(record(text)),
        unmatched: optional(oneOf('warn')),
        retarget: optional(oneOf('rotation', 'humanoid')),
        feet: optional(oneOf('free')),
        travel: optional(oneOf('keep')),
        roles: optional(record(text)),
        from: optional(number),
        to: optional(number),
        maxError: optional(number),
        root: optional(
            object({
                mode: oneOf('keep', 'extract', 'in-place'),
                motion: oneOf('xz+yaw', 'xyz+rotation'),
                node: whole,
            }),
        ),
    }),
    binary: object({ uri: text, byteLength: whole, sha256: text }),
    extent: optional(number),
    skin: nullable(
        object({
            index: whole,
            indices: optional(list(whole)),
            rescaled: optional(
                list(object({ skin: whole, scale: number, translation: list(number, 3), error: number })),
            ),
            root: optional(index),
            joints: list(object({ node: whole, name: text, parent: index })),
        }),
    ),
    attachments: optional(list(object({ node: whole, name: text, mesh: whole, parent: index, column: whole }))),
    clips: list(
        object({
            name: text,
            animation: whole,
            firstRow: whole,
            frameCount: whole,
            duration: number,
            start: optional(number),
            fps: nullable(number),
            rate: optional(list(term, 2)),
            lastFrameTime: optional(number),
            animated: flag,
            discontinuities: list(whole),
            bounds: optional(list(number, 6)),
            loop: optional(flag),
            error: optional(
                object({
                    maxLate: optional(number),
                    maxLerp: number,
                    maxLerpShare: number,
                    maxMorph: optional(number),
                    maxMorphShare: optional(number),
                    maxNearest: number,
                    maxNearestShare: number,
                }),
            ),
        }),
    ),
    arrays: record(
        object({
            byteOffset: whole,
            byteLength: whole,
            dtype: text,
            shape: list(whole),
            layout: text,
            joints: optional(list(whole)),
            slots: optional(
                list(object({ node: whole, name: text, parent: index, matrix: optional(list(number, 12)) })),
            ),
            meshes: optional(list(object({ node: whole, name: text, first: whole, count: whole }))),
            joint: optional(index),
            pivots: optional(list(list(number, 3))),
        }),
    ),
});

export interface BakeFiles {
    readonly path: string;
    /** Paths of manifest and bin, or of the single file with both. */
    readonly paths: readonly string[];
    readonly manifest: BakeManifest;
    /** The manifest's text, as it is in a file of its own. */
    readonly json: string;
    readonly bin: Buffer;
    /** Hash of the bin, in hex. */
    readonly sha256: string;
    /** Whether bin and manifest match in length and hash. */
    readonly agree: boolean;
}

/**
 * Reads a manifest and its bin, from two files or one. If they do not match, retries for a moment, because they may be
 * in the middle of a replacement.
 *
 * @throws InputError `FILE_UNREADABLE`; `BAKE_INVALID` for a file that is not a manifest of version 1.
 */
export async function readBake(path: string): Promise<BakeFiles> {
    const { manifest, bin, agree } = await readPair(
        () => readManifest(path),
        async ({ binary, bin }) => {
            // Read again each time, because the earlier bytes can belong to another bake.
            const { resolve } = openInput(path);
            const read =
                bin ?? (await readExternal(binName(path, binary.uri), '/binary/uri', resolve, createReport(path)));
            const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
            return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
        },
    );
    const { parsed, json } = manifest;
    const paths = manifest.bin === null ? [path, join(dirname(path), binName(path, parsed.binary.uri))] : [path];
    return { path, paths, manifest: parsed, json, bin: bin.bytes, sha256: bin.sha256, agree };
}

/** @throws As {@link readBake}, and InputError `BINARY_DIFFERS` for a bin that does not match its manifest. */
export async function readWholeBake(path: string): Promise<BakeFiles> {
    const bake = await readBake(path);
    if (bake.agree) return bake;
    const rule = `the bin is not the one that the manifest describes: ${ANOTHER_BIN}`;
    throw new InputError('BINARY_DIFFERS', path, '/binary', rule);
}

/** Whether a file is a model rather than a bake, by its contents. False for a file that cannot be read. */
export async function isModel(path: string): Promise<boolean> {
    try {
        const container = await openContainer(openInput(path).load, createReport(path));
        return (
            typeof (container.json.extras as { readonly poselane?: unknown } | null | undefined)?.poselane !== 'object'
        );
    } catch {
        return false;
    }
}

function refuse(path: string, rule: string, pointer = '', cause?: unknown): never {
    throw new InputError('BAKE_INVALID', path, pointer, rule, cause === undefined ? undefined : { cause });
}

async function readManifest(path: string) {
    const file = await openInput(path).load();
    const inGlb = splitBake(file, (pointer, rule, cause) => refuse(path, rule, pointer, cause));
    const json = inGlb?.json ?? Buffer.from(file).toString('utf8');
    let parsed: BakeManifest;
    try {
        parsed = JSON.parse(json);
    } catch (cause) {
        const format = foreignFormatOf(file);
        const why = format === null ? 'it is not JSON' : `it is ${format.what}: ${format.remedy}`;
        return refuse(path, `not the manifest of a bake (.bake.json): ${why}`, '', cause);
    }
    if (parsed === null || parsed.format !== 'poselane-bake') {
        refuse(path, 'not the manifest of a bake (.bake.json): its format is not poselane-bake');
    }
    if (parsed.version !== 1) refuse(path, `version ${parsed.version} is not known, only 1`, '/version');
    const fault = MANIFEST_SHAPE(parsed, '');
    if (fault !== null) refuse(path, fault.rule, fault.pointer);
    return { json, parsed, binary: parsed.binary, bin: inGlb?.bin ?? null };
}

function binName(path: string, uri: string): string {
    if (!/^[^/\\:]+$/.test(uri) || /%(2f|5c|00)/i.test(uri)) {
        refuse(path, 'must name a file beside the manifest', '/binary/uri');
    }
    try {
        return decodeURIComponent(uri);
    } catch (cause) {
        return refuse(path, 'is not validly percent-encoded', '/binary/uri', cause);
    }
}

const BYTES: Readonly<Record<string, number>> = { f32: 4, f16: 2 };

/** Bytes of one element; undefined for an unknown dtype. */
export function bytesOf(dtype: string): number | undefined {
    return memberOf(BYTES, dtype);
}

/** Reads `into.length` elements of an array as doubles, from element `first` on. */
export function readElements(bin: Buffer, array: BakeArray, first: number, into: Float64Array): Float64Array {
    for (let k = 0; k < into.length; k++) {
        if (array.dtype === 'f16') into[k] = halfToDouble(bin.readUInt16LE(array.byteOffset + (first + k) * 2));
        else into[k] = bin.readFloatLE(array.byteOffset + (first + k) * 4);
    }
    return into;
}

/** Distance between adjacent binary16 numbers, by exponent: 2^-24 for the smallest normal ones, then doubling. */
const STEPS: readonly number[] = Array.from({ length: 31 }, (_, exponent) =>
    exponent === 0 ? 1 / 16777216 : (1 << (exponent - 1)) / 16777216,
);

/** IEEE 754 binary16. */
export function halfToDouble(bits: number): number {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    if (exponent === 0) return sign * fraction * STEPS[1]!;
    return sign * (1024 + fraction) * STEPS[exponent]!;
}
