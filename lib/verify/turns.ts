// SPDX-License-Identifier: MIT

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VerifyOptions } from './options';

const TURN_MILLISECONDS = 40;

/** Signals and timers get their turn, and whoever watches hears of the progress. */
export class Turns {
    done = 0;
    private last = performance.now();

    constructor(
        private readonly options: Pick<VerifyOptions, 'signal' | 'onProgress'>,
        private readonly total: number,
    ) {}

    async rowDone(): Promise<void> {
        this.done++;
        if (this.done < this.total && performance.now() - this.last < TURN_MILLISECONDS) return;
        this.options.onProgress?.(this.done, this.total);
        await nextTurn();
        this.options.signal?.throwIfAborted();
        this.last = performance.now();
    }
}
