// SPDX-License-Identifier: MIT

import type { Rig } from '../../rig/rig';
import { readGlobals } from '../batch';
import type { Space } from '../space';
import { type BakedArray, floatArray } from './array';

/** Global matrices of some joints, `[row][k]`, row-major 3x4, without inverse bind: for hit boxes and sockets. */
export function hitArray(rig: Rig, joints: readonly number[], space: Space): BakedArray {
    const slots = Int32Array.from(joints, (joint) => rig.skins[0]!.joints[joint]!);
    const about = { name: 'hit', layout: 'mat3x4', row: [joints.length, 12], about: { joints } } as const;
    return floatArray(about, (rows, { poses }) => {
        readGlobals(rows, poses, slots);
        space.toMat3x4(rows);
    });
}

/** Indices of the joints whose name matches; of all where `pattern` is null. */
export function matchingJoints(names: readonly string[], pattern: RegExp | null): number[] {
    return names.flatMap((name, joint) => (pattern === null || pattern.test(name) ? [joint] : []));
}
