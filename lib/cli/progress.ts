// SPDX-License-Identifier: MIT

import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './io';

/** A progress bar that is wiped off when it is done. */
export interface Progress {
    update(done: number, total: number): void;
    /** Wipes the bar off; more than one call does no harm. */
    stop(): void;
}

/** On a terminal a bar, elsewhere nothing. */
export function createProgress(output: Output, label: string): Progress {
    if (!output.isTTY) return { update() {}, stop() {} };
    const bar = new SingleBar(
        {
            // The type wants a whole stream; what is used is `write`, `isTTY` and, for cursor moves, node:readline.
            stream: output as unknown as NodeJS.WritableStream,
            format: `${label} [{bar}] {value}/{total} frames`,
            clearOnComplete: true,
            hideCursor: true,
        },
        Presets.legacy,
    );
    let shown = false;
    return {
        update(done, total) {
            if (shown) bar.update(done);
            else bar.start(total, done);
            shown = true;
        },
        stop() {
            if (shown) bar.stop();
            shown = false;
        },
    };
}
