// SPDX-License-Identifier: MIT
'use strict';

const fs = require('node:fs');

/** Max growth of a process since its first case. A case that takes more runs again in its own process. */
const MOST_GROWTH = 2 ** 30;

/** V8 collects buffers late, because they are outside its heap. Garbage above this limit is collected before the next case. */
const MOST_UNCOLLECTED = 64 * 2 ** 20;

/** If more is left after a collection (the memory of WebAssembly never shrinks), another process continues. */
const MOST_HELD = 384 * 2 ** 20;

/** Peak memory of the process in bytes. On Linux maxRSS is wrong: it starts with the memory of the parent process. */
function peakOfProcess() {
    try {
        return Number(/^VmHWM:\s*(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
    } catch {
        return process.resourceUsage().maxRSS * 1024;
    }
}

/** Judges its own process, which needs `--expose-gc`. */
function createGauge(mostGrowth = MOST_GROWTH, mostHeld = MOST_HELD) {
    globalThis.gc();
    const first = process.memoryUsage();
    let floor = first.external;
    return {
        baseline: first.rss,
        peak: peakOfProcess,
        /** After each case: 'small'; 'held' if too much is left of all cases; 'big' if the process was too big at any time. */
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
