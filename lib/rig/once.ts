// SPDX-License-Identifier: MIT

/** Tables do not change, so that those of one rig are copied once, for poses and for skinning. */
export function once<Tables extends object, Made>(make: (tables: Tables) => Made): (tables: Tables) => Made {
    const made = new WeakMap<Tables, Made>();
    return (tables) => {
        const found = made.get(tables) ?? make(tables);
        made.set(tables, found);
        return found;
    };
}
