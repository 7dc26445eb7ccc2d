// SPDX-License-Identifier: MIT
'use strict';

/**
 * One process of the glTF fuzzer. It is given `{ seeds, folder, seed, first, step, last, until, growth }` and runs the cases
 * first, first + step ... Before each case its number goes into a file, beside the memory that there was before the first, so that
 * whoever watches knows which one has ended or hangs the process, or takes too much.
 */

const fs = require('node:fs');
const path = require('node:path');
const { withoutAddon } = require('../../support/without-addon.cjs');
const { mutatedBake, placeBake, takeAwayBake, writeBakes } = require('./bakes.cjs');
const { drawCase } = require('./case.cjs');
const { createCounts } = require('./counts.cjs');
const { createGauge } = require('./memory.cjs');
const { createSeed, mutatedFile } = require('./mutate.cjs');
const { Finding, isTableError, outcomeOf } = require('./outcome.cjs');
const { loadPoselane } = require('./poselane.cjs');
const { createProgress, describeError, tellFinding } = require('./reports.cjs');
const { MANIFEST_SUBJECTS, SUBJECTS } = require('./subjects.cjs');

const COUNTS_EACH = 500;

function readSeeds(folder) {
    const read = (name) => fs.readFileSync(path.join(folder, name));
    return JSON.parse(read('seeds.json').toString()).map(({ file, beside, weight }) =>
        createSeed(file, read(file), Object.fromEntries(beside.map((name) => [name, read(name)])), weight),
    );
}

/** What is the same for all cases. */
async function createContext({ seeds: seedFolder, folder }) {
    fs.mkdirSync(folder, { recursive: true });
    const fallback = loadPoselane('ts');
    const native = loadPoselane('');
    const canCompare = withoutAddon(native, '') === null;
    const seeds = readSeeds(seedFolder);
    const bakeFolder = path.join(folder, 'bakes');
    const bakes = await writeBakes(native, seeds, bakeFolder, seedFolder);
    const places = { folder: path.join(folder, 'files'), bakes };
    return { folder, fallback, native, canCompare, seeds, bakeFolder, bakes, places };
}

/** Their reasons, since they were last asked for. */
function watchRejections() {
    const reasons = [];
    process.on('unhandledRejection', (reason) => reasons.push(reason));
    return () => reasons.splice(0);
}

/** What came of a case, without the addon as well where it is to be compared. */
async function judgeCase({ native, fallback, canCompare, places }, { key, aboutBake, name, compare }, file, counts) {
    const subject = (aboutBake ? MANIFEST_SUBJECTS : SUBJECTS)[name];
    const allowed = aboutBake ? isTableError : undefined;
    const outcomeWith = (poselane) => outcomeOf(subject, poselane, file, `${key}/run`, places, allowed);
    const outcome = await outcomeWith(native);
    if (compare && canCompare) {
        const other = await outcomeWith(fallback);
        counts.compared();
        const [said, otherSaid] = [outcome, other].map((one) => JSON.stringify(one));
        if (otherSaid !== said) throw new Finding(`native ${said}, fallback ${otherSaid}`.slice(0, 400));
    }
    return outcome;
}

/** Makes the file of a case, judges it, and tells what it finds. */
async function runCase(context, drawn, counts, rejections) {
    const { n, key, aboutBake, name, subject } = drawn;
    const { folder, bakes, bakeFolder, seeds } = context;
    const onDisk = aboutBake && name !== 'table';
    let file;
    counts.begin();
    try {
        file = aboutBake ? mutatedBake(bakes, key, bakeFolder) : mutatedFile(seeds, key);
        if (onDisk) placeBake(file);
        counts.outcome(await judgeCase(context, drawn, file, counts));
    } catch (error) {
        tellFinding(folder, drawn, error, file);
    } finally {
        if (onDisk && file !== undefined) takeAwayBake(file);
    }
    for (const reason of rejections()) {
        const what = `unhandled rejection, of this case or the ones before: ${describeError(reason)}`;
        tellFinding(folder, drawn, new Finding(what), file);
    }
    counts.end({ n, subject, seed: file?.seed });
}

async function main(work) {
    const { folder, seed, first, step, last, until, growth } = work;
    const context = await createContext(work);
    // glTF-Transform tells of what it finds odd.
    for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {};
    const rejections = watchRejections();
    const counts = createCounts();
    const gauge = createGauge(growth);
    const progress = createProgress(folder, gauge.baseline);
    let [n, size] = [first, 'small'];
    const report = () => ({ ...counts.report(), peak: gauge.peak(), next: n + step });
    for (; n < last && Date.now() < until; n += step) {
        progress(n);
        await runCase(context, drawCase(seed, n), counts, rejections);
        if (counts.files() % COUNTS_EACH === 0) process.send({ counts: report() });
        size = gauge.judge();
        // No further case: the number that is in the file is this one's.
        if (size !== 'small') break;
    }
    process.send({ counts: report(), big: size === 'big', ended: true }, () => process.exit(0));
}

process.once('message', (work) => {
    main(work).catch((error) => {
        process.send({ failed: String(error?.stack ?? error) }, () => process.exit(1));
    });
});
