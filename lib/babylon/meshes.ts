// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { nameOf, type Part } from './model';

/** A mesh whose vertices a column may move alone: not an instance, nor one that shares its geometry with others. */
export function ownMesh({ mesh, column }: Part): BABYLON.Mesh {
    let own = mesh as BABYLON.Mesh;
    if (mesh.isAnInstance) {
        own = (mesh as BABYLON.InstancedMesh).sourceMesh.clone(mesh.name, mesh.parent, true);
        mesh.isVisible = false;
    }
    if (column >= 0 && own.geometry!.meshes.length > 1) own.makeGeometryUnique();
    return own;
}

/** Makes a mesh without a skin one that follows a joint: the column. */
export function attach(mesh: BABYLON.Mesh, { column, mirrored }: Part): void {
    const vertices = mesh.getTotalVertices();
    const first = (value: number) => Float32Array.from({ length: vertices * 4 }, (_, i) => (i % 4 === 0 ? value : 0));
    mesh.setVerticesData('matricesIndices', first(column));
    mesh.setVerticesData('matricesWeights', first(1));
    mesh.numBoneInfluencers = 1;
    if (mirrored) turn(mesh);
    // What was the node's scale is the column's: normals go by the inverse transpose, as those of live meshes do.
    Object.defineProperty(mesh, 'nonUniformScaling', { value: true });
}

/** Puts a mesh where the palette's space is, without a transform of its own; `undefined`: under the file's `__root__`. */
export function placeUnder(root: BABYLON.Node | null | undefined, mesh: BABYLON.Mesh, skinned: boolean): void {
    const isMirrored = () => mesh.computeWorldMatrix(true).determinant() < 0;
    const before = isMirrored();
    const nonUniform = mesh.nonUniformScaling;
    const parent = root === undefined ? rootOf(mesh) : root;
    // What else hangs on it stays where it is.
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

/** Front faces become back faces: Babylon goes by the sign of the mesh's own matrix. */
function turn(mesh: BABYLON.Mesh): void {
    mesh.sideOrientation = 1 - mesh.sideOrientation;
}

function rootOf(mesh: BABYLON.Node): BABYLON.Node | null {
    let node = mesh.parent;
    while (node !== null && nameOf(node) !== '__root__') node = node.parent;
    return node;
}

/**
 * Makes rays hit a mesh where it is drawn: Babylon's own way, with the pose of whichever instance is asked for.
 *
 * @param pose Puts the pose of an instance where the mesh's skeleton has its matrices.
 * @param places The thin instances', or null.
 * @param bound Gives the mesh its box back.
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
        // Babylon's own scratch, which skinning on the CPU uses as well.
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
