// SPDX-License-Identifier: MIT

/** Data of the loader of Babylon.js. */

import type { FBXSceneData } from '@babylonjs/loaders/FBX/interpreter/fbxInterpreter.js' with {
    'resolution-mode': 'import',
};

export type Fbx = FBXSceneData;
export type FbxModel = Fbx['rootModels'][number];
export type FbxGeometry = NonNullable<FbxModel['geometry']>;
export type FbxSkin = Fbx['skins'][number];
export type FbxBlendShape = Fbx['blendShapes'][number];
export type FbxChannel = FbxBlendShape['channels'][number];
export type FbxMaterial = Fbx['materials'][number];
export type FbxTexture = FbxMaterial['textures'][number];
export type FbxStack = Fbx['animations'][number];
