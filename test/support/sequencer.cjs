// SPDX-License-Identifier: MIT
'use strict';

const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Of small files those that take longest. */
const SLOW =
    /[\\/](browser|examples|long[\\/](cli|package|webassembly))[\\/]|[\\/](reduce[\\/]random|strict[\\/]golden)\.test/;

const isSlow = ({ path, context }) => SLOW.test(relative(context.config.rootDir, path));

/**
 * Slow files before all others, each of the two in jest's order: what failed, then what took long, and where it knows nothing of
 * earlier runs, as in CI, what is large. A file that is small and slow, started last, would be waited for.
 */
module.exports = class SlowestFirst extends Sequencer {
    sort(tests) {
        const sorted = super.sort(tests);
        return [true, false].flatMap((slow) => sorted.filter((test) => isSlow(test) === slow));
    }
};
