// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

/** `kCapsules`, and as many rays as a tile of 64 joints has room for. */
const CAPSULES = 16;
const RAYS = 256;

export function createCastRays(blocks: Blocks): PoseKernels['castRays'] {
    const { region, slots, locals, globals, blockAt, inBlock, copyIn, run, heap } = blocks;
    return (data, count, capsules, rays, numRays, placements, outDistances, outCapsules) => {
        const { floats: heapFloats, ints } = heap;
        // Pieces of the tile, in floats: results, ends, placements and rays. `RayCast` and `CapsuleTile` follow.
        const at = region.tile >>> 2;
        const [distances, numbers] = [at, at + RAYS * LANES];
        const ends = numbers + RAYS * LANES;
        const places = ends + CAPSULES * 7;
        const list = places + LANES * 7;
        const cast = list + RAYS * 7;
        const tile = cast + 5;
        ints[cast] = list * 4;
        ints[cast + 2] = distances * 4;
        ints[cast + 3] = numbers * 4;
        ints[cast + 4] = LANES;
        ints[tile + 2] = region.places;
        ints[tile + 3] = ends * 4;
        for (let b = 0; b * LANES < count; b++) {
            const [poses, block] = [inBlock(count, b), blockAt(data, b)];
            copyIn(block, data, b, locals, globals);
            for (let i = 0; placements !== null && i < poses * 7; i++) {
                heapFloats[places + i] = placements[b * LANES * 7 + i]!;
            }
            for (let r = 0; r < numRays; r += RAYS) {
                const here = Math.min(RAYS, numRays - r);
                for (let i = 0; i < here * 7; i++) heapFloats[list + i] = rays[r * 7 + i]!;
                ints[cast + 1] = here;
                for (let c = 0; c < capsules.count; c += CAPSULES) {
                    const some = Math.min(CAPSULES, capsules.count - c);
                    for (let i = 0; i < some * 7; i++) heapFloats[ends + i] = capsules.ends[c * 7 + i]!;
                    for (let i = 0; i < some * 2; i++) {
                        ints[(region.places >>> 2) + i] = slots.places[capsules.slots[c * 2 + i]!]!;
                    }
                    ints[tile] = c;
                    ints[tile + 1] = some;
                    run.castRays!(block + locals * 4, poses, tile * 4, placements === null ? 0 : places * 4, cast * 4);
                }
                for (let i = 0; i < here; i++) {
                    const to = (r + i) * count + b * LANES;
                    for (let pose = 0; pose < poses; pose++) {
                        outDistances[to + pose] = heapFloats[distances + i * LANES + pose]!;
                        outCapsules[to + pose] = ints[numbers + i * LANES + pose]!;
                    }
                }
            }
        }
    };
}
