// SPDX-License-Identifier: MIT

/**
 * poselane: skeletal-animation mathematics for Node.
 *
 * @packageDocumentation
 */

export * from './bake';
export * from './bake/dense';
export {
    type ArgumentErrorCode,
    InputError,
    type InputErrorCode,
    type PoselaneError,
    ToleranceError,
    UsageError,
} from './base/errors';
export * from './lists';
export * from './reduce';
export * from './rig';
export * from './table';
export * from './verify';
