// SPDX-License-Identifier: MIT
'use strict';

/** Loads the built package twice into one process: with its addon, and without. */

const path = require('node:path');

const DIST = path.resolve(__dirname, '../../../dist');

/** @param backend '' or 'ts', a value of POSELANE_BACKEND. */
function loadPoselane(backend) {
    for (const file of Object.keys(require.cache)) {
        if (file.startsWith(DIST + path.sep)) delete require.cache[file];
    }
    const before = process.env.POSELANE_BACKEND;
    process.env.POSELANE_BACKEND = backend;
    try {
        return {
            ...require(DIST),
            ...require(path.join(DIST, 'bake/bake.js')),
            ...require(path.join(DIST, 'gltf/read.js')),
            BrowserRig: require(path.join(DIST, 'browser/index.js')).Rig,
            runCommand: require(path.join(DIST, 'cli/main.js')).run,
            inspectCommand: require(path.join(DIST, 'cli/inspect.js')).inspectCommand,
        };
    } finally {
        if (before === undefined) delete process.env.POSELANE_BACKEND;
        else process.env.POSELANE_BACKEND = before;
    }
}

module.exports = { loadPoselane };
