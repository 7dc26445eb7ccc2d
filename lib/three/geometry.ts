// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { SharedThree } from './types';

/**
 * A geometry with the same attributes and its own bounds, which contain everything that any clip reaches.
 *
 * @param reach The box around that; null if it is not known.
 * @param mirrored Whether it is drawn inside out. three.js turns the faces of live meshes by the sign of their own
 * matrix.
 */
export function shareGeometry(
    three: SharedThree,
    from: THREE.BufferGeometry,
    reach: THREE.Box3,
    mirrored: boolean,
): THREE.BufferGeometry {
    const geometry = new three.BufferGeometry();
    for (const [name, attribute] of Object.entries(from.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(mirrored ? turned(three, from) : from.index);
    geometry.groups = from.groups;
    geometry.setDrawRange(from.drawRange.start, from.drawRange.count);
    geometry.morphAttributes = from.morphAttributes;
    geometry.morphTargetsRelative = from.morphTargetsRelative;
    geometry.boundingBox = reach.clone();
    geometry.boundingSphere = reach.getBoundingSphere(new three.Sphere());
    return geometry;
}

/** The triangles with reversed winding. */
function turned(three: SharedThree, { index, attributes }: THREE.BufferGeometry): THREE.BufferAttribute {
    const { count } = index ?? attributes.position!;
    const corners = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
        const corner = i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1;
        corners[i] = index ? index.getX(corner) : corner;
    }
    return new three.BufferAttribute(corners, 1);
}
