// SPDX-License-Identifier: MIT

import { checkManifest } from './check-manifest';
import { conforms } from './conforms';
import { type Manifest, stringifyManifest } from './manifest';

/**
 * Reads a manifest that this version must have written. It has everything that the schema requires and nothing else,
 * its arrays fit the binary, and its text is exactly that of `stringifyManifest`.
 *
 * @param byteLength Length of the binary.
 * @throws Any error for another text.
 */
export function strictManifest(bytes: Uint8Array, byteLength: number): { manifest: Manifest; json: string } {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const manifest = JSON.parse(json) as Manifest;
    const schema = require('./manifest.schema.json') as Readonly<Record<string, unknown>>;
    if (!conforms(manifest, schema)) throw new Error('no manifest');
    checkManifest(manifest, byteLength);
    if (stringifyManifest(manifest) !== json) throw new Error('another text');
    return { manifest, json };
}
