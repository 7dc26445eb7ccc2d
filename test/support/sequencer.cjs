// SPDX-License-Identifier: MIT
'use strict';

const Sequencer = require('@jest/test-sequencer').default;

/** Of small files those that take longest. */
const SLOW =
    /[\\/](browser|examples|long[\\/](cli|package|webassembly))[\\/]|[\\/](reduce[\\/]random|strict[\\/]golden)\.test/;

/** Where jest knows nothing of earlier runs, as in CI, it starts large files first. One that is small and slow, started last, is waited for. */
module.exports = class SlowestFirst extends Sequencer {
    sort(tests) {
        const sorted = super.sort(tests);
        return [true, false].flatMap((slow) => sorted.filter(({ path }) => SLOW.test(path) === slow));
    }
};
