// SPDX-License-Identifier: MIT

/** Boxes around everything that meshes reach. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { Palettes } from '../table/palettes';
import type { Part } from './model';
import type { SharedThree } from './types';

/** The box around the meshes that nothing moves. */
export function restOf(three: SharedThree, parts: readonly Part[]): THREE.Box3 {
    const rest = new three.Box3();
    for (const part of parts.filter(({ follows }) => follows === 'rest')) {
        const { boundingBox, attributes } = part.mesh.geometry;
        const own =
            boundingBox?.clone() ??
            new three.Box3().setFromBufferAttribute(attributes.position as THREE.BufferAttribute);
        rest.union(own.applyMatrix4(part.rest));
    }
    return rest;
}

/** For each table, `[column][6]`: minimum and maximum of the vertices that the column moves; Infinity if none. */
export function columnBoxes(tables: readonly Palettes[], parts: readonly Part[]): readonly Float64Array[] {
    const boxes = tables.map(({ columns }) =>
        Float64Array.from({ length: columns * 6 }, (_, i) => (i % 6 < 3 ? Infinity : -Infinity)),
    );
    for (const { mesh, follows, table, column } of parts) {
        if (follows === 'rest') continue;
        const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
        const targets = mesh.geometry.morphAttributes.position ?? [];
        const { morphTargetsRelative } = mesh.geometry;
        const grow = (moved: number, axis: number, low: number, high: number) => {
            const [box, at] = [boxes[table]!, moved * 6 + axis];
            box[at] = Math.min(box[at]!, low);
            box[at + 3] = Math.max(box[at + 3]!, high);
        };
        for (let v = 0; v < position!.count; v++) {
            for (let axis = 0; axis < 3; axis++) {
                const from = position!.getComponent(v, axis);
                // With any weights from 0 to 1.
                let [low, high] = [from, from];
                for (const target of targets) {
                    const by = target.getComponent(v, axis) - (morphTargetsRelative ? 0 : from);
                    if (by < 0) low += by;
                    else high += by;
                }
                if (follows === 'column') grow(column, axis, low, high);
                for (let k = 0; follows === 'joints' && k < 4; k++) {
                    if (skinWeight!.getComponent(v, k) > 0) grow(skinIndex!.getComponent(v, k), axis, low, high);
                }
            }
        }
    }
    return boxes;
}

/**
 * Grows `target` by the boxes of all columns, moved by a row of 3x4 matrices. A vertex lies between the places to which
 * its joints move it, so it is inside.
 */
export function growByRow(target: THREE.Box3, boxes: Float64Array, rows: ArrayLike<number>, at: number): void {
    const { min, max } = target;
    let [x0, y0, z0, x1, y1, z1] = [min.x, min.y, min.z, max.x, max.y, max.z];
    for (let box = 0, m = at; box < boxes.length; box += 6, m += 12) {
        const [low, high] = [boxes[box]!, boxes[box + 3]!];
        if (low > high) continue;
        const x = (low + high) / 2;
        const y = (boxes[box + 1]! + boxes[box + 4]!) / 2;
        const z = (boxes[box + 2]! + boxes[box + 5]!) / 2;
        const [dx, dy, dz] = [high - x, boxes[box + 4]! - y, boxes[box + 5]! - z];
        for (let row = 0; row < 3; row++) {
            const [a, b, c] = [rows[m + row * 4]!, rows[m + row * 4 + 1]!, rows[m + row * 4 + 2]!];
            const center = a * x + b * y + c * z + rows[m + row * 4 + 3]!;
            const half = Math.abs(a) * dx + Math.abs(b) * dy + Math.abs(c) * dz;
            if (row === 0) {
                x0 = Math.min(x0, center - half);
                x1 = Math.max(x1, center + half);
            } else if (row === 1) {
                y0 = Math.min(y0, center - half);
                y1 = Math.max(y1, center + half);
            } else {
                z0 = Math.min(z0, center - half);
                z1 = Math.max(z1, center + half);
            }
        }
    }
    min.set(x0, y0, z0);
    max.set(x1, y1, z1);
}
