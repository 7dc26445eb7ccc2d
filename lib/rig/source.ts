// SPDX-License-Identifier: MIT

import type { GltfScene } from '../gltf/scene';

/** What a rig is made of, wherever it comes from: the part of a scene that poses depend on. */
export interface RigSource extends Pick<GltfScene, 'name' | 'nodes' | 'skins' | 'animations' | 'skinnedMeshes'> {
    /** Whether the vertices of the skinned meshes were left in the file, so that nothing can be skinned. */
    readonly withoutVertices?: boolean;
}
