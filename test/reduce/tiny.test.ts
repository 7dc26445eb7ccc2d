// SPDX-License-Identifier: MIT

/** Animations never take more bytes than in the source, before or after gzip, even if they take only a few dozen. */

import { gzipSync } from 'node:zlib';
import { type ReduceOptions, reduceFile } from '../../lib/reduce';
import type { LooseJson } from '../gltf/support/builder';
import { random } from '../support/random';
import { type Keys, RigBuilder, randomDrift, randomKeys } from './rigs';

/** The bytes of all accessors of animations in turn, as stored by glTF 2.0, each at a multiple of 4. */
function bytesOf(glb: Uint8Array): { bytes: number; gzip: number } {
    const view = new DataView(glb.buffer, glb.byteOffset);
    const length = view.getUint32(12, true);
    const json: LooseJson = JSON.parse(Buffer.from(glb.subarray(20, 20 + length)).toString());
    const bin = glb.subarray(28 + length);
    const samplers = json.animations.flatMap(({ samplers }: LooseJson) => samplers);
    const used = new Set<number>(samplers.flatMap(({ input, output }: LooseJson) => [input, output]));
    const sizes: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5126: 4 };
    const widths: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
    const parts = [...used]
        .sort((a, b) => a - b)
        .map((index) => {
            const { bufferView, byteOffset = 0, componentType, count, type } = json.accessors[index];
            const start = (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
            const size = count * sizes[componentType]! * widths[type]!;
            return Buffer.concat([bin.subarray(start, start + size), Buffer.alloc(-size & 3)]);
        });
    const all = Buffer.concat(parts);
    return { bytes: all.length, gzip: gzipSync(all, { level: 9 }).length };
}

const KINDS = ['LINEAR', 'LINEAR', 'STEP', 'CUBICSPLINE'] as const;

function tinyRig(next: () => number): RigBuilder {
    const rig = new RigBuilder();
    const paths = ['translation', 'rotation', 'scale', 'weights'] as const;
    rig.mesh(rig.node(), [0, 0, 0, 1, 1, 1, -1, 0.5, 0], null, [[0, 1, 0, 0, 0, 0, 1, 0, 0]], [0.25]);
    const rests = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1], weights: [0.25] };
    for (let clips = 1 + Math.floor(next() * 3); clips > 0; clips--) {
        const channels = paths.flatMap((path): Keys[] => {
            if (next() < 0.5) return [];
            const kind = KINDS[Math.floor(next() * KINDS.length)]!;
            const rest = rests[path];
            const keys =
                next() < 0.5 ? randomDrift(next, kind, path, rest) : randomKeys(next, kind, path, rest.length, 5, 0);
            return [{ ...keys, node: 0 }];
        });
        if (channels.length > 0) rig.clip(channels);
    }
    if (rig.clips.length === 0) rig.clip([{ node: 0, path: 'translation', times: [0], values: [0.3, 0.2, 0] }]);
    return rig.done() as RigBuilder;
}

test.each([0, 100, 200])('a hundred files of tiny clips, from seed %d', async (start) => {
    for (let seed = start; seed < start + 100; seed++) {
        const next = random(seed);
        const bytes = tinyRig(next).builder.toGlb();
        const options: ReduceOptions = {
            maxError: ['1mm', 0.01, 0.1][Math.floor(next() * 3)]!,
            quantize: next() < 0.6,
            compress: next() < 0.2 ? 'meshopt' : 'none',
        };
        const reduced = await reduceFile({ bytes, name: 'tiny.glb' }, options);
        const [before, after] = [bytesOf(bytes), bytesOf(reduced.bytes)];
        expect({ seed, ...reduced.before }).toMatchObject({ seed, ...before });
        // No animation here is large enough for the extension.
        expect({ seed, ...reduced.after }).toMatchObject({ seed, ...after });
        const larger = after.bytes > before.bytes || after.gzip > before.gzip;
        expect({ seed, before, after, larger }).toMatchObject({ larger: false });
    }
});
