// SPDX-License-Identifier: MIT

/** Three live characters, and a crowd of three at their places, clips and times; and what the shader interpolates. */

import { BakedTable } from 'poselane/table';
import { createBakedCrowd } from 'poselane/three';
import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { draw, load, openTable, playLive } from './three-stage.mjs';

const table = await openTable('bake');
const json = table.manifest;

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
    const live = [];
    for (const [i, place] of places.entries()) {
        const model = await load();
        playLive(model, clips[i], times[i]);
        const group = new THREE.Group().add(model.gltf.scene);
        group.applyMatrix4(place);
        live.push(group);
    }
    const { gltf } = await load();
    const crowd = createBakedCrowd(THREE, table, gltf, 3, { maxSize });
    for (const [i, place] of places.entries()) crowd.setMatrixAt(i, place);
    crowd.pose(clips, times);
    const result = comparePixels(await draw(...live), await draw(crowd.group));
    // A control: one of them a few frames later.
    times[2] += 0.1;
    crowd.pose(clips, times);
    times[2] -= 0.1;
    return { ...result, later: comparePixels(await draw(...live), await draw(crowd.group)).differing };
};

/** A bake of one clip of one frame: `palette`. */
function frozen(palette, layout = 'mat4') {
    const floats = layout === 'mat4' ? 16 : 12;
    const array = { byteOffset: 0, byteLength: palette.byteLength, layout, shape: [1, table.joints.length, floats] };
    const dtype = palette instanceof Uint16Array ? 'f16' : 'f32';
    const clip = { ...json.clips[0], firstRow: 0, frameCount: 1, duration: 0, fps: null, discontinuities: [] };
    const binary = { byteLength: palette.byteLength };
    const manifest = { ...json, binary, clips: [clip], arrays: { palette: { ...array, dtype } } };
    return BakedTable.open(manifest, new Uint8Array(palette.buffer));
}

/** At a time between two rows: the shader's mixture against that of `sample`, as 4x4 and as 3x4 matrices; half floats against the floats that they are. */
export const compareBetween = async () => {
    const { gltf } = await load();
    const time = Float64Array.of((table.frameTime(2, 20) + table.frameTime(2, 21)) / 2);
    const mixed = table.sample('palette', 2, time, new Float32Array(table.arrays.palette.rowFloats));
    const rows = Float32Array.from({ length: (mixed.length / 16) * 12 }, (_, i) => {
        const [joint, row, column] = [Math.floor(i / 12), Math.floor((i % 12) / 4), i % 4];
        return mixed[joint * 16 + column * 4 + row];
    });
    const halves = new Float16Array(mixed);
    const picture = (of, clip, at) => {
        const crowd = createBakedCrowd(THREE, of, gltf, 1);
        crowd.pose(clip, at);
        return draw(crowd.group);
    };
    const between = await picture(table, 2, time);
    const still = Float64Array.of(0);
    return {
        mat4: comparePixels(between, await picture(frozen(mixed), 0, still)),
        mat3x4: comparePixels(await picture(frozen(mixed), 0, still), await picture(frozen(rows, 'mat3x4'), 0, still)),
        f16: comparePixels(
            await picture(frozen(Float32Array.from(halves)), 0, still),
            await picture(frozen(new Uint16Array(halves.buffer)), 0, still),
        ),
        rowBefore: comparePixels(between, await picture(table, 2, Float64Array.of(table.frameTime(2, 20)))),
    };
};
