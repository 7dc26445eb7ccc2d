// SPDX-License-Identifier: MIT

/**
 * The functions that use WebAssembly in browsers. A module of its own, so that bundlers omit it if only other parts of
 * poselane are used.
 */

export * from '../lists/functions';
export { Rig } from './rig';
export {
    backend,
    compiledModule,
    defaultImplementation,
    implementations,
    ready,
    useModule,
} from './webassembly';
