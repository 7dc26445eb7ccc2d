// SPDX-License-Identifier: MIT
'use strict';

/** The built package twice in one process: once as it comes, once without its addon. */

const path = require('node:path');

const DIST = path.resolve(__dirname, '../../../dist');

/** @param backend '' or 'ts', as POSELANE_BACKEND has it. */
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
