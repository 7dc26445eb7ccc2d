// SPDX-License-Identifier: MIT
'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { readGltfFile } = require('../../dist/verify/gltf-file.js');

/**
 * A manifest that says it is the bake of another file, beside the one it is made from: `verify` compares nothing with an
 * input that the manifest was not made of.
 *
 * @returns Its path; of a file that cannot be read, the given one.
 */
function claimSource(manifest, input) {
    let sha256;
    try {
        ({ sha256 } = readGltfFile(input));
    } catch {
        return manifest;
    }
    const json = JSON.parse(readFileSync(manifest, 'utf8'));
    json.source.sha256 = sha256;
    const claimed = path.join(path.dirname(manifest), 'claimed.bake.json');
    writeFileSync(claimed, JSON.stringify(json));
    return claimed;
}

module.exports = { claimSource };
