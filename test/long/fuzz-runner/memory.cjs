// SPDX-License-Identifier: MIT
'use strict';

const fs = require('node:fs');

/** How much more a process may have than before its first case. What takes more is tried again in a process of its own. */
const MOST_GROWTH = 2 ** 30;

/** V8 does not hurry with buffers, which lie outside its heap: what earlier cases left is no matter of the next one. */
const MOST_UNCOLLECTED = 64 * 2 ** 20;

/** Where so much is left after collecting (WebAssembly's memory never shrinks), another process goes on. */
const MOST_HELD = 384 * 2 ** 20;

/**
 * The most that the process has ever had, however short, in bytes. Not by maxRSS where Linux says it: that begins with what the
 * process had that started this one.
 */
function peakOfProcess() {
    try {
        return Number(/^VmHWM:\s*(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
    } catch {
        return process.resourceUsage().maxRSS * 1024;
    }
}

/** Judges the process that it is made in, which needs `--expose-gc`. */
function createGauge(mostGrowth = MOST_GROWTH, mostHeld = MOST_HELD) {
    globalThis.gc();
    const first = process.memoryUsage();
    let floor = first.external;
    return {
        baseline: first.rss,
        peak: peakOfProcess,
        /** After each case: 'small'; 'held', which says nothing of this case; 'big', which says that some moment of it was. */
        judge() {
            if (peakOfProcess() - first.rss > mostGrowth) return 'big';
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
