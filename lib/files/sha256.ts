// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';

/** In hex, of some bytes one after the other. lib/browser/sha256.ts stands in its place in browsers: lib/package.json says so. */
export async function sha256Of(parts: readonly Uint8Array[]): Promise<string> {
    const hash = createHash('sha256');
    const chunk = 64 * 1024 * 1024; // a hash takes less than 2 GiB at once
    for (const bytes of parts) {
        for (let at = 0; at < bytes.byteLength; at += chunk) hash.update(bytes.subarray(at, at + chunk));
    }
    return hash.digest('hex');
}
