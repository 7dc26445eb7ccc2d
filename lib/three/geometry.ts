// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { type Rescaled, rescale } from '../table/rescaled';
import type { SharedThree } from './types';

/**
 * A geometry with the same attributes and its own bounds, which contain everything that any clip reaches.
 *
 * @param reach The box around that; null if it is not known.
 * @param mirrored Whether it is drawn inside out. three.js turns the faces of live meshes by the sign of their own
 * matrix.
 * @param rescaled Moves the vertices into the space of the palette; null if they are in it.
 */
export function shareGeometry(
    three: SharedThree,
    from: THREE.BufferGeometry,
    reach: THREE.Box3,
    mirrored: boolean,
    rescaled: Rescaled | null,
): THREE.BufferGeometry {
    const geometry = new three.BufferGeometry();
    for (const [name, attribute] of Object.entries(from.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(mirrored ? turned(three, from) : from.index);
    geometry.groups = from.groups;
    geometry.setDrawRange(from.drawRange.start, from.drawRange.count);
    geometry.morphAttributes = from.morphAttributes;
    geometry.morphTargetsRelative = from.morphTargetsRelative;
    if (rescaled !== null) rescaleGeometry(three, geometry, rescaled);
    geometry.boundingBox = reach.clone();
    geometry.boundingSphere = reach.getBoundingSphere(new three.Sphere());
    return geometry;
}

type Attribute = THREE.BufferGeometry['attributes'][string];

function rescaleGeometry(three: SharedThree, geometry: THREE.BufferGeometry, rescaled: Rescaled): void {
    const moved = (attribute: Attribute, by: Rescaled) => {
        const positions = new Float32Array(attribute.count * 3);
        for (let i = 0; i < positions.length; i++) positions[i] = attribute.getComponent(Math.floor(i / 3), i % 3);
        return Object.assign(new three.BufferAttribute(rescale(positions, by), 3), { name: attribute.name });
    };
    const displaced = geometry.morphTargetsRelative ? { ...rescaled, translation: [0, 0, 0] } : rescaled;
    const { position: targets } = geometry.morphAttributes;
    if (targets !== undefined) {
        const position = targets.map((target) => moved(target, displaced));
        geometry.morphAttributes = { ...geometry.morphAttributes, position };
    }
    geometry.setAttribute('position', moved(geometry.attributes.position!, rescaled));
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
