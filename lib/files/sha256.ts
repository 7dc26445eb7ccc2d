// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';

/** In hex, of byte ranges one after another. Browsers load lib/browser/sha256.ts instead: see lib/package.json. */
export async function sha256Of(parts: readonly Uint8Array[]): Promise<string> {
    const hash = createHash('sha256');
    const chunk = 64 * 1024 * 1024; // a single update takes less than 2 GiB
    for (const bytes of parts) {
        for (let at = 0; at < bytes.byteLength; at += chunk) hash.update(bytes.subarray(at, at + chunk));
    }
    return hash.digest('hex');
}
