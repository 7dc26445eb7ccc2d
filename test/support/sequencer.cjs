// SPDX-License-Identifier: MIT
'use strict';

const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** The slow ones among the small files. */
const SLOW =
    /[\\/](browser|examples|long[\\/](cli|package|webassembly))[\\/]|[\\/](reduce[\\/]random|strict[\\/]golden)\.test/;

const isSlow = ({ path, context }) => SLOW.test(relative(context.config.rootDir, path));

/**
 * Runs slow files before all others. Both groups are in jest's order: failed files, then slow ones; without earlier
 * runs, as in CI, large ones first. A small and slow file that starts last would delay the end.
 */
module.exports = class SlowestFirst extends Sequencer {
    sort(tests) {
        const sorted = super.sort(tests);
        return [true, false].flatMap((slow) => sorted.filter((test) => isSlow(test) === slow));
    }
};
