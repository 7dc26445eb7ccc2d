// SPDX-License-Identifier: MIT
'use strict';

/**
 * What an installed poselane is and does, wherever it runs: node smoke.cjs <folder of the package> <report.json> [model]
 *
 * The plain functions and the Rig get the golden cases, the model is baked; the hashes of what they make, and which
 * implementation made it, go into the report. Not onto the standard output, which Node under Wine does not have. Uses
 * nothing but what Node, Deno and Bun have in common.
 */

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const sweep = require('../../../test/long/sweep/index.cjs');
const { builtRigs, hashRigs } = require('../../../test/long/sweep/rigs.cjs');

const [, , packageFolder, reportFile, model] = process.argv;
const folder = path.resolve(packageFolder);
const poselane = require(folder);

const runtime = globalThis.Bun ? 'Bun' : globalThis.Deno ? 'Deno' : 'Node';

function versionOf(name) {
    return name === 'Node' ? process.version.slice(1) : process.versions[name.toLowerCase()];
}

/** The addon that was taken, relative to the package. */
function loadedAddon() {
    const file = Object.keys(require.cache).find((name) => name.endsWith('.node'));
    return file === undefined ? null : path.relative(folder, file).replaceAll('\\', '/');
}

function kernelHashes() {
    const plain = sweep.plainImplementations(poselane);
    return Object.fromEntries(sweep.ROUTINE_NAMES.map((routine) => [routine, sweep.hashRoutine(routine, plain)]));
}

/** By the implementation behind the plain functions. */
function rigHashes() {
    const rigs = builtRigs(undefined, path.join(folder, 'dist'));
    return hashRigs(rigs.filter(({ name }) => name === poselane.defaultImplementation));
}

async function bakeHash({ fps }) {
    const { outputs } = await poselane.bakeFile(model, { fps });
    return createHash('sha256').update(outputs[0].bin).digest('hex');
}

async function main() {
    const golden = JSON.parse(fs.readFileSync(path.join(__dirname, '../../../test/golden/character.json'), 'utf8'));
    const report = {
        runtime,
        version: versionOf(runtime),
        platform: `${process.platform}-${process.arch}`,
        backend: poselane.backend,
        implementation: poselane.defaultImplementation,
        available: poselane
            .implementations()
            .filter((one) => one.available)
            .map(({ name }) => name),
        addon: loadedAddon(),
        reason: poselane.nativeLoadError === null ? null : String(poselane.nativeLoadError.cause),
        faults: [],
        hashes: kernelHashes(),
        rig: rigHashes(),
        bake: model === undefined ? null : await bakeHash(golden),
    };
    fs.writeFileSync(reportFile, JSON.stringify(report));
}

main().catch((error) => {
    fs.writeFileSync(reportFile, JSON.stringify({ error: error.stack }));
    process.exitCode = 1;
});
