// SPDX-License-Identifier: MIT

import type * as Babylon from '@babylonjs/core' with { 'resolution-mode': 'import' };

/**
 * A triangle as made by the glTF loader from JOINTS_1 and WEIGHTS_1. By the second list of joints, the first vertex follows
 * `hip`, the second `knee`, and the third both.
 */
export function eightInfluences(babylon: typeof Babylon, scene: Babylon.Scene): Babylon.Mesh[] {
    const root = new babylon.Mesh('__root__', scene);
    const mesh = new babylon.Mesh('body', scene);
    mesh.parent = root;
    mesh.setVerticesData('position', [0, 0, 0, 1, 0, 0, 0, 1, 0]);
    mesh.setIndices([0, 1, 2]);
    mesh.setVerticesData('matricesIndices', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    mesh.setVerticesData('matricesWeights', [1, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0]);
    mesh.setVerticesData('matricesIndicesExtra', [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    mesh.setVerticesData('matricesWeightsExtra', [0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0, 0]);
    mesh.numBoneInfluencers = 8;
    mesh.skeleton = new babylon.Skeleton('skin', 'skin', scene);
    const hip = new babylon.Bone('hip', mesh.skeleton, null, babylon.Matrix.Identity());
    new babylon.Bone('knee', mesh.skeleton, hip, babylon.Matrix.Identity());
    return [root, mesh];
}
