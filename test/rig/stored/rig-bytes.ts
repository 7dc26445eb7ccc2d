// SPDX-License-Identifier: MIT

import type { RigBase } from '../../../lib/rig/rig-base';

/** The bytes with their hash: FNV-1a over the words from the fifth on. */
export function withHash(bytes: Uint8Array): Uint8Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let hash = 0x811c9dc5n;
    for (let at = 16; at < bytes.length; at += 4) {
        hash = ((hash ^ BigInt(view.getUint32(at, true))) * 0x01000193n) & 0xffffffffn;
    }
    view.setUint32(12, Number(hash), true);
    return bytes;
}

/** Locals, weights, globals and vertices of every clip at a few times, as bits. */
export function digestOf(rig: RigBase): number[][] {
    const poses = rig.createPoses(4);
    const lists: number[][] = [];
    for (const clip of [...rig.clips.keys()].slice(0, 8)) {
        rig.evaluate(poses, clip, Float64Array.of(0, 0.3, 1, 1e3), { loop: 'wrap' });
        rig.toGlobal(poses);
        const { data, blockFloats } = poses;
        const used = Array.from(data.subarray(0, blockFloats)).filter((_, i) => i % 16 < 4);
        lists.push([...new Int32Array(Float32Array.from(used).buffer)]);
        for (const [mesh, { skin, vertexCount }] of rig.meshes.entries()) {
            if (skin < 0 || vertexCount === 0) continue;
            const out = new Float32Array(4 * vertexCount * 3);
            rig.skinVertices(poses, skin, mesh, out);
            lists.push([...new Int32Array(out.buffer)]);
        }
    }
    return lists;
}
