// SPDX-License-Identifier: MIT

/** `createHash` for browsers, whose own gives hashes as promises: `digest` gives a word for which `resolveHashes` puts the hash. */

const pending = [];

export function createHash() {
    const parts = [];
    const hash = {
        update(part) {
            const isText = typeof part === 'string';
            parts.push(
                isText
                    ? new TextEncoder().encode(part)
                    : new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice(),
            );
            return hash;
        },
        digest() {
            pending.push(new Blob(parts).arrayBuffer().then((bytes) => crypto.subtle.digest('SHA-256', bytes)));
            return `hash ${pending.length - 1}.`;
        },
    };
    return hash;
}

/** A copy of a report, with its hashes. */
export async function resolveHashes(report) {
    const hashes = (await Promise.all(pending)).map((bytes) =>
        Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
    return JSON.parse(JSON.stringify(report).replace(/hash (\d+)\./g, (_, i) => hashes[i]));
}
