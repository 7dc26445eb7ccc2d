// SPDX-License-Identifier: MIT

import { isGone } from '../base/arguments';
import { inputName, typeError } from '../base/errors';
import { CHUNK_BIN, CHUNK_JSON, GLB_MAGIC } from '../base/glb';
import { foreignFormatOf } from './foreign';
import { describe, isObject, type JsonObject } from './json';
import { fail, REWRITE, type Report, warn } from './reading';

export interface Container {
    readonly json: JsonObject;
    /** Data of the BIN chunk; null without one. */
    readonly bin: Uint8Array | null;
}

/** Receives the JSON bytes as stored in the file: the whole `.gltf`, or a `.glb`'s JSON chunk with its padding. */
export type SeeJson = (jsonBytes: Uint8Array) => void;

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

function notGltf(report: Report, pointer: string, rule: string, cause?: unknown): never {
    fail(report, 'NOT_GLTF', pointer, rule, cause);
}

/** Returns the result of `read`. If it throws, the file is rejected because it has no JSON. */
function orNoJson<T>(report: Report, read: () => T, text = '{'): T {
    try {
        return read();
    } catch (cause) {
        const [start] = /\S.{0,19}|$/.exec(text)!;
        const parser = cause instanceof Error ? cause.message : String(cause);
        const other = start === '' ? 'it is empty' : `it begins with ${describe(start)}`;
        const reason = start.startsWith('{') ? parser : `${other}; check that it is the right file, and complete`;
        return notGltf(report, '', `must be a GLB file or JSON in UTF-8 (glTF 2.0, 2.7): ${reason}`, cause);
    }
}

/** Removes a byte order mark, as RFC 8259, section 8.1, allows and glTF 2.0, 2.7, requires. */
function decodeText(bytes: Uint8Array, report: Report): string {
    return orNoJson(report, () => new TextDecoder('utf-8', { fatal: true }).decode(withoutNuls(bytes)));
}

/** JSON without the NUL characters at its end. Some writers use them as padding. */
export function withoutNuls(json: Uint8Array): Uint8Array {
    let { length } = json;
    while (length > 0 && json[length - 1] === 0) length--;
    return json.subarray(0, length);
}

/** A GLB with spaces after its JSON, for readers that reject NUL characters. The same bytes if it has none. */
export function withSpaces(glb: Uint8Array): Uint8Array {
    const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
    if (glb.length < HEADER_BYTES + CHUNK_HEADER_BYTES || view.getUint32(0, true) !== GLB_MAGIC) return glb;
    const start = HEADER_BYTES + CHUNK_HEADER_BYTES;
    const end = start + view.getUint32(HEADER_BYTES, true);
    const json = glb.subarray(start, end);
    return glb[end - 1] === 0 ? glb.slice().fill(0x20, start + withoutNuls(json).length, end) : glb;
}

function parseJson(text: string, report: Report): JsonObject {
    const json = orNoJson(report, (): unknown => JSON.parse(text), text);
    if (!isObject(json)) notGltf(report, '', `the JSON must be an object, is ${describe(json)}`);
    return json;
}

/** glTF 2.0, 3.2: `minVersion` decides if present, otherwise the major number of `version`. */
function checkVersion(json: JsonObject, report: Report): void {
    if (!isObject(json.asset)) notGltf(report, '/asset', `must be an object, is ${describe(json.asset)} (3.2)`);
    const { version, minVersion } = json.asset;
    if (typeof version !== 'string' || !/^[0-9]+\.[0-9]+$/.test(version)) {
        notGltf(report, '/asset/version', `must be a version such as "2.0", is ${describe(version)} (3.2)`);
    }
    if (!version.startsWith('2.')) {
        notGltf(report, '/asset/version', `only glTF 2.x is supported, this is ${version} (3.2)`);
    }
    if (minVersion !== undefined && minVersion !== '2.0') {
        notGltf(report, '/asset/minVersion', `needs glTF ${describe(minVersion)}; only 2.0 is supported (3.2)`);
    }
}

interface Chunks {
    readonly json: Uint8Array;
    readonly bin: Uint8Array | null;
}

