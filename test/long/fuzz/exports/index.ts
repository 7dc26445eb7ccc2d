// SPDX-License-Identifier: MIT

/** Every export of the package, and its calls. The suite fails until a new export is added here. */

export { STATICS, TABLE_METHODS } from './classes';
export { EXPORTS } from './functions';
export type { Callable, Entry, Instance, Poselane } from './kinds';
export { P, POSES_MEMBERS, RIG_METHODS } from './rig';
