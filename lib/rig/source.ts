// SPDX-License-Identifier: MIT

import type { GltfScene } from '../gltf/scene';

/** What a rig is made of, wherever it comes from: the part of a scene that poses depend on. */
export type RigSource = Pick<GltfScene, 'name' | 'nodes' | 'skins' | 'animations' | 'skinnedMeshes'>;
