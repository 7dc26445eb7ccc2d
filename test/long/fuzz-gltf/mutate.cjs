// SPDX-License-Identifier: MIT
'use strict';

/** A mutated file, made from its key and the seeds only. */

const { createRandom } = require('../sweep/random.cjs');
const { joinGlb, splitGlb } = require('./glb.cjs');
const { mutateBytes, mutateContainer, mutateData } = require('./mutate-bytes.cjs');
const { mutateJson, textOf } = require('./mutate-json.cjs');

/** @param beside The bytes of the files that it refers to, by name. */
function createSeed(name, bytes, beside, weight) {
    const parts = splitGlb(bytes) ?? { text: bytes.toString('utf8'), bin: null };
    return { name, bytes, beside, weight, isGlb: splitGlb(bytes) !== null, ...parts };
}

/** One of a list, each as often as its weight says. */
function drawWeighted(list, random) {
    let at = random.below(list.reduce((sum, { weight }) => sum + weight, 0));
    return list.find(({ weight }) => {
        at -= weight;
        return at < 0;
    });
}

const times = (count, change, value) => {
    let changed = value;
    for (let i = count; i > 0; i--) changed = change(changed);
    return changed;
};

/** @returns `{ seed, isGlb, bytes, beside }` */
function mutatedFile(seeds, key) {
    const random = createRandom(key);
    const { name: seed, isGlb, text, bytes, ...parts } = drawWeighted(seeds, random);
    // A change of any byte mostly breaks the JSON, which ends the case at once.
    if (random.below(12) === 0) {
        const changed = times(1 + random.below(3), (all) => mutateBytes(all, random), bytes);
        return { seed, isGlb, bytes: changed, beside: parts.beside };
    }
    let { bin, beside } = parts;
    let made = text;
    const kind = random.below(8);
    if (kind < 6) {
        const json = JSON.parse(text);
        for (let i = random.of([1, 1, 1, 2, 3, 6]); i > 0; i--) mutateJson(json, random);
        made = textOf(json);
    }
    if (kind >= 5) {
        const count = random.of([1, 1, 2, 4]);
        const changed = (data) => times(count, (all) => mutateData(all, random), data);
        if (bin !== null) bin = changed(bin);
        else beside = Object.fromEntries(Object.entries(beside).map(([name, data]) => [name, changed(data)]));
    }
    const json = Buffer.from(made);
    if (!isGlb) return { seed, isGlb, bytes: json, beside };
    return { seed, isGlb, bytes: random.below(16) ? joinGlb(json, bin) : mutateContainer(json, bin, random), beside };
}

module.exports = { createSeed, drawWeighted, mutatedFile };
