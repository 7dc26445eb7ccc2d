// SPDX-License-Identifier: MIT

/** The vertices of a model: which nothing moves, and what moves the others. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { MovedVertices } from '../table/reach';
import type { Influences } from '../table/row-mix';
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

/** The vertices that columns of tables move, and how. */
export function* movedVertices(parts: readonly Part[]): Generator<MovedVertices> {
    for (const { mesh, follows, table, column } of parts) {
        if (follows === 'rest') continue;
        const { attributes, morphAttributes, morphTargetsRelative } = mesh.geometry;
        const positions = numbersOf(attributes.position!);
        const by = follows === 'column' ? column : influencesOf(attributes.skinIndex!, attributes.skinWeight!);
        const targets = (morphAttributes.position ?? []).map((target) => {
            const own = numbersOf(target);
            return morphTargetsRelative ? own.map((value, i) => value + positions[i]!) : own;
        });
        yield { table, by, positions, targets };
    }
}

type Attribute = THREE.BufferAttribute | THREE.InterleavedBufferAttribute;

const numbersOf = (attribute: Attribute) =>
    Float32Array.from({ length: attribute.count * 3 }, (_, i) => attribute.getComponent(Math.floor(i / 3), i % 3));

export function influencesOf(joints: Attribute, weights: Attribute): Influences {
    const component = (k: number) => [k >> 2, k & 3] as const;
    const of = ({ count }: Attribute) => ({ length: count * 4 });
    return {
        joints: Uint16Array.from(of(joints), (_, k) => joints.getComponent(...component(k))),
        weights: Float32Array.from(of(weights), (_, k) => weights.getComponent(...component(k))),
    };
}
