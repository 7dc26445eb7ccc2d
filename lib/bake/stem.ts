// SPDX-License-Identifier: MIT

/** What output files are called after: `hero.glb` -> `hero`; a name that is all extension stays. */
export function stemOf(name: string): string {
    const dot = name.lastIndexOf('.');
    return dot > 0 ? name.slice(0, dot) : name;
}
