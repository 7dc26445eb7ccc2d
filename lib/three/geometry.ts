// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import type { ThreeLike } from './types';

/** The same attributes in a geometry of its own, which takes in all that any clip reaches. */
export function shareGeometry(three: ThreeLike, from: THREE.BufferGeometry, table: BakedTable): THREE.BufferGeometry {
    const geometry = new three.BufferGeometry();
    for (const [name, attribute] of Object.entries(from.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(from.index);
    geometry.groups = from.groups;
    geometry.setDrawRange(from.drawRange.start, from.drawRange.count);
    geometry.morphAttributes = from.morphAttributes;
    geometry.morphTargetsRelative = from.morphTargetsRelative;
    if (table.clips.every(({ bounds }) => bounds !== undefined)) {
        const box = new three.Box3();
        for (const { bounds } of table.clips) {
            box.expandByPoint(new three.Vector3().fromArray(bounds!, 0));
            box.expandByPoint(new three.Vector3().fromArray(bounds!, 3));
        }
        geometry.boundingBox = box;
        geometry.boundingSphere = box.getBoundingSphere(new three.Sphere());
    }
    return geometry;
}
