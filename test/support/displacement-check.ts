// SPDX-License-Identifier: MIT

import type { Baked, Manifest } from './baked';
import { worstDisplacement, type Yardstick } from './displacement';

/** What is expected of one clip: its palettes (`times * joints * 16`) at the times that the rules give. */
export interface ExpectedClip {
    readonly animation: number;
    readonly times: readonly number[];
    readonly palettes: ArrayLike<number>;
}

export interface Agreement {
    /** One line for each clip that disagrees: clip, frame, joint and error. */
    readonly complaints: string[];
    /** Joint matrices compared. */
    readonly compared: number;
    /** The worst error, in extents. */
    readonly worst: number;
}

/** Compares every frame of every clip of a bake. `limit` is in extents. */
export function compareBake(
    { manifest }: Pick<Baked, 'manifest'>,
    palettes: Float32Array,
    expected: readonly ExpectedClip[],
    yard: Yardstick,
    limit: number,
): Agreement {
    const joints = manifest.skin.joints.length;
    const complaints: string[] = [];
    let compared = 0;
    let worst = 0;
    if (manifest.clips.length !== expected.length) {
        complaints.push(`${manifest.clips.length} clips instead of ${expected.length}`);
    }
    let firstRow = 0;
    for (const [index, { animation, times, palettes: wanted }] of expected.entries()) {
        const clip = manifest.clips[index];
        if (clip === undefined) break;
        const rows = { animation: clip.animation, firstRow: clip.firstRow, frameCount: clip.frameCount };
        const due = { animation, firstRow, frameCount: times.length };
        firstRow += times.length;
        if (JSON.stringify(rows) !== JSON.stringify(due)) {
            complaints.push(`clip ${index}: ${JSON.stringify(rows)} instead of ${JSON.stringify(due)}`);
            continue;
        }
        const width = joints * 16;
        const baked = palettes.subarray(due.firstRow * width, (due.firstRow + due.frameCount) * width);
        const found = worstDisplacement(baked, wanted, joints, yard);
        compared += found.compared;
        const error = found.error / yard.extent;
        worst = Math.max(worst, error);
        if (!(error <= limit)) complaints.push(describeWorst(manifest, index, times, found, error, limit));
    }
    return { complaints, compared, worst };
}

function describeWorst(
    { clips, skin }: Manifest,
    index: number,
    times: readonly number[],
    { row, joint }: { row: number; joint: number },
    error: number,
    limit: number,
): string {
    const bone = `joint ${joint} '${skin.joints[joint]!.name}'`;
    const frame = `frame ${row} of ${times.length} (t = ${times[row]})`;
    return `clip ${index} '${clips[index]!.name}', ${frame}, ${bone}: off by ${error.toExponential(2)} x extent, limit ${limit}`;
}
