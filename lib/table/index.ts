// SPDX-License-Identifier: MIT

/**
 * Bakes, read back: `poselane/table`. Imports neither the addon nor a module of Node.
 *
 * @packageDocumentation
 */

export type {
    Manifest,
    ManifestArray,
    ManifestAttachment,
    ManifestClip,
    ManifestError,
    ManifestJoint,
    ManifestMorph,
    ManifestRescaled,
    ManifestSlot,
} from '../format/manifest';
export {
    type ArrayName,
    BakedTable,
    type ReadFile,
    type SampleOptions,
    type TableArray,
    type TableAttachment,
    type TableClip,
    type TableJoint,
} from './table';
export { type PaletteTexture, type PaletteTextureOptions, paletteTexture } from './texture';
