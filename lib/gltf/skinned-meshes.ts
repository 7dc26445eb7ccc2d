// SPDX-License-Identifier: MIT

import { cached } from '../base/cached';
import { checkFinite } from './contents';
import { invalid, type Report, warn } from './reading';
import type { GltfScene, SkinnedMesh, SkinnedPrimitive, SkinnedSurface } from './scene';
import { finiteWeights, normalizeWeights, weightSumOf } from './skin-weights';
import type { Decoded } from './stored';
import type { CheckedGltf } from './validate';
import type { AccessorInfo } from './validate/accessors';
import type { CheckedInstances } from './validate/instances';
import type { CheckedPrimitive, CheckedSurface } from './validate/meshes';

interface Built {
    readonly primitive: SkinnedPrimitive;
    /** Maximum of the joints with a non-zero weight. */
    readonly lastJoint: number;
}

/** Interleaves the sets JOINTS_0, JOINTS_1, ...: `sets.length` times 4 numbers for each vertex. */
export function interleave<T extends Float32Array | Uint16Array>(sets: readonly ArrayLike<number>[], into: T): T {
    const influences = sets.length * 4;
    for (const [n, set] of sets.entries()) {
        for (let i = 0; i < set.length; i++) into[(i >> 2) * influences + n * 4 + (i & 3)] = set[i]!;
    }
    return into;
}

/** glTF 2.0, 3.7.3.3: weights must not be negative. */
function checkWeights(weights: Float32Array, info: AccessorInfo, pointer: string, report: Report): void {
    // A loop: `findIndex` allocates each number.
    let at = 0;
    while (at < weights.length && !(weights[at]! < 0 && weights[at]! > -Infinity)) at++;
    if (at === weights.length) return;
    const message = `accessor ${info.index}: vertex ${at >> 2} has weight ${weights[at]}, must not be negative (3.7.3.3); export weights from 0 to 1`;
    warn(report, 'NEGATIVE_WEIGHT', pointer, message);
}

function findLastJoint({ joints, weights }: SkinnedPrimitive): number {
    let last = -1;
    for (let i = 0; i < joints.length; i++) if (joints[i]! > last && weights[i] !== 0) last = joints[i]!;
    return last;
}

/** glTF 2.0, 3.7.3.3: every joint with a weight must be one of the skin's. */
function checkJoints(built: Built, checked: CheckedPrimitive, skin: number, jointCount: number, report: Report): void {
    if (built.lastJoint < jointCount) return;
    const { joints, weights, influences } = built.primitive;
    const at = joints.findIndex((joint, i) => joint >= jointCount && weights[i] !== 0);
    const set = (at % influences) >> 2;
    const vertex = Math.floor(at / influences);
    const rule = `vertex ${vertex} has joint ${joints[at]}, skin ${skin} has ${jointCount} joints (3.7.3.3)`;
    const accessor = checked.joints[set]!.index;
    invalid(report, `${checked.pointer}/attributes/JOINTS_${set}`, `accessor ${accessor}: ${rule}`);
}

/**
 * The skinned meshes and the requested meshes without a skin, with their vertices. Nodes and primitives can share
 * meshes and accessors any number of times, so each combination of accessors is assembled and checked once.
 *
 * @param skinning Whether vertices will be skinned. Weights must then be finite.
 */
