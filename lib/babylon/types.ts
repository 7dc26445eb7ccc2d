// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { SampleOptions } from '../table';
import type { PaletteTextureOptions } from '../table/texture';

/** What is used of the module `@babylonjs/core`, or of the global `BABYLON`. */
export type BabylonLike = Pick<
    typeof BABYLON,
    'BakedVertexAnimationManager' | 'Constants' | 'MaterialPluginBase' | 'RawTexture' | 'RawTexture2DArray'
>;

export interface BakedAnimationOptions extends Pick<PaletteTextureOptions, 'maxSize'> {
    /** Under which node the palette's space is. Default: the mesh's ancestor `__root__`, which the glTF loader makes. */
    root?: BABYLON.Node | null;
}

export interface BakedAnimation {
    readonly manager: BABYLON.BakedVertexAnimationManager;
    readonly texture: BABYLON.RawTexture | BABYLON.RawTexture2DArray;
    /** Shows one moment: the row that is nearest, by the rules of `BakedTable.sample`. Not for thin instances. */
    show(clip: number, time: number, options?: Pick<SampleOptions, 'loop'>): void;
    /** Takes the manager off the meshes and frees the texture. */
    dispose(): void;
}
