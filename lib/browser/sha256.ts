// SPDX-License-Identifier: MIT

import { UsageError } from '../base/errors';
import { subtleSha256 } from '../files/subtle-sha256';

/** As lib/files/sha256.ts, by the page's own cryptography. */
export const sha256Of: typeof import('../files/sha256').sha256Of = async (parts) => {
    const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of parts) {
        joined.set(part, end);
        end += part.length;
    }
    const sha256 = await subtleSha256(joined);
    if (sha256 !== null) return sha256;
    const why = 'manifests need SHA-256, which browsers give only to pages from https or localhost (crypto.subtle)';
    throw new UsageError(`bakeFile: ${why}`);
};
