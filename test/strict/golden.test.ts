// SPDX-License-Identifier: MIT

/** The bits of every strict implementation that runs here, and of the Rig's, are those of test/golden/strict@1.json. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { compiledRigs } from '../../lib/rig/compiled';
import { typescriptRig } from '../../lib/rig/kernels';
import { Rig } from '../../lib/rig/rig';
import { sourceOfParts } from '../../lib/rig/source/from-parts';
import { STRICT_VERSION } from '../../lib/strict/version';
import { describeImplementation, type ImplementationName } from '../support/implementations';

const ROOT = path.join(__dirname, '../..');
const FILE = path.join(ROOT, 'test/golden/strict@1.json');

const sweep = require('../long/sweep/index.cjs') as {
    ROUTINE_NAMES: readonly string[];
    STRICT: readonly ImplementationName[];
    hashRoutine(
        routine: string,
        implementations: { name: string; kernels: unknown }[],
    ): { inputs: string; outputs: Record<string, string> };
};

type Methods = Record<string, string>;

const rigSweep = require('../long/sweep/rigs.cjs') as {
    RIG_METHODS: readonly string[];
    rigImplementations(modules: object): { name: string }[];
    hashRigs(implementations: { name: string }[]): { inputs: string; outputs: Record<string, Methods> };
};

interface Golden {
    interface: string;
    inputs: Record<string, string>;
    outputs: Record<string, string>;
    rig: { inputs: string; outputs: Methods };
}

const golden = JSON.parse(fs.readFileSync(FILE, 'utf8')) as Golden;

const here: { name: string; kernels: unknown }[] = [];
const hashes = new Map<string, ReturnType<typeof sweep.hashRoutine>>();

/** Hashes of one routine in all strict implementations that run here: making the cases takes longer than running them. */
function hashesOf(routine: string) {
    if (!hashes.has(routine)) hashes.set(routine, sweep.hashRoutine(routine, here));
    return hashes.get(routine)!;
}

const rigs = rigSweep.rigImplementations({ Rig, sourceOfParts, compiledRigs, typescriptRig });
let rigHashes: ReturnType<typeof rigSweep.hashRigs> | undefined;

/** Hashes of the Rig in all implementations that run here. */
function hashesOfRigs() {
    rigHashes ??= rigSweep.hashRigs(rigs);
    return rigHashes;
}

describe('test/golden/strict@1.json', () => {
    test('it has every routine', () => {
        expect(golden.interface).toBe(STRICT_VERSION);
        expect(path.basename(FILE)).toBe(`${STRICT_VERSION}.json`);
        for (const known of [golden.inputs, golden.outputs]) {
            expect(Object.keys(known)).toEqual([...sweep.ROUTINE_NAMES]);
            expect(Object.values(known).filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
            expect(new Set(Object.values(known)).size).toBe(sweep.ROUTINE_NAMES.length);
        }
    });

    test('the inputs are those of the hashes: if not, the generator changed', () => {
        const inputs = Object.fromEntries(sweep.ROUTINE_NAMES.map((routine) => [routine, hashesOf(routine).inputs]));
        expect(inputs).toEqual(golden.inputs);
    });

    test('the Rig: every method, and the inputs of the hashes', () => {
        expect(Object.keys(golden.rig.outputs)).toEqual([...rigSweep.RIG_METHODS]);
        const hashes = Object.values(golden.rig.outputs);
        expect(hashes.filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
        expect(new Set(hashes).size).toBe(rigSweep.RIG_METHODS.length);
        expect(hashesOfRigs().inputs).toBe(golden.rig.inputs);
    });

    for (const name of sweep.STRICT) {
        describeImplementation(name, (kernels) => {
            here.push({ name, kernels });
            test.each(rigSweep.RIG_METHODS)('Rig.%s has the golden bits', (method) => {
                expect(hashesOfRigs().outputs[name]?.[method]).toBe(golden.rig.outputs[method]);
            });
            test.each(sweep.ROUTINE_NAMES)('%s has the golden bits', (routine) => {
                expect(hashesOf(routine).outputs[name]).toBe(golden.outputs[routine]);
            });
        });
    }
});
