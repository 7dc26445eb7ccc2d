// SPDX-License-Identifier: MIT

/** Makes reports in a browser. Not part of the package's interface: examples/bake.html uses it. */

import type { BakeResult } from '../bake/bake';
import { viewOfInput } from '../gltf/file-bytes';
import { checkedResolve, inputOfBytes } from '../gltf/input';
import { type CollectOptions, collectReport } from '../report/collect';
import { gzipped } from '../report/gzip';
import { elementOf, fillPage, jsonOf } from '../report/pack';
import { type BrowserFileBytes, readBytes } from './bake/from-bytes';

/**
 * The page that `poselane bake --html` writes, for a bake of these bytes.
 *
 * @param page Text of dist/report/page.html.
 * @param poselane Version of poselane.
 */
export async function reportOf(
    input: BrowserFileBytes,
    { outputs, warnings }: Pick<BakeResult, 'outputs' | 'warnings'>,
    page: string,
    poselane: string,
    options: CollectOptions = {},
): Promise<string> {
    const { name: title, resolve } = input;
    const bytes = viewOfInput('reportOf', input);
    const model = {
        path: title,
        scene: await readBytes(input, bytes),
        files: inputOfBytes(title, bytes, checkedResolve('reportOf', resolve)),
    };
    const bakes = [{ label: 'Baked', outputs, warnings }];
    const { data, blobs } = await collectReport({ poselane, title, model, bakes }, options);
    const json = jsonOf(data, blobs);
    const elements: string[] = [];
    for (const [index, blob] of blobs.entries()) elements.push(elementOf(index, blob, await gzipped(blob), base64Of));
    return fillPage(page, title, json, elements);
}

/** Maximum number of arguments of a call. A multiple of 3 needs no base64 padding. */
const CHUNK = 3 * 8192;

function base64Of(bytes: Uint8Array): string {
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += CHUNK) {
        parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK))));
    }
    return parts.join('');
}
