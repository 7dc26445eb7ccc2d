// SPDX-License-Identifier: MIT

import type { Rig } from '../../rig/rig';
import { type BakedArray, floatArray } from './array';

/** Root motion: how the skin's root joint has moved since the clip's first frame, translation and rotation. */
export function rootArray(rig: Rig): BakedArray {
    const { joints, parents } = rig.skins[0]!;
    const joint = parents.indexOf(-1);
    const slot = joints[joint]!;
    const about = { name: 'root', layout: 'tr', row: [7], about: { joint } } as const;
    return floatArray(about, (rows, { animation, times, frame, count }) => {
        for (let row = 0; row < count; row++) {
            const delta = rows.subarray(row * 7, row * 7 + 7);
            rig.rootDelta(delta, animation, times[0]!, times[frame + row]!, { slot });
        }
    });
}
