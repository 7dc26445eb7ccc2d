// SPDX-License-Identifier: MIT
'use strict';

/**
 * A user's program, put into the folder where poselane was installed: node user.cjs. Every entry point by `require` and by
 * `import` is one and the same instance, with all of its exports. Prints one line of JSON.
 */

const ENTRIES = ['poselane', 'poselane/table', 'poselane/three', 'poselane/babylon'];

async function main() {
    const faults = [];
    for (const entry of ENTRIES) {
        const required = require(entry);
        const imported = await import(entry);
        const names = Object.keys(required);
        if (names.length < 1) faults.push(`${entry} exports ${names.length} names`);
        for (const name of names) {
            if (imported[name] !== required[name]) faults.push(`${entry}: ${name} is not the same by import`);
        }
    }
    const { backend, slerpJoints } = require('poselane');
    const pose = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0);
    slerpJoints(pose, Float32Array.of(0, 0, 0, 1, 2, 4, 6, 0), 0.5);
    if (pose.join() !== '0,0,0,1,1,2,3,0') faults.push(`slerpJoints gives ${pose.join()}`);
    console.log(JSON.stringify({ backend, faults }));
}

main();
