// SPDX-License-Identifier: MIT
'use strict';

/** A mutated file, made by nothing but its key and the seeds. */

const { createRandom } = require('../sweep/random.cjs');
const { joinGlb, splitGlb } = require('./glb.cjs');
const { mutateBytes, mutateContainer, mutateData } = require('./mutate-bytes.cjs');
const { mutateJson, textOf } = require('./mutate-json.cjs');

/** @param beside The bytes of the files that it refers to, by name. */
function createSeed(name, bytes, beside, weight) {
    const parts = splitGlb(bytes) ?? { text: bytes.toString('utf8'), bin: null };
    return { name, bytes, beside, weight, isGlb: splitGlb(bytes) !== null, ...parts };
}

function drawSeed(seeds, random) {
    let at = random.below(seeds.reduce((sum, { weight }) => sum + weight, 0));
    for (const seed of seeds) {
        at -= seed.weight;
        if (at < 0) return seed;
    }
    return seeds[0];
}

/** @returns `{ seed, isGlb, bytes, beside }` */
function mutatedFile(seeds, key) {
    const random = createRandom(key);
    const seed = drawSeed(seeds, random);
    const { isGlb } = seed;
    // Most of what changes any byte is no JSON any more, and dies at once.
    if (random.below(12) === 0) {
        let { bytes } = seed;
        for (let i = 1 + random.below(3); i > 0; i--) bytes = mutateBytes(bytes, random);
        return { seed: seed.name, isGlb, bytes, beside: seed.beside };
    }
    let { bin, beside } = seed;
    const json = JSON.parse(seed.text);
    const kind = random.below(8);
    if (kind < 6) for (let i = random.of([1, 1, 1, 2, 3, 6]); i > 0; i--) mutateJson(json, random);
    if (kind >= 5) {
        for (let i = random.of([1, 1, 2, 4]); i > 0; i--) {
            if (bin !== null) bin = mutateData(bin, random);
            else
                beside = Object.fromEntries(
                    Object.entries(beside).map(([name, data]) => [name, mutateData(data, random)]),
                );
        }
    }
    const text = Buffer.from(kind < 6 ? textOf(json) : seed.text);
    if (!isGlb) return { seed: seed.name, isGlb, bytes: text, beside };
    const bytes = random.below(16) === 0 ? mutateContainer(text, bin, random) : joinGlb(text, bin);
    return { seed: seed.name, isGlb, bytes, beside };
}

module.exports = { createSeed, mutatedFile };
