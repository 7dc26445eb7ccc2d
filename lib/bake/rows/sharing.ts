// SPDX-License-Identifier: MIT

import type { ManifestRescaled } from '../../format/manifest';
import type { GltfScene } from '../../gltf/scene';
import type { Character } from '../../rig/measure/characters';
import { BOX_NUMBERS, type CentredBoxes, squaredReach } from '../../rig/measure/displacement';

/** Finds the errors of skins that share the palette of another skin. */
export class SharingJudge {
    private readonly shared;

    constructor({ skins }: GltfScene, character: Character) {
        this.shared = character.skins.flatMap((skin) => {
            const { rescaling } = skins[skin]!;
            return rescaling === undefined ? [] : [{ skin, rescaling, squared: 0 }];
        });
    }

    /**
     * Adds rows of the palette: a joint's linear part turns the residual of its inverse bind matrix.
     *
     * @param boxes One for each column.
     */
    add(palette: Float32Array, boxes: CentredBoxes): void {
        const difference = new Float64Array(12);
        for (const one of this.shared) {
            const { residuals } = one.rescaling;
            for (let m = 0, joint = 0; m < palette.length; m += 16, joint++) {
                if (joint * BOX_NUMBERS === boxes.length) joint = 0;
                if (joint * 12 >= residuals.length || boxes[joint * BOX_NUMBERS + 3]! < 0) continue;
                for (let i = 0; i < 12; i++) {
                    const row = m + (i % 3);
                    const at = joint * 12 + i - (i % 3);
                    difference[i] =
                        palette[row]! * residuals[at]! +
                        palette[row + 4]! * residuals[at + 1]! +
                        palette[row + 8]! * residuals[at + 2]!;
                }
                one.squared = squaredReach(boxes, joint * BOX_NUMBERS, difference, one.squared);
            }
        }
    }

    /** For the manifest; undefined without such skins. */
    get stated(): ManifestRescaled[] | undefined {
        if (this.shared.length === 0) return undefined;
        return this.shared.map(({ skin, rescaling: { scale, translation }, squared }) => ({
            skin,
            scale,
            translation,
            error: Math.fround(Math.sqrt(squared)),
        }));
    }
}
