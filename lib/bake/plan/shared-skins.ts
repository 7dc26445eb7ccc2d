// SPDX-License-Identifier: MIT

import { decodedLimit } from '../../gltf/limits';
import type { GltfScene, Rescaling, SkinnedMesh } from '../../gltf/scene';
import { sameSkins } from '../../rig/measure/characters';
import { centredBoxes, squaredReach } from '../../rig/measure/displacement';
import { addOrigins, squaredDiagonal } from '../../rig/measure/extent';
import { emptyBox } from '../../rig/measure/geometry';
import { affineAt, solve } from './related-skins';

/** Maximum displacement of vertices at rest by sharing a palette, relative to their box: some roundings of float32. */
const MAX_SHARE = 2 ** -20;

/** Squared diagonals of boxes whose vertices float32 holds without loss. */
const SMALLEST = 2 ** -200;
const LARGEST = 2 ** 200;

/** Number of different skins with the same joints that a further one is compared with. */
const MAX_COMPARED = 16;

/** Skins with the same joints and inverse bind matrices. */
interface Group {
    readonly members: readonly number[];
    readonly meshes: SkinnedMesh[];
}

/**
 * The scene with one palette for skins that tools have quantized mesh by mesh: with the same joints, and inverse bind
 * matrices that differ by one scale and translation. The first skin's matrices replace the others', whose vertices move
 * into the first one's space. So these skins are then equal.
 */
export function withSharedSkins(scene: GltfScene): GltfScene {
    const groups = sameSkins(scene).map((members): Group => ({ members, meshes: [] }));
    const groupOf = new Map(groups.flatMap((group) => group.members.map((skin) => [skin, group])));
    for (const mesh of scene.skinnedMeshes) groupOf.get(mesh.skin)!.meshes.push(mesh);
    const skins = [...scene.skins];
    const families = new Map<string, Group[]>();
    // Skins can share meshes any number of times.
    let left = decodedLimit(scene.ownBytes ?? { stored: 0, expanded: 0 });
    for (const group of groups) {
        const joints = scene.skins[group.members[0]!]!.joints.join();
        const family = families.get(joints) ?? [];
        const isShared = family.some((first) => {
            left -= [...first.meshes, ...group.meshes].reduce((sum, mesh) => sum + numbersIn(mesh), 0);
            const rescaling = left < 0 || first.meshes.length === 0 ? null : rescalingOf(scene, first, group);
            const { inverseBindMatrices } = scene.skins[first.members[0]!]!;
            for (const skin of rescaling === null ? [] : group.members)
                skins[skin] = { ...scene.skins[skin]!, inverseBindMatrices, rescaling: rescaling! };
            return rescaling !== null;
        });
        if (!isShared && family.length < MAX_COMPARED) families.set(joints, [...family, group]);
    }
    if (skins.every(({ rescaling }) => rescaling === undefined)) return scene;
    const skinnedMeshes = scene.skinnedMeshes.map((mesh) => {
        const { rescaling } = skins[mesh.skin]!;
        return rescaling === undefined ? mesh : { ...mesh, ...rescaled(mesh, rescaling) };
    });
    return { ...scene, skins, skinnedMeshes };
}

function numbersIn({ primitives, surfaces = [] }: SkinnedMesh): number {
    const targets = surfaces.flatMap((surface) => surface.targets.flatMap(({ positions }) => positions ?? []));
    return [...primitives.map(({ positions }) => positions), ...targets].reduce((sum, { length }) => sum + length, 0);
}

/** Null if the skins cannot share a palette. */
function rescalingOf({ skins }: GltfScene, first: Group, group: Group): Rescaling | null {
    const [own, other] = [skins[first.members[0]!]!, skins[group.members[0]!]!];
    const factors = own.joints.map((_, joint) => solve(affineAt(own, joint), affineAt(other, joint)));
    const mean = (of: (factor: NonNullable<(typeof factors)[number]>) => number) =>
        factors.reduce((sum, factor) => sum + (factor === null ? NaN : of(factor)), 0) / factors.length;
    const scale = mean(({ linear }) => (linear[0]! + linear[4]! + linear[8]!) / 3);
    const [x, y, z] = [0, 1, 2].map((axis) => mean(({ place }) => place[axis]!)) as [number, number, number];
    if (!(scale > 0 && Number.isFinite(x + y + z))) return null;
    const residuals = new Float64Array(factors.length * 12);
    for (const [joint, factor] of factors.entries()) {
        const { linear, place } = factor!;
        for (let row = 0; row < 3; row++) {
            const [a, b, c] = [0, 1, 2].map((column) => linear[row * 3 + column]! / scale) as [number, number, number];
            for (const [column, number] of [a, b, c, place[row]! - (a * x + b * y + c * z)].entries())
                residuals[joint * 12 + column * 3 + row] = number - (row === column ? 1 : 0);
        }
    }
    const found: Rescaling = { scale, translation: [x, y, z], residuals };
    const box = emptyBox();
    for (const { primitives } of [...first.meshes, ...group.meshes.map((mesh) => rescaled(mesh, found))]) {
        for (const { positions } of primitives) addOrigins(box, positions);
    }
    const size = squaredDiagonal(box);
    // The vertices become float32.
    if (!(size > SMALLEST && size < LARGEST)) return null;
    const centred = centredBoxes(box);
    const worst = factors.reduce(
        (max, _, joint) => squaredReach(centred, 0, residuals.subarray(joint * 12, joint * 12 + 12), max),
        0,
    );
    return worst <= MAX_SHARE * MAX_SHARE * size ? found : null;
}

/** The vertices and morph targets of a mesh in the space of the shared palette. */
export function rescaled<T extends Pick<SkinnedMesh, 'primitives' | 'surfaces'>>(
    { primitives, surfaces }: T,
    { scale, translation }: Rescaling,
): Pick<T, 'primitives' | 'surfaces'> {
    return {
        primitives: primitives.map((primitive) => ({
            ...primitive,
            positions: primitive.positions.map((x, i) => scale * x + translation[i % 3]!),
        })),
        surfaces: surfaces?.map((surface) => ({
            ...surface,
            targets: surface.targets.map((target) => ({
                ...target,
                positions: target.positions?.map((x) => scale * x) ?? null,
            })),
        })),
    };
}
