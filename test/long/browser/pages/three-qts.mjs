// SPDX-License-Identifier: MIT

/** Crowds from palettes of layout qts16, beside the same poses as matrices that three.js makes here, and the float palette. */

import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { frozen, openTable } from './tables.mjs';
import { load, openBaked } from './three.mjs';

/** Rotation, pivot and scale of a column, or its 3x4 matrix, mixed in double precision. */
function mixed(a, b, part) {
    if (Array.isArray(a)) return a.map((value, i) => value + (b[i] - value) * part);
    const sign = a.turn.dot(b.turn) < 0 ? -1 : 1;
    const numbers = a.turn.toArray().map((value, i) => value * (1 - part) + b.turn.toArray()[i] * sign * part);
    return {
        turn: new THREE.Quaternion(...numbers).normalize(),
        pivot: a.pivot.clone().lerp(b.pivot, part),
        scale: a.scale + (b.scale - a.scale) * part,
    };
}

/** The matrices of the pose of each instance, column-major. */
function matricesOf(table, clips, times, fade) {
    const { data, pivots, rowFloats } = table.arrays.palette;
    const numbers = new Float16Array(data.buffer, data.byteOffset, data.length);
    const columnAt = (row, column) => {
        const at = row * rowFloats + column * 8;
        const third = pivots[column * 4 + 3];
        if (third > 0) return [at, at + 4, row * rowFloats + third * 4].flatMap((k) => [...numbers.subarray(k, k + 4)]);
        const [x, y, z, w, px, py, pz, scale] = numbers.subarray(at, at + 8);
        return { turn: new THREE.Quaternion(x, y, z, w), pivot: new THREE.Vector3(px, py, pz), scale };
    };
    const places = table.rowsAt(clips, times, new Float32Array(times.length * 3));
    const others = table.rowsAt(fade.clips, fade.times, new Float32Array(times.length * 3));
    const out = new Float32Array(times.length * table.columns * 16);
    for (let i = 0; i < times.length; i++) {
        for (let column = 0; column < table.columns; column++) {
            const between = ([row, next, part]) => {
                const from = columnAt(row, column);
                return part > 0 ? mixed(from, columnAt(next, column), part) : from;
            };
            let shown = between(places.subarray(i * 3, i * 3 + 3));
            const weight = fade.weight[i];
            if (weight > 0) {
                shown = mixed(shown, between(others.subarray(i * 3, i * 3 + 3)), weight);
            }
            const bind = new THREE.Vector3().fromArray(pivots, column * 4);
            const matrix = new THREE.Matrix4();
            let { pivot } = shown;
            if (Array.isArray(shown)) {
                const [a, b, c, x, d, e, f, y, g, h, k, z] = shown;
                matrix.set(a, b, c, 0, d, e, f, 0, g, h, k, 0, 0, 0, 0, 1);
                pivot = new THREE.Vector3(x, y, z);
            } else {
                const size = new THREE.Vector3(shown.scale, shown.scale, shown.scale);
                matrix.compose(new THREE.Vector3(), shown.turn.clone().normalize(), size);
            }
            matrix.setPosition(pivot.clone().sub(bind.applyMatrix4(matrix)));
            out.set(matrix.elements, (i * table.columns + column) * 16);
        }
    }
    return out;
}

/**
 * Instances in a grid, each at its own clip and time between rows; every other one fades. `matrices`: against the matrices calculated
 * here; `unfaded`: against no fades; `floats`: that against the float palette.
 */
export const compareQts = async ({ model, qts, floats, side, maxSize }) => {
    const table = await openTable(qts, 'palette');
    const other = await openTable(floats, 'palette');
    const count = side * side;
    const clips = Uint16Array.from({ length: count }, (_, i) => i % table.clips.length);
    const times = Float64Array.from(clips, (clip, i) => table.clips[clip].duration * (((i * 37) % 101) / 101));
    const fade = {
        clips: clips.map((_, i) => clips[(i + 1) % count]),
        times: times.map((_, i) => times[(i + 1) % count]),
        weight: Float32Array.from(clips, (_, i) => (i % 2 === 0 ? 0 : i / count)),
    };
    const size = new THREE.Box3()
        .setFromObject((await load(model)).scene, true)
        .getSize(new THREE.Vector3())
        .length();
    const box = new THREE.Box3(new THREE.Vector3(0, 0, 0), new THREE.Vector3(side, 1, side).multiplyScalar(size));
    const picture = async (of, pose) => {
        const { crowd, draw } = await openBaked({ model, tables: [of], whole: true, box, count, maxSize });
        for (let i = 0; i < count; i++) {
            const place = new THREE.Matrix4().makeTranslation((i % side) * size, 0, Math.floor(i / side) * size);
            crowd.setMatrixAt(i, place);
        }
        pose(crowd);
        return draw();
    };
    const shown = await picture(table, (crowd) => crowd.pose(clips, times, { to: fade }));
    const still = frozen(table, matricesOf(table, clips, times, fade));
    const own = Uint16Array.from(clips, (_, i) => i);
    const meant = await picture(still, (crowd) => crowd.pose(own, new Float64Array(count)));
    const unfaded = await picture(table, (crowd) => crowd.pose(clips, times));
    return {
        matrices: comparePixels(shown, meant),
        unfaded: comparePixels(shown, unfaded).differing,
        floats: comparePixels(unfaded, await picture(other, (crowd) => crowd.pose(clips, times))).differing,
    };
};
