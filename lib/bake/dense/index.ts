// SPDX-License-Identifier: MIT

export type { ChangeableDocument } from '../../rig/source/sampled-document';
export {
    type AnimationPointerExtension,
    type AnimationPointerOptions,
    loadAnimationPointer,
} from './animation-pointer';
export { bakeAnimations, type ResampleOptions } from './bake-animations';
export { bakedGlb, type GlbOptions } from './baked-glb';
