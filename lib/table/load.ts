// SPDX-License-Identifier: MIT

import { describe, wrongType } from '../base/arguments';
import { rangeError } from '../base/errors';
import { absoluteUrl, type ReadFile } from '../files/fetch-bytes';
import { subtleSha256 } from '../files/subtle-sha256';
import { binaryOf, refuse } from '../format/check-manifest';
import { ANOTHER_BIN, readPair } from '../format/read-pair';
import { bytesOf, parseManifest, splitGlb } from './open-array';

/** Reads a manifest and its bin, from two files or one, and checks length and hash. */
export async function loadPair(url: unknown, read: unknown): Promise<{ json: string; bytes: Uint8Array }> {
    const place = absoluteUrl('BakedTable.load', 'url', url);
    if (typeof read !== 'function') throw wrongType('BakedTable.load', 'read', 'a function', read);
    const bytesAt = async (file: URL) => bytesOf(await (read as ReadFile)(file));
    const { manifest, bin, agree } = await readPair(
        async () => {
            const file = await bytesAt(place);
            const { json, bin } = splitGlb(file) ?? { json: new TextDecoder().decode(file), bin: null };
            return { json, bin, binary: binaryOf(parseManifest(json)) };
        },
        async ({ binary, bin }) => {
            const bytes = bin ?? (await bytesAt(beside(place, binary.uri)));
            return { bytes, sha256: await subtleSha256(bytes) };
        },
    );
    if (agree) return { json: manifest.json, bytes: bin.bytes };
    const what = `the binary is not the one that the manifest describes: ${ANOTHER_BIN}`;
    throw rangeError('ERR_BINARY_DIFFERS', `BakedTable.load: ${place.href}: ${what}`);
}

/** The bin must be in the folder of its manifest. */
function beside(manifest: URL, uri: string): URL {
    const folder = manifest.href.replace(/[^/]*([?#].*)?$/, '');
    const bin = new URL(uri, folder);
    if (!/^[^/]+$/.test(bin.href.slice(folder.length)) || !bin.href.startsWith(folder)) {
        refuse('/binary/uri', `must name a file beside the manifest, is ${describe(uri)}`);
    }
    return bin;
}
