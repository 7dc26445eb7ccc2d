// SPDX-License-Identifier: MIT

/** Every export of the package, and how it is called. What is new has to be entered here before the suite passes. */

export { STATICS, TABLE_METHODS } from './classes';
export { EXPORTS } from './functions';
export type { Callable, Entry, Instance, Poselane } from './kinds';
export { P, POSES_MEMBERS, RIG_METHODS } from './rig';
