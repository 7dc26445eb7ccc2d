// SPDX-License-Identifier: MIT

import { dirname } from 'node:path';
import type { VatFacts } from '../../format/vat-facts';
import type { BakeFile } from '../write/check-bake';

/** Null if no OpenVAT folder is among the files of a bake. */
export function vatFactsOf(files: readonly BakeFile[]): VatFacts | null {
    const info = files.find(({ name }) => name.endsWith('-remap_info.json'));
    if (info === undefined) return null;
    const folder = dirname(info.name);
    const { 'os-remap': remap, poselane } = JSON.parse(new TextDecoder().decode(info.bytes));
    const own = files.filter(({ name }) => dirname(name) === folder);
    const bytes = own.reduce((sum, file) => sum + (file.byteLength ?? file.bytes.byteLength), 0);
    return { folder, frames: remap.Frames, bytes, error: poselane.error, extent: poselane.extent };
}
