// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { KeyView } from './pack-keys';

/** glTF-Transform 4.5 does not know its successor, KHR_meshopt_compression. */
export const MESHOPT = 'EXT_meshopt_compression';
const EITHER = /^(EXT|KHR)_meshopt_compression$/;
/** Bytes of JSON for each compressed view, and once for a file. */
const COST = 180;

/**
 * Views compressed in the extension's mode ATTRIBUTES; null for those that would not become smaller. Without filters,
 * because each of them loses precision.
 */
export async function streamsOf(views: readonly KeyView[]): Promise<(Uint8Array | null)[]> {
    const { MeshoptEncoder } = await import('meshoptimizer/encoder');
    await MeshoptEncoder.ready;
    const streams = views.map(({ bytes, stride }) => {
        // The bitstream of this extension is version 0.
        const stream = MeshoptEncoder.encodeGltfBuffer(bytes, bytes.length / stride, stride, 'ATTRIBUTES', 0);
        return stream.length + COST < bytes.length ? stream : null;
    });
    const saved = streams.reduce(
        (sum, stream, i) => sum + (stream === null ? 0 : views[i]!.bytes.length - stream.length - COST),
        0,
    );
    return saved > COST ? streams : streams.map(() => null);
}

/** Adds the meshopt extensions to the file's list exactly if a buffer view uses them. */
export function nameMeshopt(json: GLTF.IGLTF): void {
    const used = new Set((json.bufferViews ?? []).flatMap(({ extensions }) => Object.keys(extensions ?? {})));
    for (const list of ['extensionsUsed', 'extensionsRequired'] as const) {
        const names = (json[list] ?? []).filter((name) => !EITHER.test(name) || used.has(name));
        if (used.has(MESHOPT) && !names.includes(MESHOPT)) names.push(MESHOPT);
        if (names.length > 0) json[list] = names;
        else delete json[list];
    }
}