export function buildMeshes(
    { skinnedMeshes, rigidMeshes, skins }: Pick<CheckedGltf, 'skinnedMeshes' | 'rigidMeshes' | 'skins'>,
    decoded: Decoded,
    report: Report,
    skinning: boolean,
): Pick<GltfScene, 'skinnedMeshes' | 'rigidMeshes'> {
    const checkedInfos = new Set<AccessorInfo>();
    const byAccessors = new Map<string, Built>();
    const byWeights = new Map<string, Pick<SkinnedPrimitive, 'weights' | 'weightSum'>>();
    const byMesh = new Map<number, { list: Built[]; surfaces: SkinnedSurface[] }>();

    function once(info: AccessorInfo, check: () => void): void {
        if (!checkedInfos.has(info)) check();
        checkedInfos.add(info);
    }

    function build(checked: CheckedPrimitive): Built {
        const key = [checked.position, ...checked.joints, ...checked.weights].map(({ index }) => index).join();
        return cached(byAccessors, key, () => assemble(checked));
    }

    function assemble(checked: CheckedPrimitive): Built {
        const at = `${checked.pointer}/attributes`;
        const positions = decoded.floats(checked.position);
        once(checked.position, () => checkFinite(positions, checked.position, `${at}/POSITION`, report));
        const joints = checked.joints.map((info) => decoded.unsignedShorts(info));
        const influences = joints.length * 4;
        const length = checked.position.count * influences;
        const primitive = {
            positions,
            influences,
            joints: joints.length === 1 ? joints[0]! : interleave(joints, new Uint16Array(length)),
            ...cached(byWeights, checked.weights.map(({ index }) => index).join(), () => influencesOf(checked, length)),
        };
        return { primitive, lastJoint: findLastJoint(primitive) };
    }

    function influencesOf({ weights: infos, pointer }: CheckedPrimitive, length: number) {
        const at = `${pointer}/attributes/WEIGHTS_`;
        const sets = infos.map((info, n) => {
            const set = decoded.floats(info);
            once(info, () => {
                // Skinned vertices would be wrong; nothing else needs finite weights.
                if (skinning) checkFinite(set, info, `${at}${n}`, report);
                checkWeights(set, info, `${at}${n}`, report);
            });
            return set;
        });
        const stored = sets.length === 1 ? sets[0]! : interleave(sets, new Float32Array(length));
        const all = finiteWeights(stored, sets.length * 4, (message) =>
            warn(report, 'WEIGHTS_NOT_FINITE', pointer, message),
        );
        const weights = normalizeWeights(all, sets.length * 4, (message) =>
            warn(report, 'WEIGHTS_NOT_NORMALIZED', `${at}0`, message),
        );
        return { weights, ...weightSumOf(all, sets.length * 4) };
    }

    function instancesOf({ count, pointer, translation, rotation, scale }: CheckedInstances): Float32Array {
        const places = new Float32Array(count * 10);
        for (const [info, at, rest] of [
            [translation, 0, [0, 0, 0]],
            [rotation, 3, [0, 0, 0, 1]],
            [scale, 7, [1, 1, 1]],
        ] as const) {
            const numbers = info === null ? null : vectors(info, pointer);
            for (let i = 0; i < count; i++)
                for (let c = 0; c < rest.length; c++)
                    places[i * 10 + at + c] = numbers === null ? rest[c]! : numbers[i * rest.length + c]!;
        }
        return places;
    }

    function vectors(info: AccessorInfo | null, pointer: string, loose = false): Float32Array | null {
        if (info === null) return null;
        const floats = decoded.floats(info);
        if (!loose) once(info, () => checkFinite(floats, info, pointer, report));
        return floats;
    }

    function buildSurface({ index, loose, normal, targets }: CheckedSurface, pointer: string): SkinnedSurface {
        return {
            index,
            normals: vectors(normal, `${pointer}/attributes/NORMAL`),
            targets: targets.map((target, n) => ({
                positions: vectors(target.position, `${pointer}/targets/${n}/POSITION`, loose),
                normals: vectors(target.normal, `${pointer}/targets/${n}/NORMAL`),
            })),
        };
    }

    function surfacesOf(primitives: readonly CheckedPrimitive[]): SkinnedSurface[] {
        return primitives.flatMap(({ surface, pointer }) => (surface === null ? [] : [buildSurface(surface, pointer)]));
    }

    const skinned = skinnedMeshes.map(({ node, mesh, skin, primitives, instances }): SkinnedMesh => {
        const { list, surfaces } = cached(byMesh, mesh, () => {
            return { list: primitives.map(build), surfaces: surfacesOf(primitives) };
        });
        const count = skins[skin]!.joints.length;
        for (const [i, built] of list.entries()) checkJoints(built, primitives[i]!, skin, count, report);
        const own = { node, mesh, skin, primitives: list.map(({ primitive }) => primitive), surfaces };
        return instances === null ? own : { ...own, instances: instancesOf(instances) };
    });
    const rigid = rigidMeshes?.map(({ primitives, instances, ...mesh }) => ({
        ...mesh,
        ...(instances === null ? {} : { instances: instancesOf(instances) }),
        primitives: primitives.map((checked) => build(checked).primitive),
        surfaces: surfacesOf(primitives),
    }));
    return { skinnedMeshes: skinned, rigidMeshes: rigid };
}
