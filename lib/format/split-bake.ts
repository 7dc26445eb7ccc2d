// SPDX-License-Identifier: MIT

import { InputError } from '../base/errors';
import { GLB_MAGIC } from '../base/glb';
import { splitFile, withoutNuls } from '../gltf/container';
import { createReport } from '../gltf/reading';

/** Rejects the file, because it breaks `rule` at `pointer`, a JSON pointer. */
type Refuse = (pointer: string, rule: string, cause?: unknown) => never;

/**
 * Splits a bake that is a single file. The first bytes identify it, not its name.
 *
 * @returns The manifest's text, as in a file of its own, and the bin, a view of the bytes; null for bytes that are not
 * a GLB.
 */
export function splitBake(bytes: Uint8Array, refuse: Refuse): { json: string; bin: Uint8Array } | null {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4 || view.getUint32(0, true) !== GLB_MAGIC) return null;
    const { json, chunk, stated } = contentsOf(bytes, refuse);
    if (json === undefined) {
        return refuse('/extras/poselane', 'is not a manifest: this GLB is not a bake; if it is a model, bake it');
    }
    if (!Number.isInteger(stated) || stated < 0 || stated > chunk.length || chunk.length - stated > 3) {
        const rule = `must be that of the chunk BIN, ${chunk.length}, or up to 3 less (glTF 2.0, 3.6.1.2)`;
        return refuse('/buffers/0/byteLength', `${rule}, is ${JSON.stringify(stated)}`);
    }
    return { json, bin: chunk.subarray(0, stated) };
}

function contentsOf(bytes: Uint8Array, refuse: Refuse) {
    try {
        const { json, bin } = splitFile(bytes, createReport(''));
        // A copy, because browsers do not decode shared memory.
        const { buffers, extras } = JSON.parse(new TextDecoder().decode(new Uint8Array(withoutNuls(json)))) ?? {};
        const manifest: unknown = extras?.poselane;
        const isObject = typeof manifest === 'object' && manifest !== null;
        return {
            json: isObject ? `${JSON.stringify(manifest, null, 2)}\n` : undefined,
            chunk: bin ?? new Uint8Array(0),
            stated: buffers === undefined ? 0 : (buffers?.[0]?.byteLength as number),
        };
    } catch (cause) {
        const rule = cause instanceof InputError ? cause.rule : `its JSON cannot be read: ${String(cause)}`;
        return refuse('', rule, cause);
    }
}
