// SPDX-License-Identifier: MIT

/** Crowds that a bake poses. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import { checkPose, loopsOf, weightAt } from '../table/poses';
import { ROW_MIX_FLOATS, writeRowMix } from '../table/row-mix';
import { checkCrowd } from './arguments';
import { type Drawing, instancesOf } from './instances';
import { type Part, partsOf } from './model';
import { restOf } from './reach';
import type { BakedCrowd, CrowdOptions, LoadedModel, SharedThree } from './types';

/** A crowd that `drawing` draws. {@link BakedCrowd} documents its members. */
export function bakedCrowd(
    three: SharedThree,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options: CrowdOptions | undefined,
    drawing: Drawing,
): BakedCrowd {
    const tables = checkCrowd('createBakedCrowd', table, model, count, options);
    const parts = partsOf(three, tables, model, 'bake');
    const reaches = reachesOf(three, tables, parts);
    const all = reaches.reduce((box, reach) => box.union(reach), new three.Box3());

    // Temporary rows of `pose` for one table at a time, and the clips of each instance.
    const from = new Float32Array(count * 3);
    const to = new Float32Array(count * 3);
    const playing = new Uint16Array(count * 2);
    const optionsOf = loopsOf(tables, count);

    const reachAt = (i: number, target: THREE.Box3) =>
        target.copy(reaches[playing[i * 2]!]!).union(reaches[playing[i * 2 + 1]!]!);
    const { crowd, mixes, draw } = instancesOf(three, { tables, parts, all, reachAt }, count, options, drawing);
    return {
        ...crowd,
        pose(clips, times, poseOptions) {
            const fade = poseOptions?.to;
            const poses = checkPose(times, fade, count);
            for (let t = 0; t < tables.length; t++) {
                if (fade) tables[t]!.rowsAt(fade.clips, fade.times, to, optionsOf(fade.clips, poses, fade));
                tables[t]!.rowsAt(clips, times, from, optionsOf(clips, poses, poseOptions));
                const { own } = mixes[t]!;
                for (let i = 0; i < poses; i++)
                    writeRowMix(own, i * ROW_MIX_FLOATS, from, to, i * 3, weightAt(fade, i));
                draw(mixes[t]!);
            }
            for (let i = 0; i < poses; i++) {
                const weight = weightAt(fade, i);
                const first = typeof clips === 'number' ? clips : clips[i]!;
                const second =
                    fade === undefined ? first : typeof fade.clips === 'number' ? fade.clips : fade.clips[i]!;
                playing[i * 2] = weight >= 1 ? second : first;
                playing[i * 2 + 1] = weight > 0 ? second : first;
            }
        },
    };
}

/** For each clip, the box around everything that it reaches, including meshes that do not move. */
function reachesOf(three: SharedThree, tables: readonly BakedTable[], parts: readonly Part[]): readonly THREE.Box3[] {
    const rest = restOf(three, parts);
    return tables[0]!.clips.map((_, clip) => {
        const box = rest.clone();
        for (const { clips } of tables) {
            box.expandByPoint(new three.Vector3().fromArray(clips[clip]!.bounds!, 0));
            box.expandByPoint(new three.Vector3().fromArray(clips[clip]!.bounds!, 3));
        }
        return box;
    });
}
