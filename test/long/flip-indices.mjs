// SPDX-License-Identifier: MIT

/**
 * node test/long/flip-indices.mjs [--seconds 30]: flip-indices/flip.cjs with every implementation of the build.
 */

import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import descriptions from '../../dist/lists/routines.js';
import flip from './flip-indices/flip.cjs';
import rigSweep from './sweep/rigs.cjs';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });
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
console.log(JSON.stringify({ node: process.version, seconds, ...found }));
