// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { rescale } from '../table/rescaled';
import { nameOf, type Part } from './model';

/** A mesh whose vertices are those of the palette: not an instance, and without shared geometry where it changes. */
export function ownMesh({ mesh, column, rescaled }: Part): BABYLON.Mesh {
    let own = mesh as BABYLON.Mesh;
    if (mesh.isAnInstance) {
        own = (mesh as BABYLON.InstancedMesh).sourceMesh.clone(mesh.name, mesh.parent, true);
        mesh.isVisible = false;
    }
    if ((column >= 0 || rescaled !== null) && own.geometry!.meshes.length > 1) own.makeGeometryUnique();
    if (rescaled === null) return own;
    const moved = (positions: BABYLON.FloatArray) => rescale(Float32Array.from(positions), rescaled);
    own.setVerticesData('position', moved(own.getVerticesData('position')!));
    if (own.morphTargetManager === null) return own;
    own.morphTargetManager = own.morphTargetManager.clone();
    for (let i = 0; i < own.morphTargetManager.numTargets; i++) {
        const target = own.morphTargetManager.getTarget(i);
        const positions = target.getPositions();
        if (positions !== null) target.setPositions(moved(positions));
    }
    return own;
}

/** Gives a mesh without a skin a single joint: the column. */
export function attach(mesh: BABYLON.Mesh, { column, mirrored }: Part): void {
    const vertices = mesh.getTotalVertices();
    const first = (value: number) => Float32Array.from({ length: vertices * 4 }, (_, i) => (i % 4 === 0 ? value : 0));
    mesh.setVerticesData('matricesIndices', first(column));
    mesh.setVerticesData('matricesWeights', first(1));
    mesh.numBoneInfluencers = 1;
    if (mirrored) turn(mesh);
    // The column contains the node's scale, so normals need the inverse transpose, as those of live meshes do.
    Object.defineProperty(mesh, 'nonUniformScaling', { value: true });
}

/** Moves a mesh into the palette's space, without its own transform. `undefined`: under the file's `__root__`. */
export function placeUnder(root: BABYLON.Node | null | undefined, mesh: BABYLON.Mesh, skinned: boolean): void {
    const isMirrored = () => mesh.computeWorldMatrix(true).determinant() < 0;
    const before = isMirrored();
    const nonUniform = mesh.nonUniformScaling;
    const parent = root === undefined ? rootOf(mesh) : root;
    // Its other children keep their position.
    for (const child of mesh.getChildren()) {
        if ('setParent' in child) (child as BABYLON.TransformNode).setParent(mesh.parent);
    }
    mesh.parent = parent;
    mesh.position.setAll(0);
    mesh.rotationQuaternion = null;
    mesh.rotation.setAll(0);
    mesh.scaling.setAll(1);
    if (isMirrored() !== before && skinned) turn(mesh);
    if (nonUniform && skinned) Object.defineProperty(mesh, 'nonUniformScaling', { value: true });
}

/** Reverses the winding: Babylon uses the sign of the mesh's own matrix. */
function turn(mesh: BABYLON.Mesh): void {
    mesh.sideOrientation = 1 - mesh.sideOrientation;
}

function rootOf(mesh: BABYLON.Node): BABYLON.Node | null {
    let node = mesh.parent;
    while (node !== null && nameOf(node) !== '__root__') node = node.parent;
    return node;
}

/**
 * Makes rays hit a mesh at the position where it is drawn. Uses Babylon's own picking, with the pose of each tested
 * instance.
 *
 * @param pose Writes the pose of an instance into the matrices of the mesh's skeleton.
 * @param places Matrices of the thin instances, or null.
 * @param bound Restores the mesh's box.
 */
export function pickAsDrawn(
    Matrix: typeof BABYLON.Matrix,
    mesh: BABYLON.Mesh,
    places: Float32Array | null,
    pose: (instance: number) => void,
    bound: () => void,
): void {
    const { intersects } = mesh;
    const place = new Matrix();
    const held = new Matrix();
    const instanceAt = (world: BABYLON.Matrix | undefined) => {
        for (let i = 0; world && places && i < places.length / 16; i++) {
            Matrix.FromArrayToRef(places, i * 16, place);
            if (place.multiplyToRef(mesh.getWorldMatrix(), place).equals(world)) return i;
        }
        return 0;
    };
    mesh.intersects = (ray, fastCheck, trianglePredicate, onlyBoundingInfo, world, skipBoundingInfo) => {
        const { boundingBox } = mesh.rawBoundingInfo ?? mesh.getBoundingInfo();
        const posed = !onlyBoundingInfo && ray.intersectsBox(boundingBox);
        // Babylon's own temporary matrix, which skinning on the CPU also uses.
        const kept = world && held.copyFrom(world);
        if (posed) {
            pose(instanceAt(kept));
            mesh.refreshBoundingInfo(true, true);
        }
        const info = intersects.call(mesh, ray, fastCheck, trianglePredicate, onlyBoundingInfo, kept, skipBoundingInfo);
        if (posed) bound();
        return info;
    };
}
