// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { basename, normalize, sep } from 'node:path';
import { InputError } from '../errors';
import { readBeside } from './beside';
import { GLTF_SHAPE, type GltfBuffer, type GltfJson } from './gltf-json';
import { type FilesRead, readWhole } from './read-whole';
import { checkHashed, createRoom, type TakeRoom } from './room';

/*
 * Reading a glTF 2.0 file for the evaluator: container, buffers, accessors, straight from the specification (sections
 * 3.6 and 4). Shares nothing with the reader that the baker uses, so that a misreading there cannot hide here.
 */

export interface GltfFile {
    /** As the caller named it. */
    readonly path: string;
    readonly name: string;
    readonly json: GltfJson;
    /** In the order of the JSON, cut to their stated length; null for one without data (meshopt's fallback). */
    readonly buffers: readonly (Buffer | null)[];
    /** What manifests state: over the JSON as it stands in the file, then every buffer that has data. */
    readonly sha256: string;
    /** Before anything is allocated whose size the file states. */
    readonly take: TakeRoom;
    readonly decoded: Decoded;
}

export interface Decoded {
    /** A view's bytes where they are compressed. */
    expand: (view: number) => Buffer | undefined;
    /** By index: those that had to be decompressed. */
    readonly accessors: Map<number, Float64Array>;
}

/** Stops the verification: the input breaks `rule` at `pointer`. */
export function refuse(file: string, pointer: string, rule: string, cause?: unknown): never {
    throw new InputError('GLTF_INVALID', file, pointer, rule, cause === undefined ? undefined : { cause });
}

const MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

/**
 * Reads a .glb or a .gltf with whatever buffers it names; compressed data stays compressed.
 *
 * @throws InputError `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID`.
 */
export function readGltfFile(path: string): GltfFile {
    const bytes = readWhole(path, path, '');
    const { jsonBytes, bin } = splitContainer(bytes, path);
    let json: GltfJson;
    try {
        json = JSON.parse(jsonBytes.toString('utf8').replace(/^\ufeff/, ''));
    } catch (cause) {
        throw new InputError('NOT_GLTF', path, '', 'neither a GLB file nor JSON', { cause });
    }
    const version = (json as { asset?: { version?: unknown } } | null)?.asset?.version;
    if (typeof version !== 'string' || !version.startsWith('2.')) {
        throw new InputError('NOT_GLTF', path, '/asset/version', 'only glTF 2.x is supported');
    }
    const fault = GLTF_SHAPE(json, '');
    if (fault !== null) refuse(path, fault.pointer, fault.rule);
    const beside: FilesRead = new Map();
    const external = createExternal(path, beside);
    const buffers = (json.buffers ?? []).map((buffer, index) => loadBuffer(buffer, index, path, bin, external));
    const inJson = buffers.filter((_, index) => /^data:/i.test(json.buffers![index]!.uri ?? ''));
    const stored = [bin, ...beside.values(), ...inJson].reduce((sum, data) => sum + (data?.length ?? 0), 0);
    const stated = buffers.reduce((sum, data) => sum + (data?.length ?? 0), 0);
    checkHashed(path, stated, stored);
    const hash = createHash('sha256').update(jsonBytes);
    for (const buffer of buffers) if (buffer !== null) hash.update(buffer);
    const decoded: Decoded = { expand: () => undefined, accessors: new Map() };
    const take = createRoom(path, stored);
    return { path, name: basename(path), json, buffers, sha256: hash.digest('hex'), take, decoded };
}

/** Section 4.4: a header of 12 bytes, then chunks: length, type, data. */
function splitContainer(bytes: Buffer, file: string): { jsonBytes: Buffer; bin: Buffer | null } {
    if (bytes.length < 20 || bytes.readUInt32LE(0) !== MAGIC) return { jsonBytes: bytes, bin: null };
    const chunkAt = (at: number, type: number): Buffer | null => {
        if (at + 8 > bytes.length || bytes.readUInt32LE(at + 4) !== type) return null;
        const end = at + 8 + bytes.readUInt32LE(at);
        if (end > bytes.length) throw new InputError('NOT_GLTF', file, '', 'truncated GLB (4.4.3)');
        return bytes.subarray(at + 8, end);
    };
    const jsonBytes = chunkAt(12, CHUNK_JSON);
    if (jsonBytes === null) throw new InputError('NOT_GLTF', file, '', 'the first chunk is not JSON (4.4.3)');
    return { jsonBytes, bin: chunkAt(20 + jsonBytes.length, CHUNK_BIN) };
}

type External = (name: string, pointer: string) => Buffer;

/** Many buffers may name one large file, each in its own way, or over a link of its own. */
function createExternal(path: string, beside: FilesRead): External {
    // To ask the file system takes long, where a million buffers have one name.
    const named = new Map<string, Buffer>();
    return (name, pointer) => {
        const data = named.get(name) ?? readBeside(path, name, pointer, beside);
        named.set(name, data);
        return data;
    };
}

function loadBuffer(
    buffer: GltfBuffer,
    index: number,
    file: string,
    bin: Buffer | null,
    external: External,
): Buffer | null {
    const { uri, byteLength, extensions } = buffer;
    const fallback = extensions?.EXT_meshopt_compression?.fallback ?? extensions?.KHR_meshopt_compression?.fallback;
    if (fallback === true) return null;
    let data: Buffer | null;
    if (uri === undefined) data = index === 0 ? bin : null;
    else if (/^data:/i.test(uri)) data = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    else data = external(localPath(uri, index, file), `/buffers/${index}/uri`);
    if (data === null) return null;
    if (data.length < byteLength) {
        refuse(
            file,
            `/buffers/${index}/byteLength`,
            `states ${byteLength} bytes, the data has ${data.length} (3.6.1.1)`,
        );
    }
    return data.subarray(0, byteLength);
}

/** Nothing outside the input's folder is read. */
function localPath(uri: string, index: number, file: string): string {
    let path: string | null = null;
    try {
        path = normalize(decodeURIComponent(uri));
    } catch {
        // Not validly percent-encoded: refused below.
    }
    const leaves = path === null || /^([a-z][a-z0-9+.-]*:|[\\/])/i.test(path) || path.split(sep).includes('..');
    if (leaves || path!.includes('\0')) {
        throw new InputError(
            'FILE_UNREADABLE',
            file,
            `/buffers/${index}/uri`,
            "only files in the input's folder are read (2.8)",
        );
    }
    return path!;
}
