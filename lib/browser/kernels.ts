// SPDX-License-Identifier: MIT

/**
 * What runs in WebAssembly in browsers. It becomes a module of its own, apart from the entry, so that bundlers leave it out where only
 * something else of poselane is used.
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
