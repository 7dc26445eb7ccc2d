// SPDX-License-Identifier: MIT
'use strict';

/** How much more a process may have than before its first case. What takes more is tried again in a process of its own. */
const MOST_GROWTH = 2 ** 30;

/** V8 does not hurry with buffers, which lie outside its heap: what earlier cases left is no matter of the next one. */
const MOST_UNCOLLECTED = 64 * 2 ** 20;

/** Where so much is left after collecting (WebAssembly's memory never shrinks), another process goes on. */
const MOST_HELD = 384 * 2 ** 20;

/** Judges the process that it is made in, which needs `--expose-gc`. */
function createGauge(mostGrowth = MOST_GROWTH, mostHeld = MOST_HELD) {
    globalThis.gc();
    const first = process.memoryUsage();
    let floor = first.external;
    return {
        baseline: first.rss,
        /** The most that the process has ever had, however short. */
        peak: () => process.resourceUsage().maxRSS * 1024,
        /** After each case: 'small'; 'held', which says nothing of this case; 'big', which says that some moment of it was. */
        judge() {
            if (this.peak() - first.rss > mostGrowth) return 'big';
            let { rss, external } = process.memoryUsage();
            if (external - floor > MOST_UNCOLLECTED || rss - first.rss > mostHeld) {
                globalThis.gc();
                ({ rss, external } = process.memoryUsage());
                floor = Math.max(floor, external);
            }
            return rss - first.rss > mostHeld ? 'held' : 'small';
        },
    };
}

module.exports = { MOST_GROWTH, createGauge };
