// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import type { SkinnedPrimitive, SkinnedSurface, Warning } from '../../gltf/scene';
import { finiteWeights, normalizeWeights, weightSumOf } from '../../gltf/skin-weights';
import { interleave } from '../../gltf/skinned-meshes';
import type { Refuse } from './source';

export interface PrimitiveLike {
    getAttribute(semantic: string): AccessorLike | null;
    listTargets(): { getAttribute(semantic: string): AccessorLike | null }[];
}

export interface AccessorLike {
    getCount(): number;
    getElementSize(): number;
    getElement(index: number, target: number[]): number[];
}

/**
 * All elements, normalized integers decoded.
 *
 * @throws InputError `GLTF_INVALID` for an array that does not hold a whole number of elements.
 */
export function floatsOf(accessor: AccessorLike): Float32Array {
    const size = accessor.getElementSize();
    const count = accessor.getCount();
    if (!(Number.isInteger(count) && Number.isInteger(size))) {
        const rule = `the array of an accessor has ${count} elements of ${size} numbers: must be a whole number (3.6.2.2)`;
        throw new InputError('GLTF_INVALID', 'document', '', rule);
    }
    const floats = new Float32Array(count * size);
    const element: number[] = [];
    for (let i = 0; i < count; i++) floats.set(accessor.getElement(i, element), i * size);
    return floats;
}

/**
 * The primitives that a skin can move: those with positions and joints, as in the reader of files.
 *
 * @param warnings Null if the reader of the file has already warned. Weights that are not finite are then treated as 0.
 */
export function primitivesOf(
    primitives: readonly PrimitiveLike[],
    mesh: number,
    refuse: Refuse,
    warnings: Warning[] | null,
): { primitives: SkinnedPrimitive[]; surfaces: SkinnedSurface[] } {
    const found: { primitives: SkinnedPrimitive[]; surfaces: SkinnedSurface[] } = { primitives: [], surfaces: [] };
    for (const [index, primitive] of primitives.entries()) {
        const where = ['meshes', mesh, 'primitives', index];
        const positions = primitive.getAttribute('POSITION');
        const none = ['JOINTS_0', 'WEIGHTS_0'].every((semantic) => primitive.getAttribute(semantic) === null);
        if (positions === null || none) continue;
        const vertices = positions.getCount();
        const joints = setsOf(primitive, 'JOINTS', vertices, where, refuse);
        const weights = setsOf(primitive, 'WEIGHTS', vertices, where, refuse);
        if (joints.length !== weights.length) {
            const sets = `${joints.length} sets of JOINTS_n, ${weights.length} of WEIGHTS_n`;
            refuse([...where, 'attributes'], `${sets}: must be as many (3.7.3.3)`);
        }
        const stored = interleave(weights, new Float32Array(vertices * weights.length * 4));
        const allWeights = warnings === null ? finiteWeights(stored, weights.length * 4, () => {}) : stored;
        found.primitives.push({
            positions: floatsOf(positions),
            influences: joints.length * 4,
            joints: interleave(joints, new Uint16Array(vertices * joints.length * 4)),
            ...weightSumOf(allWeights, weights.length * 4),
            weights: normalizeWeights(allWeights, weights.length * 4, (message) => {
                const pointer = `/${where.join('/')}/attributes/WEIGHTS_0`;
                warnings?.push({ code: 'WEIGHTS_NOT_NORMALIZED', pointer, message });
            }),
        });
        found.surfaces.push(surfaceOf(primitive, index));
    }
    return found;
}

/** Normals and morph targets of a primitive. */
export function surfaceOf(primitive: PrimitiveLike, index: number): SkinnedSurface {
    const vectors = (list: { getAttribute(semantic: string): AccessorLike | null }, semantic: string) => {
        const accessor = list.getAttribute(semantic);
        return accessor === null ? null : floatsOf(accessor);
    };
    return {
        index,
        normals: vectors(primitive, 'NORMAL'),
        targets: primitive.listTargets().map((target) => ({
            positions: vectors(target, 'POSITION'),
            normals: vectors(target, 'NORMAL'),
        })),
    };
}

/** JOINTS_0, JOINTS_1, ... or the weights. */
function setsOf(
    primitive: PrimitiveLike,
    semantic: 'JOINTS' | 'WEIGHTS',
    vertices: number,
    where: readonly (string | number)[],
    refuse: Refuse,
): Float32Array[] {
    const sets: Float32Array[] = [];
    for (;;) {
        const name = `${semantic}_${sets.length}`;
        const accessor = primitive.getAttribute(name);
        if (accessor === null) return sets;
        const at = [...where, 'attributes', name];
        const count = accessor.getCount();
        if (count !== vertices) refuse(at, `has ${count} vertices, POSITION has ${vertices} (3.7.2.1)`);
        const size = accessor.getElementSize();
        if (size !== 4) refuse(at, `has ${size} numbers for each vertex, must have 4 (3.7.3.3)`);
        const floats = floatsOf(accessor);
        const wrong = semantic === 'WEIGHTS' ? -1 : floats.findIndex((joint) => joint !== (joint & 0xffff));
        if (wrong >= 0) refuse(at, `vertex ${wrong >> 2} has joint ${floats[wrong]}, must be 0 to 65535 (3.7.3.3)`);
        sets.push(floats);
    }
}
