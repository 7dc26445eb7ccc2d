// SPDX-License-Identifier: MIT

/** Three live characters, and a crowd of three at their places, clips and times; and the shader's interpolation. */

import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { frozen, openTable } from './tables.mjs';
import { openBaked, openLive, plainStage } from './three.mjs';

const table = await openTable('bake');

const places = [-1, 0, 1].map((x, i) =>
    new THREE.Matrix4()
        .makeRotationY(i - 1)
        .setPosition(x, 0, 0)
        .scale(new THREE.Vector3(1, 1, 1).multiplyScalar(1 - 0.2 * i)),
);
const clips = Uint16Array.of(2, 0, 1);
const frames = [20, 60, 12];
const times = Float64Array.from(frames, (frame, i) => table.frameTime(clips[i], frame));

export const compareCrowd = async (maxSize) => {
    const groups = [];
    for (const [i, place] of places.entries()) {
        const live = await openLive({});
        live.pose(clips[i], times[i]);
        const group = new THREE.Group().add(live.model);
        group.applyMatrix4(place);
        groups.push(group);
    }
    const expected = await plainStage(...groups).draw();
    const { crowd, draw } = await openBaked({ tables: [table], count: 3, maxSize });
    for (const [i, place] of places.entries()) crowd.setMatrixAt(i, place);
    crowd.pose(clips, times);
    const result = comparePixels(expected, await draw());
    // A control: one of them a few frames later.
    times[2] += 0.1;
    crowd.pose(clips, times);
    times[2] -= 0.1;
    return { ...result, later: comparePixels(expected, await draw()).differing };
};

/** At a time between two rows: the shader's mixture against that of `sample`, as 4x4 and as 3x4 matrices; half floats against the floats that they are. */
export const compareBetween = async () => {
    const time = Float64Array.of((table.frameTime(2, 20) + table.frameTime(2, 21)) / 2);
    const mixed = table.sample('palette', 2, time, new Float32Array(table.arrays.palette.rowFloats));
    const rows = Float32Array.from({ length: (mixed.length / 16) * 12 }, (_, i) => {
        const [joint, row, column] = [Math.floor(i / 12), Math.floor((i % 12) / 4), i % 4];
        return mixed[joint * 16 + column * 4 + row];
    });
    const halves = new Float16Array(mixed);
    const picture = async (of, clip, at) => {
        const { crowd, draw } = await openBaked({ tables: [of] });
        crowd.pose(clip, at);
        return draw();
    };
    const between = await picture(table, 2, time);
    const still = Float64Array.of(0);
    return {
        mat4: comparePixels(between, await picture(frozen(table, mixed), 0, still)),
        mat3x4: comparePixels(
            await picture(frozen(table, mixed), 0, still),
            await picture(frozen(table, rows, 'mat3x4'), 0, still),
        ),
        f16: comparePixels(
            await picture(frozen(table, Float32Array.from(halves)), 0, still),
            await picture(frozen(table, new Uint16Array(halves.buffer)), 0, still),
        ),
        rowBefore: comparePixels(between, await picture(table, 2, Float64Array.of(table.frameTime(2, 20)))),
    };
};
