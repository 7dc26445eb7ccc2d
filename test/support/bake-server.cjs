// SPDX-License-Identifier: MIT
'use strict';

// Bakes with the built library, in its own process because the backend is chosen once, when it loads (and because
// jest cannot load what lib/ loads, where that comes as ES modules only). Asked and answered over IPC: baked.ts.
const { bakeFile } = require('../../dist/index.js');

process.on('message', async ({ id, input, options }) => {
    try {
        const { outputs } = await bakeFile(input, options);
        process.send({ id, outputs: outputs.map(({ stem, json, bin }) => ({ stem, json, bin })) });
    } catch (error) {
        process.send({ id, error: { code: error.code ?? error.name, message: error.message } });
    }
});
