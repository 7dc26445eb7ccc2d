// SPDX-License-Identifier: MIT
'use strict';

/** Finds a C++ compiler, for the build and for tests that need the addon. */

const { spawnSync } = require('node:child_process');

/** The command lines to try. CXX may carry flags or a launcher such as ccache. */
function candidates() {
    return process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];
}

/** @returns {string | null} the C++ compiler's command, or null where there is none. */
function findCompiler() {
    if (process.platform === 'win32') {
        // node-gyp finds Visual Studio by itself, in ways that are not worth repeating.
        return 'Visual Studio';
    }
    for (const candidate of candidates()) {
        const [command, ...args] = candidate.split(' ');
        const { error, status } = spawnSync(command, [...args, '--version'], { stdio: 'ignore', timeout: 60_000 });
        if (!error && status === 0) return candidate;
    }
    return null;
}

module.exports = { candidates, findCompiler };
