// SPDX-License-Identifier: MIT

/**
 * node test/long/flip-indices.mjs [--seconds 30] [--docs]: flip-indices/flip.cjs with every implementation of the build.
 */

import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import descriptions from '../../dist/lists/routines.js';
import { writeReliability } from '../../scripts/docs/reliability.mjs';
import flip from './flip-indices/flip.cjs';
import rigSweep from './sweep/rigs.cjs';

const { values: options } = parseArgs({
    options: { seconds: { type: 'string', default: '30' }, docs: { type: 'boolean', default: false } },
});
const seconds = Number(options.seconds);
const implementations = poselane
    .implementations()
    .filter(({ available }) => available)
    .map(({ name }) => ({ name, kernels: poselane.implementation(name) }));
const found = await flip.flipIndices({
    implementations,
    rigs: rigSweep.builtRigs(),
    routines: descriptions.ROUTINES,
    milliseconds: seconds * 1000,
});
const result = { date: new Date().toISOString().slice(0, 10), node: process.version, seconds, ...found };
console.log(JSON.stringify(result));
if (options.docs) writeReliability('flip-indices', result);
