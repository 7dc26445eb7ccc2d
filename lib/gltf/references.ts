// SPDX-License-Identifier: MIT

import { foreignFormatOf } from './foreign';
import { isObject } from './json';

/** The reason why a file is rejected, other than an error of the file system. */
export class RefusedFile extends Error {}

/** Whether an error is the fault of the caller's `resolve` rather than of a file. */
export function isArgumentError(error: unknown): boolean {
    const { code } = (error ?? {}) as { code?: unknown };
    return code === 'ERR_ARGUMENT_TYPE' || code === 'ERR_DETACHED_BUFFER';
}

/** Throws RefusedFile for a Git LFS pointer, or a server's page, instead of the file. */
export function acceptedFile(bytes: Uint8Array): Uint8Array {
    const format = foreignFormatOf(bytes);
    // Data can begin like a ZIP archive by chance.
    if (format?.isSure) throw new RefusedFile(`it is ${format.what}: ${format.remedy}`);
    return bytes;
}

/**
 * The path of a URI other than a data URI, relative to the glTF's folder (glTF 2.0, 2.8): decoded, with `/` between
 * segments and without `.` or `..`.
 *
 * @throws RefusedFile for a path that leads elsewhere, URIError for invalid percent-encoding.
 */
export function relativePath(uri: string): string {
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) throw new RefusedFile('only data URIs and relative paths are read');
    const path = decodeURIComponent(uri);
    // Checked after decoding, so that %2e%2e%2f is found too. A backslash separates folders on Windows.
    if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw new RefusedFile('the path is absolute');
    if (path.includes('\\') || path.includes('\0')) {
        throw new RefusedFile('a path has neither backslashes nor NUL characters');
    }
    const segments: string[] = [];
    for (const segment of path.split('/')) {
        if (segment === '' || segment === '.') continue;
        if (segment !== '..') segments.push(segment);
        else if (segments.pop() === undefined) throw new RefusedFile("the path leaves the input's folder");
    }
    if (segments.length === 0) throw new RefusedFile('the path names no file');
    return segments.join('/');
}

/** The valid URIs of a glTF's buffers and images that name files, and their paths by {@link relativePath}. */
export function fileUrisOf(json: unknown): Map<string, string> {
    const paths = new Map<string, string>();
    for (const list of isObject(json) ? [json.buffers, json.images] : []) {
        for (const item of Array.isArray(list) ? list : []) {
            const uri = isObject(item) ? item.uri : undefined;
            if (typeof uri !== 'string' || /^data:/i.test(uri)) continue;
            try {
                paths.set(uri, relativePath(uri));
            } catch {
                // Invalid: no reader accepts it.
            }
        }
    }
    return paths;
}

/** The files of a glTF's buffers and images, each once. */
export function referencesOf(json: unknown): string[] {
    return [...new Set(fileUrisOf(json).values())];
}
