// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };

/** Puts a mesh under a node, without a transform of its own; `undefined`: under the file's `__root__`. */
export function placeUnder(root: BABYLON.Node | null | undefined, mesh: BABYLON.Mesh): void {
    mesh.parent = root === undefined ? rootOf(mesh) : root;
    mesh.position.setAll(0);
    mesh.rotationQuaternion = null;
    mesh.rotation.setAll(0);
    mesh.scaling.setAll(1);
    // Its bounds are those of the bind pose.
    mesh.alwaysSelectAsActiveMesh = true;
}

function rootOf(mesh: BABYLON.Node): BABYLON.Node | null {
    let node = mesh.parent;
    while (node !== null && node.name !== '__root__') node = node.parent;
    return node;
}
