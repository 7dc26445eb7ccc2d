// SPDX-License-Identifier: MIT

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VerifyOptions } from './options';

/** Milliseconds of calculation before the event loop may run. */
const TURN_MILLISECONDS = 40;

/** Counts rows, reports them to `onProgress`, and lets the event loop run at intervals. */
export class Progress {
    done = 0;
    private last = performance.now();

    constructor(
        private readonly options: Pick<VerifyOptions, 'signal' | 'onProgress'>,
        private readonly total: number,
    ) {}

    /** Throws the signal's reason if it was aborted. */
    async rowDone(): Promise<void> {
        this.done++;
        await this.turn(this.done >= this.total);
    }

    /** As `rowDone`, for other work. */
    async turn(always = false): Promise<void> {
        if (!always && performance.now() - this.last < TURN_MILLISECONDS) return;
        this.options.onProgress?.(this.done, this.total);
        await nextTurn();
        this.options.signal?.throwIfAborted();
        this.last = performance.now();
    }
}
