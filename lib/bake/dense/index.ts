// SPDX-License-Identifier: MIT

export {
    type AnimationPointerExtension,
    type AnimationPointerOptions,
    loadAnimationPointer,
} from './animation-pointer';
export { bakeAnimations, type ResampleOptions } from './bake-animations';
export { bakedGlb, type GlbOptions } from './baked-glb';
export type { ChangeableDocument } from './document';
