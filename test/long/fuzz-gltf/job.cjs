// SPDX-License-Identifier: MIT
'use strict';

/** The cases of the glTF fuzzer, in one process. */

const fs = require('node:fs');
const path = require('node:path');
const { withoutAddon } = require('../../support/without-addon.cjs');
const { serve } = require('../fuzz-runner/job.cjs');
const { Finding, isTableError, isTyped, outcomeOf } = require('../fuzz-runner/outcome.cjs');
const { loadPoselane } = require('../fuzz-runner/poselane.cjs');
const { createRandom } = require('../sweep/random.cjs');
const { mutatedBake, placeBake, takeAwayBake, writeBakes } = require('./bakes.cjs');
const { createSeed, drawWeighted, mutatedFile } = require('./mutate.cjs');
const { MANIFEST_SUBJECTS, SHARES, SUBJECTS } = require('./subjects.cjs');

function readSeeds(folder) {
    const read = (name) => fs.readFileSync(path.join(folder, name));
    return JSON.parse(read('seeds.json').toString()).map(({ file, beside, weight }) =>
        createSeed(file, read(file), Object.fromEntries(beside.map((name) => [name, read(name)])), weight),
    );
}

async function createContext({ seeds: seedFolder, folder }) {
    const fallback = loadPoselane('ts');
    const native = loadPoselane('');
    const canCompare = withoutAddon(native, '') === null;
    const seeds = readSeeds(seedFolder);
    const bakeFolder = path.join(folder, 'bakes');
    const bakes = await writeBakes(native, seeds, bakeFolder, seedFolder);
    // glTF-Transform prints what it finds odd.
    for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {};
    return {
        fallback,
        native,
        canCompare,
        seeds,
        bakeFolder,
        bakes,
        places: { folder: path.join(folder, 'files'), bakes },
    };
}

/** @returns `{ key, aboutBake, name, subject, compare }`; `subject` is the name as it is reported. */
function drawCase(seed, n) {
    const key = `${seed}/${n}`;
    const random = createRandom(`${key}/subject`);
    const aboutBake = random.below(10) === 0;
    const name = aboutBake ? random.of(Object.keys(MANIFEST_SUBJECTS)) : drawWeighted(SHARES, random).name;
    const compare = random.below(8) === 0 && name !== 'inspect' && name !== 'verify';
    return { key, aboutBake, name, subject: aboutBake ? `manifest ${name}` : name, compare };
}

async function judgeCase({ native, fallback, canCompare, places }, { key, aboutBake, name, compare, input }) {
    const subject = (aboutBake ? MANIFEST_SUBJECTS : SUBJECTS)[name];
    const outcomeWith = (poselane) =>
        outcomeOf(subject, poselane, input, `${key}/run`, places, aboutBake ? isTableError : isTyped);
    const outcome = await outcomeWith(native);
    const compared = compare && canCompare;
    if (compared) {
        const [here, there] = [outcome, await outcomeWith(fallback)].map((one) => JSON.stringify(one));
        if (here !== there) throw new Finding(`native ${here}, fallback ${there}`.slice(0, 400));
    }
    return { done: outcome.refused === undefined, refused: outcome.refused, compared };
}

async function runCase(context, drawn) {
    const { seeds, bakes, bakeFolder } = context;
    const { key, aboutBake, name } = drawn;
    drawn.input = aboutBake ? mutatedBake(bakes, key, bakeFolder) : mutatedFile(seeds, key);
    if (!aboutBake || name === 'table') return judgeCase(context, drawn);
    placeBake(drawn.input);
    try {
        return await judgeCase(context, drawn);
    } finally {
        takeAwayBake(drawn.input);
    }
}

serve({ createContext, drawCase, runCase });

module.exports = { drawCase };
