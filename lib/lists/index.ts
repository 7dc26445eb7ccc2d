// SPDX-License-Identifier: MIT

/** All exports on lists, in Node: the functions and their implementations. */

export { nativeLoadError } from '../addon/load';
export type { Convention } from '../base/kernel';
export { STRICT_VERSION } from '../strict/version';
export type { Module as CompiledModule } from '../webassembly/api';
export { compiledModule, useModule } from '../webassembly/module';
export type { BoundBlend, BoundCall } from './bind';
export { type Backend, backend, defaultImplementation, ready } from './choose';
export * from './functions';
export {
    type ImplementationInfo,
    type ImplementationOptions,
    implementation,
    implementations,
} from './implementations';
export type { Routine } from './routines';
export * from './scalar';
export type { Binders, BlendQuats, JointKernels, Kernels, QuatKernels, ScalarKernels } from './types';
