// SPDX-License-Identifier: MIT

import { whyUnreadable } from '../base/messages';
import { checkLive } from './container';
import { foreignFormatOf } from './foreign';
import { arrayAt, describe, extensionOf, integerAt, type JsonObject, objectAt } from './json';
import { statedLimit } from './limits';
import { fail, invalid, type Report } from './reading';
import { isArgumentError, RefusedFile, relativePath } from './references';

/** Reads a file below the glTF's folder. `path` is decoded, with `/` between segments and without `.` or `..`. */
export type Resolve = (path: string) => Promise<Uint8Array>;

/** The first `byteLength` bytes of a buffer's data; null for a buffer without data (a fallback, a placeholder). */
export type BufferData = Uint8Array | null;

/** Whether a buffer is the fallback of a meshopt extension. Both extensions mark it this way. */
function isFallback(buffer: JsonObject): boolean {
    return ['KHR_meshopt_compression', 'EXT_meshopt_compression'].some(
        (name) => extensionOf(buffer, name)?.fallback === true,
    );
}

/** Strictly RFC 4648, section 4. The platform's decoders accept some invalid base64. */
function decodeDataUri(uri: string, pointer: string, report: Report): Uint8Array {
    const comma = uri.indexOf(',');
    if (comma < 0 || !/;base64$/i.test(uri.slice(0, comma))) {
        invalid(report, pointer, 'a data URI must be "data:<type>;base64,<data>" (3.6.1.1)');
    }
    const text = uri.slice(comma + 1);
    const digits = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
    const stray = text.slice(0, digits).search(/[^A-Za-z0-9+/]/);
    if (stray >= 0) {
        invalid(report, pointer, `character ${stray} of the base64 data is ${describe(text[stray])} (3.6.1.1)`);
    }
    if (text.length % 4 !== 0) {
        invalid(report, pointer, `base64 data must be padded to a multiple of 4, has ${text.length} (3.6.1.1)`);
    }
    const decoded = atob(text);
    const bytes = new Uint8Array(decoded.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
    return bytes;
}

/** The path below the input's folder for a relative URI (glTF 2.0, 2.8). Any other URI is rejected. */
function localPath(uri: string, pointer: string, report: Report): string {
    try {
        return relativePath(uri);
    } catch (cause) {
        if (!(cause instanceof RefusedFile)) {
            invalid(report, pointer, `${describe(uri)} is not validly percent-encoded (2.8)`, cause);
        }
        return fail(report, 'FILE_UNREADABLE', pointer, `${describe(uri)} is refused: ${cause.message} (2.8)`);
    }
}

/** As `Resolve`. Throws InputError `FILE_UNREADABLE`. */
export async function readExternal(
    path: string,
    pointer: string,
    resolve: Resolve | undefined,
    report: Report,
): Promise<Uint8Array> {
    if (resolve === undefined) {
        fail(report, 'FILE_UNREADABLE', pointer, `${describe(path)} is needed, and no way to read it was given`);
    }
    try {
        return await resolve(path);
    } catch (cause) {
        if (isArgumentError(cause)) throw cause;
        if (cause instanceof RefusedFile) {
            fail(report, 'FILE_UNREADABLE', pointer, `${describe(path)} is refused: ${cause.message}`, cause);
        }
        fail(report, 'FILE_UNREADABLE', pointer, `cannot read ${describe(path)}: ${whyUnreadable(cause)}`, cause);
    }
}

/** Loads buffers in index order. The first without `uri` is the BIN chunk (3.6.1.2); others have no data. */
export async function loadBuffers(
    json: JsonObject,
    bin: Uint8Array | null,
    resolve: Resolve | undefined,
    report: Report,
): Promise<BufferData[]> {
    const loaded: BufferData[] = [];
    const files = new Map<string, Uint8Array>();
    for (const [index, value] of arrayAt(report, json.buffers, '/buffers').entries()) {
        const pointer = `/buffers/${index}`;
        const buffer = objectAt(report, value, pointer);
        const byteLength = integerAt(report, buffer.byteLength, `${pointer}/byteLength`, 1);
        const { uri } = buffer;
        let data: BufferData = null;
        if (isFallback(buffer)) {
            data = null;
        } else if (uri === undefined) {
            data = index === 0 ? bin : null;
        } else if (typeof uri !== 'string') {
            invalid(report, `${pointer}/uri`, `must be a string, is ${describe(uri)}`);
        } else if (/^data:/i.test(uri)) {
            data = decodeDataUri(uri, `${pointer}/uri`, report);
        } else {
            // Many buffers can name one large file, with different spellings.
            const path = localPath(uri, `${pointer}/uri`, report);
            data = files.get(path) ?? (await readExternal(path, `${pointer}/uri`, resolve, report));
            files.set(path, data);
        }
        if (data !== null) checkLive(data, report, typeof uri === 'string' ? uri : undefined);
        if (data !== null && data.length < byteLength) {
            const format = typeof uri === 'string' ? foreignFormatOf(data) : null;
            const why = format === null ? '' : `; ${describe(uri)} is ${format.what}: ${format.remedy}`;
            const rule = `states ${byteLength} bytes, the data has ${data.length} (3.6.1.1)`;
            invalid(report, `${pointer}/byteLength`, `${rule}${why}`);
        }
        loaded.push(data === null ? null : data.subarray(0, byteLength));
    }
    // A caller may have detached one while others were loading.
    for (const data of loaded) if (data !== null) checkLive(data, report);
    checkStated(loaded, report);
    return loaded;
}

/** Limits the total length: any number of buffers can be the same file, or the same part of it. */
function checkStated(buffers: readonly BufferData[], report: Report): void {
    const limit = statedLimit({ stored: storedBytes(buffers) });
    let stated = 0;
    for (const [index, data] of buffers.entries()) {
        stated += data?.length ?? 0;
        if (stated <= limit) continue;
        const rule = `all buffers have more than ${limit} bytes, the limit here: they are the same ones several times`;
        invalid(report, `/buffers/${index}/byteLength`, rule);
    }
}

/** Number of bytes that the buffers hold together. Bytes that several buffers share count once. */
export function storedBytes(buffers: readonly BufferData[]): number {
    const spans = new Map<ArrayBufferLike, { start: number; end: number }>();
    for (const data of buffers) {
        if (data === null) continue;
        const start = data.byteOffset;
        const end = start + data.length;
        const span = spans.get(data.buffer) ?? { start, end };
        spans.set(data.buffer, { start: Math.min(span.start, start), end: Math.max(span.end, end) });
    }
    return [...spans.values()].reduce((sum, { start, end }) => sum + end - start, 0);
}
