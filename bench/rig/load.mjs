// SPDX-License-Identifier: MIT

/**
 * Loads a character once, in a process of its own, and prints the milliseconds. Reading the file and importing modules do not count.
 *
 *     node bench/rig/load.mjs deserialize hero.rig
 *     node bench/rig/load.mjs load hero.glb
 *     node bench/rig/load.mjs three hero.glb
 */

import { readFileSync } from 'node:fs';

const IMPORTS = {
    deserialize: async () => {
        const { Rig } = await import('../../dist/index.mjs');
        return (bytes) => Rig.deserialize(bytes);
    },
    load: async () => {
        const { Rig } = await import('../../dist/index.mjs');
        return (bytes) => Rig.load(bytes);
    },
    three: async () => {
        const { parseModel } = await import('../bake/three-bake.mjs');
        return parseModel;
    },
};

const [, , subject, path] = process.argv;
const load = await IMPORTS[subject]();
const bytes = new Uint8Array(readFileSync(path));
const start = performance.now();
await load(bytes);
console.log(performance.now() - start);
