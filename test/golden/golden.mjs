// SPDX-License-Identifier: MIT

/**
 * npm run golden: compares the bits of every strict implementation that runs here with test/golden/strict@1.json: hashes
 * of the routines' results for fixed cases, and of the Rig's methods for fixed rigs. `--write` writes the file if all
 * implementations agree.
 *
 * The bits are an interface. `--write` adds routines that the file lacks. Only --force changes hashes in the file. Then the
 * interface needs a new version, strict@2 for strict@1, and a note to users who stored results of the old one.
 *
 * Options: --write, --force, --file path, --implementations a,b,… (others than the strict ones).
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import { root } from '../../scripts/lib.mjs';
import sweep from '../long/sweep/index.cjs';
import rigSweep from '../long/sweep/rigs.cjs';

const { values: options } = parseArgs({
    options: {
        write: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        file: { type: 'string', default: path.join(root, 'test/golden/strict@1.json') },
        implementations: { type: 'string' },
    },
});

const implementations = options.implementations
    ? options.implementations.split(',').map((name) => ({ name, kernels: poselane.implementation(name) }))
    : sweep.strictImplementations(poselane);

const rigs = rigSweep.builtRigs().filter(({ name }) => implementations.some((one) => one.name === name));

const hashes = sweep.ROUTINE_NAMES.map((routine) => [routine, sweep.hashRoutine(routine, implementations)]);
/** Hashes by method, for each implementation that has the Rig. */
const rig = rigSweep.hashRigs(rigs);
const inputs = Object.fromEntries(hashes.map(([routine, hash]) => [routine, hash.inputs]));
const outputs = implementations.map(({ name }) => ({
    name,
    hashes: Object.fromEntries(hashes.map(([routine, hash]) => [routine, hash.outputs[name]])),
}));

function fail(lines) {
    for (const line of lines) console.error(`golden: ${line}`);
    process.exit(1);
}

const differing = (a, b) => sweep.ROUTINE_NAMES.filter((routine) => a[routine] !== b[routine]);

/** The methods, by implementation, whose bits differ from `golden`. */
const differingRigs = (golden) =>
    Object.entries(rig.outputs).flatMap(([name, methods]) =>
        rigSweep.RIG_METHODS.filter((method) => methods[method] !== golden[method]).map((method) => ({ method, name })),
    );

/** Whether all hashes in the file equal those in `golden`; the file may lack routines and methods. */
function saysTheSame(file, golden) {
    const within = (known, all) =>
        typeof known === 'object' && known !== null
            ? Object.entries(known).every(([key, value]) => within(value, all?.[key]))
            : known === all;
    return within(JSON.parse(fs.readFileSync(file, 'utf8')), golden);
}

if (implementations.length === 0) fail(['no strict implementation runs here']);

function write() {
    const [first, ...others] = outputs;
    const faults = others.flatMap(({ name, hashes: theirs }) =>
        differing(theirs, first.hashes).map((routine) => `${routine}: ${name} and ${first.name} differ: npm run sweep`),
    );
    const [firstRig] = rigs;
    if (firstRig === undefined) fail(['none of these implementations has the Rig']);
    const rigOutputs = rig.outputs[firstRig.name];
    for (const { method, name } of differingRigs(rigOutputs)) {
        faults.push(`Rig.${method}: ${name} and ${firstRig.name} differ: npm run sweep`);
    }
    if (faults.length > 0) fail([...faults, 'nothing was written']);
    const golden = {
        interface: poselane.STRICT_VERSION,
        inputs,
        outputs: first.hashes,
        rig: { inputs: rig.inputs, outputs: rigOutputs },
    };
    const text = `${JSON.stringify(golden, null, 2)}\n`;
    if (fs.existsSync(options.file) && !saysTheSame(options.file, golden) && !options.force) {
        fail([
            `${path.basename(options.file)} says something else, and was left as it is.`,
            'Other bits are another interface: stored results and hashes of users change with them. Where that is meant,',
            'use --force, and give the interface a new version (strict@2) in lib/strict/version.ts,',
            'in the name of its file and in the documents.',
        ]);
    }
    fs.mkdirSync(path.dirname(options.file), { recursive: true });
    fs.writeFileSync(options.file, text);
    console.log(`golden: ${path.basename(options.file)} written, from ${outputs.map(({ name }) => name).join(', ')}`);
}

function check() {
    const golden = JSON.parse(fs.readFileSync(options.file, 'utf8'));
    const bad = differing(inputs, golden.inputs);
    if (bad.length > 0)
        fail(bad.map((routine) => `${routine}: the INPUTS differ: the generator changed, not a kernel`));
    if (rig.inputs !== golden.rig.inputs) fail(['Rig: the INPUTS differ: the generator changed, not a kernel']);
    const faults = outputs.flatMap(({ name, hashes: theirs }) =>
        differing(theirs, golden.outputs).map((routine) => `${routine}: ${name} does not have the golden bits`),
    );
    for (const { method, name } of differingRigs(golden.rig.outputs)) {
        faults.push(`Rig.${method}: ${name} does not have the golden bits`);
    }
    if (faults.length > 0) fail(faults);
    const names = (list) => list.map(({ name }) => name).join(', ');
    console.log(`golden: ${golden.interface}, ${sweep.ROUTINE_NAMES.length} routines: ${names(outputs)}`);
    console.log(`golden: the Rig, ${rigSweep.RIG_METHODS.length} methods: ${names(rigs)}`);
}

if (options.write) write();
else check();
