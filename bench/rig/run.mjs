// SPDX-License-Identifier: MIT

/**
 * The Rig beside three.js and beside plain JavaScript over flat arrays, in four parts: poses (from clip and time to
 * palettes), skinning, the bake of a character (knight), and how cost grows. Subjects of a part are measured in alternating
 * rounds, because machines drift, and first it is checked that they give the same result. Then what the Rig is meant to
 * reach beside what it does. Build first (npm run build).
 *
 *     node bench/rig/run.mjs [--part poses --part skinning ...] [--rounds 40] [--warm 50] [--quick] [--json]
 *
 * --warm: milliseconds that a subject runs before its first sample.
 * Everything takes about a minute on a machine that does nothing else; --quick, as in `npm run bench`, a third of that: fewer
 * rounds, fewer points of the curves.
 */

import { parseArgs } from 'node:util';
import { partsOf, roundsOf } from '../harness.mjs';
import { measureGrowth } from './growth-work.mjs';
import { measureKnight } from './knight-work.mjs';
import { describeMachine } from './library.mjs';
import { measurePoses } from './poses-work.mjs';
import { report } from './report.mjs';
import { measureSkinning } from './skinning-work.mjs';
import { targetsOf } from './targets.mjs';

const PARTS = { poses: measurePoses, skinning: measureSkinning, knight: measureKnight, growth: measureGrowth };

const { values: options } = parseArgs({
    options: {
        json: { type: 'boolean', default: false },
        part: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        warm: { type: 'string' },
    },
});
const { quick } = options;
const parts = partsOf(options.part, PARTS);
const rounds = roundsOf(options.rounds, quick ? 10 : 40);
const settings = { rounds, quick, ...(options.warm === undefined ? {} : { warm: Number(options.warm) }) };
const machine = describeMachine();
const results = {};
for (const part of parts) results[part] = await PARTS[part](settings);
const run = { machine, settings, ...results, targets: targetsOf(results) };
console.log(options.json ? JSON.stringify(run, null, 2) : report(run));
