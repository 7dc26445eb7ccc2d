// SPDX-License-Identifier: MIT
'use strict';

/**
 * One process of the glTF fuzzer. It is given `{ seeds, folder, seed, first, step, last, until, growth }` and runs the cases
 * first, first + step ... Before each case its number goes into a file, beside the memory that there was before the first, so that
 * whoever watches knows which one has ended or hangs the process, or takes too much.
 */

const fs = require('node:fs');
const path = require('node:path');
const { createRandom } = require('../sweep/random.cjs');
const { drawCase } = require('./case.cjs');
const { createCounts } = require('./counts.cjs');
const { createGauge } = require('./memory.cjs');
const { mutateData } = require('./mutate-bytes.cjs');
const { mutateJson, textOf } = require('./mutate-json.cjs');
const { createSeed, mutatedFile } = require('./mutate.cjs');
const { withoutAddon } = require('../without-addon.cjs');
const { loadPoselane } = require('./poselane.cjs');
const { Finding, isTableError, outcomeOf } = require('./outcome.cjs');
const { MANIFEST_SUBJECTS, SUBJECTS } = require('./subjects.cjs');

function readSeeds(folder) {
    const read = (name) => fs.readFileSync(path.join(folder, name));
    return JSON.parse(read('seeds.json').toString()).map(({ file, beside, weight }) =>
        createSeed(file, read(file), Object.fromEntries(beside.map((name) => [name, read(name)])), weight),
    );
}

/** Bakes of small seeds, for verify and for mutated manifests: `{ json, binPath, text, bin, input }`. */
async function writeBakes(poselane, seeds, folder, seedFolder) {
    const bakes = [];
    for (const { name } of seeds.filter(({ weight, bytes }) => weight === 100 && bytes.length < 20_000).slice(0, 12)) {
        const input = path.join(seedFolder, name);
        const emit = ['palette', 'local', 'hit', 'morph', 'bounds', 'root'];
        const options = { fps: 8, emit, dtype: bakes.length % 3 === 0 ? 'f16' : 'f32', maxError: undefined };
        if (options.maxError === undefined) delete options.maxError;
        try {
            const [written] = await poselane.writeBake(await poselane.bakeFile(input, options), folder);
            const [text, bin] = [fs.readFileSync(written.json, 'utf8'), fs.readFileSync(written.bin)];
            bakes.push({ json: written.json, binPath: written.bin, text, bin, input });
        } catch {
            // A seed that is refused, as some are on purpose.
        }
    }
    if (bakes.length < 3) throw new Error('too few seeds can be baked');
    return bakes;
}

/** A mutated manifest with its bin, in a folder. */
function mutatedBake(bakes, key, folder) {
    const random = createRandom(key);
    const bake = random.of(bakes);
    const json = JSON.parse(bake.text);
    for (let i = random.of([1, 1, 2, 4]); i > 0; i--) mutateJson(json, random);
    const text = random.below(8) ? textOf(json) : bake.text;
    const bin = random.below(4) ? bake.bin : mutateData(bake.bin, random);
    const file = path.join(folder, 'mutated.bake.json');
    return { text, bin, json: file, original: bake.json, input: bake.input, binName: path.basename(bake.binPath) };
}

function describeError(error) {
    if (!(error instanceof Error)) return `threw ${String(error)}`;
    return `${error.name}: ${error.message}`.slice(0, 500);
}

async function main(work) {
    const { seeds: seedFolder, folder, seed, first, step, last, until, growth } = work;
    fs.mkdirSync(folder, { recursive: true });
    const fallback = loadPoselane('ts');
    const native = loadPoselane('');
    const canCompare = withoutAddon(native, '') === null;
    const seeds = readSeeds(seedFolder);
    const bakeFolder = path.join(folder, 'bakes');
    const bakes = await writeBakes(native, seeds, bakeFolder, seedFolder);
    const places = { folder: path.join(folder, 'files'), bakes };
    const progress = fs.openSync(path.join(folder, 'progress'), 'w');
    const counts = createCounts();
    let loose = null;
    // glTF-Transform tells of what it finds odd.
    for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => {};
    process.on('unhandledRejection', (reason) => {
        loose = reason;
    });
    const tell = (n, key, subject, error, file) => {
        const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join('\n') : '';
        const saved = path.join(folder, `finding-${n}.${file?.isGlb ? 'glb' : 'json'}`);
        if (file) fs.writeFileSync(saved, file.bytes ?? file.text ?? '');
        process.send({ finding: { n, key, subject, message: describeError(error), stack, saved } });
    };
    let n = first;
    const gauge = createGauge(growth);
    let size = 'small';
    const buffer = Buffer.alloc(16);
    buffer.writeDoubleLE(gauge.baseline, 8);
    const report = () => ({ ...counts.report(), peak: gauge.peak(), next: n + step });
    for (; n < last && Date.now() < until; n += step) {
        buffer.writeDoubleLE(n);
        fs.writeSync(progress, buffer, 0, 16, 0);
        const { key, aboutBake, name, subject: reported, compare } = drawCase(seed, n);
        counts.begin();
        let file;
        try {
            if (aboutBake) {
                file = mutatedBake(bakes, key, bakeFolder);
                if (name !== 'table') {
                    fs.writeFileSync(file.json, file.text);
                    fs.writeFileSync(path.join(bakeFolder, file.binName), file.bin);
                }
            } else {
                file = mutatedFile(seeds, key);
            }
            const subject = (aboutBake ? MANIFEST_SUBJECTS : SUBJECTS)[name];
            const allowed = aboutBake ? isTableError : undefined;
            const outcome = await outcomeOf(subject, native, file, `${key}/run`, places, allowed);
            if (compare && canCompare) {
                const other = await outcomeOf(subject, fallback, file, `${key}/run`, places, allowed);
                counts.compared();
                if (JSON.stringify(other) !== JSON.stringify(outcome)) {
                    throw new Finding(
                        `native ${JSON.stringify(outcome)}, fallback ${JSON.stringify(other)}`.slice(0, 400),
                    );
                }
            }
            counts.outcome(outcome);
        } catch (error) {
            tell(n, key, reported, error, file);
        } finally {
            if (aboutBake && name !== 'table' && file !== undefined) {
                const bake = bakes.find(({ json }) => json === file.original);
                fs.writeFileSync(bake.binPath, bake.bin);
            }
        }
        if (loose !== null)
            tell(
                n,
                key,
                reported,
                new Finding(`unhandled rejection, of this case or the ones before: ${describeError(loose)}`),
                file,
            );
        loose = null;
        counts.end({ n, subject: reported, seed: file?.seed });
        if (counts.files() % 500 === 0) process.send({ counts: report() });
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
