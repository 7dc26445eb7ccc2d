// SPDX-License-Identifier: MIT

import { checkManifest } from './check-manifest';
import { conforms } from './conforms';
import { type Manifest, stringifyManifest } from './manifest';

/**
 * Reads a manifest that this version must have written: it has all that the schema asks for and nothing else, its arrays fit the binary,
 * and it is the one text of what it says.
 *
 * @param byteLength Of the binary.
 * @throws Whatever, for anything else.
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
