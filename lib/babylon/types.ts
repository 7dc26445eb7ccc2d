// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { SampleOptions } from '../table';
import type { PaletteTextureOptions } from '../table/texture';

/** What is used of the module `@babylonjs/core`, or of the global `BABYLON`. */
export type BabylonLike = Pick<
    typeof BABYLON,
    'BakedVertexAnimationManager' | 'Constants' | 'MaterialPluginBase' | 'RawTexture' | 'RawTexture2DArray'
>;

/** Options of {@link createBakedAnimation}. */
export interface BakedAnimationOptions extends Pick<PaletteTextureOptions, 'maxSize'> {
    /** Under which node the palette's space is. Default: the mesh's ancestor `__root__`, which the glTF loader makes. */
    root?: BABYLON.Node | null;
}

/** What plays, and how to end it. */
export interface BakedAnimation {
    /** For `manager.time`, and for settings of thin instances. */
    readonly manager: BABYLON.BakedVertexAnimationManager;
    /** The palette: rows down, texels of the joints across. */
    readonly texture: BABYLON.RawTexture | BABYLON.RawTexture2DArray;
    /**
     * Shows one moment: the row that is nearest, by the rules of `BakedTable.sample`. Not for thin instances.
     *
     * @param clip Index into `table.clips`.
     * @param time Seconds.
     * @param options `loop`: what times outside the clip mean.
     * @throws As {@link stillSettings}.
     */
    show(clip: number, time: number, options?: Pick<SampleOptions, 'loop'>): void;
    /** Takes the manager off the meshes and frees the texture. Throws nothing. */
    dispose(): void;
}
