// SPDX-License-Identifier: MIT
'use strict';

/** Bakes of small seeds, for verify and for mutated manifests. */

const fs = require('node:fs');
const path = require('node:path');
const { createRandom } = require('../sweep/random.cjs');
const { mutateContainer, mutateData } = require('./mutate-bytes.cjs');
const { mutateJson, textOf } = require('./mutate-json.cjs');

/** @returns `[{ json, binPath, text, bin, input }]` */
async function writeBakes(poselane, seeds, folder, seedFolder) {
    const bakes = [];
    for (const { name } of seeds.filter(({ weight, bytes }) => weight === 100 && bytes.length < 20_000).slice(0, 12)) {
        const input = path.join(seedFolder, name);
        const emit = ['palette', 'local', 'hit', 'morph', 'bounds', 'root'];
        const root = bakes.length % 2 === 0 ? 'extract' : 'keep';
        const kind = [{ dtype: 'f16' }, { layout: 'qts16', maxError: '100%' }, {}][bakes.length % 3];
        const options = { fps: 8, emit, root, ...kind };
        try {
            const [written] = await poselane.writeBake(await poselane.bakeFile(input, options), folder);
            const [text, bin] = [fs.readFileSync(written.json, 'utf8'), fs.readFileSync(written.bin)];
            bakes.push({ json: written.json, binPath: written.bin, text, bin, input });
        } catch {
            // Some seeds are refused on purpose.
        }
    }
    if (bakes.length < 3) throw new Error('too few seeds can be baked');
    return bakes;
}

/** A mutated GLB of manifest and bin. */
function mutatedGlb(text, bin, random) {
    const json = `{"asset":{"version":"2.0"},"buffers":[{"byteLength":${bin.length}}],"extras":{"poselane":${text}}}`;
    const bytes = Buffer.from(json);
    return mutateContainer(Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, ' ')]), bin, random);
}

/** A mutated manifest with its bin, for the folder of the good ones. `glb`, if it is not null, replaces both. */
function mutatedBake(bakes, key, folder) {
    const random = createRandom(key);
    const { binPath, ...bake } = random.of(bakes);
    const json = JSON.parse(bake.text);
    for (let i = random.of([1, 1, 2, 4]); i > 0; i--) mutateJson(json, random);
    const text = random.below(8) ? textOf(json) : bake.text;
    const bin = random.below(4) ? bake.bin : mutateData(bake.bin, random);
    const file = path.join(folder, 'mutated.bake.json');
    const glb = random.below(4) ? null : mutatedGlb(random.below(2) ? text : bake.text, bin, random);
    return { text, bin, glb, json: file, original: bake.json, input: bake.input, binPath, goodBin: bake.bin };
}

/** Writes the mutated bin over the good one, which the manifest names. `takeAwayBake` restores it. */
function placeBake({ json, text, glb, binPath, bin }) {
    fs.writeFileSync(json, glb ?? text);
    fs.writeFileSync(binPath, bin);
}

function takeAwayBake({ binPath, goodBin }) {
    fs.writeFileSync(binPath, goodBin);
}

module.exports = { mutatedBake, placeBake, takeAwayBake, writeBakes };
