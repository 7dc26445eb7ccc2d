// SPDX-License-Identifier: MIT
'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { loadBuffers } = require('../../dist/gltf/buffers.js');
const { openContainer } = require('../../dist/gltf/container.js');
const { openInput } = require('../../dist/gltf/files.js');
const { createReport } = require('../../dist/gltf/reading.js');

/**
 * A manifest that says it is the bake of another file, beside the one it is made from: `verify` compares nothing with an
 * input that the manifest was not made of.
 *
 * @returns Its path; of a file that cannot be read, the given one.
 */
async function claimSource(manifest, input) {
    const hash = createHash('sha256');
    try {
        const { load, resolve } = openInput(input);
        const { json, bin } = await openContainer(load, createReport(input), (bytes) => void hash.update(bytes));
        const buffers = await loadBuffers(json, bin, resolve, createReport(input));
        for (const data of buffers) if (data !== null) hash.update(data);
    } catch {
        return manifest;
    }
    const json = JSON.parse(readFileSync(manifest, 'utf8'));
    json.source.sha256 = hash.digest('hex');
    const claimed = path.join(path.dirname(manifest), 'claimed.bake.json');
    writeFileSync(claimed, JSON.stringify(json));
    return claimed;
}

module.exports = { claimSource };
