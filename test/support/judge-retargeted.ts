// SPDX-License-Identifier: MIT

import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { verifyBake } from '../../lib/verify';

/** Bakes clips of other skeletons into a folder, and verifies the bake. */
export async function judgeRetargeted(
    folder: string,
    target: string,
    animations: readonly string[],
    options: BakeOptions = {},
) {
    const result = await bakeFile(target, { animations, retarget: 'humanoid', ...options });
    const [written] = await writeBake(result, folder);
    return verifyBake(target, written!.json, { animations });
}