/** glTF 2.0, 4.4. Every length is checked before it is used, because the file can end anywhere. */
function splitGlb(bytes: Uint8Array, view: DataView, report: Report): Chunks {
    if (bytes.length < HEADER_BYTES) {
        notGltf(report, '', `truncated GLB: the header has ${HEADER_BYTES} bytes, the file ${bytes.length} (4.4.2)`);
    }
    const version = view.getUint32(4, true);
    if (version !== 2) notGltf(report, '', `GLB version ${version}; only 2 is supported (4.4.2)`);
    const length = view.getUint32(8, true);
    if (length > bytes.length) {
        notGltf(report, '', `truncated GLB: the header states ${length} bytes, the file has ${bytes.length} (4.4.2)`);
    }
    if (length < bytes.length) {
        const extra = bytes.length - length;
        warn(
            report,
            'GLB_TRAILING_BYTES',
            '',
            `${extra} bytes after the GLB's stated length are ignored (4.4.2); ${REWRITE} removes them`,
        );
    }

    let json: Uint8Array | null = null;
    let bin: Uint8Array | null = null;
    let offset = HEADER_BYTES;
    for (let chunk = 0; offset < length; chunk++) {
        const start = offset + CHUNK_HEADER_BYTES;
        if (start > length) notGltf(report, '', `truncated GLB: chunk ${chunk} has no complete header (4.4.3.1)`);
        const end = start + view.getUint32(offset, true);
        const type = view.getUint32(offset + 4, true);
        if (end > length) {
            const have = length - start;
            notGltf(report, '', `GLB chunk ${chunk} states ${end - start} bytes, ${have} are left (4.4.3.1)`);
        }
        if ((chunk === 0) !== (type === CHUNK_JSON)) {
            notGltf(report, '', `GLB chunk ${chunk}: the first chunk, and only that, must be JSON (4.4.3.2)`);
        }
        if (type === CHUNK_BIN && chunk !== 1) {
            notGltf(report, '', `GLB chunk ${chunk}: BIN must be the second chunk (4.4.3.3)`);
        }
        if (type === CHUNK_JSON) json = bytes.subarray(start, end);
        else if (type === CHUNK_BIN) bin = bytes.subarray(start, end);
        offset = end;
        if (end % 4 === 0) continue;
        // A missing padding is common and harmless at the end of the file. Before another chunk, that chunk's start
        // would be a guess.
        if (length - end >= 4) {
            notGltf(report, '', `GLB chunk ${chunk} must end on a 4-byte boundary, ends at ${end} (4.4.3.1)`);
        }
        warn(
            report,
            'GLB_UNALIGNED',
            '',
            `the last GLB chunk ends at ${end}, not on a 4-byte boundary (4.4.3.1); ${REWRITE} pads it`,
        );
        break;
    }
    if (json === null) notGltf(report, '', 'truncated GLB: no JSON chunk (4.4.3.2)');
    if (json[json.length - 1] === 0) {
        warn(
            report,
            'GLB_JSON_PADDING',
            '',
            `the JSON chunk is padded with NUL characters, not with spaces (4.4.3.2); ${REWRITE} uses spaces`,
        );
    }
    return { json, bin };
}

/** The chunks of a `.glb`. A `.gltf` is a single JSON chunk. */
export function splitFile(bytes: Uint8Array, report: Report): Chunks {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isGlb = bytes.length >= 4 && view.getUint32(0, true) === GLB_MAGIC;
    return isGlb ? splitGlb(bytes, view, report) : { json: bytes, bin: null };
}

/** Throws TypeError `ERR_DETACHED_BUFFER` for bytes that the caller has transferred. The glTF itself has no `uri`. */
export function checkLive(bytes: Uint8Array, { file }: Report, uri?: string): void {
    if (!isGone(bytes)) return;
    const whose = uri === undefined ? '' : ` of ${describe(uri)}`;
    const rule = `the bytes${whose} were detached or shrunk while they were read; keep them until the promise settles`;
    throw typeError('ERR_DETACHED_BUFFER', `${inputName(file)}: ${rule}`);
}

/** A separate function, so that the bytes are released when it returns. They can be 100 MB. */
async function readText(
    load: () => Uint8Array | Promise<Uint8Array>,
    report: Report,
    see: SeeJson | undefined,
): Promise<{ text: string; bin: Uint8Array | null }> {
    const bytes = await load();
    checkLive(bytes, report);
    const format = foreignFormatOf(bytes);
    if (format !== null) notGltf(report, '', `the file is ${format.what}, not glTF: ${format.remedy}`);
    const { json, bin } = splitFile(bytes, report);
    see?.(json);
    return { text: decodeText(json, report), bin };
}

/**
 * Splits a `.glb` or `.gltf` file and checks that it is glTF 2.x. The first four bytes, not the file's name, decide
 * which of the two it is. Throws `NOT_GLTF`.
 *
 * @param load Returns the bytes of the file. The bytes of its JSON are released before it is parsed.
 */
export async function openContainer(
    load: () => Uint8Array | Promise<Uint8Array>,
    report: Report,
    see?: SeeJson,
): Promise<Container> {
    const { text, bin } = await readText(load, report, see);
    const json = parseJson(text, report);
    checkVersion(json, report);
    return { json, bin };
}
