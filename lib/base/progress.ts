// SPDX-License-Identifier: MIT

import { nextTurn } from './next-turn';

/** Hooks of a bake: progress and a signal. */
export interface BakeHooks {
    /**
     * Called about ten times a second. Counts frames of every skin.
     *
     * @param done Frames evaluated so far.
     * @param total Frames in all.
     */
    onProgress?(done: number, total: number): void;
    /**
     * With `fps: 'auto'`, called at intervals before frames are evaluated.
     *
     * @param rate The rate on trial, frames per second.
     */
    onTrial?(rate: number): void;
    /** Cancels the bake: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
}

/** Milliseconds of calculation before the event loop may run. */
const TURN_MILLISECONDS = 40;

/** Progress, cancellation, and time of the evaluation. Nothing of it reaches an output. */
export class Clock {
    /** Total milliseconds between `start` and `stop`. */
    evaluation = 0;
    private started = 0;
    private done = 0;
    private turn = performance.now();

    constructor(
        private readonly hooks: BakeHooks,
        private readonly total: number,
    ) {}

    start(): void {
        this.started = performance.now();
    }

    stop(): void {
        this.evaluation += performance.now() - this.started;
    }

    /** Counts `frames` more frames. Returns whether it is time for `turnOver`. */
    advance(frames: number): boolean {
        this.done += frames;
        return this.done >= this.total || performance.now() - this.turn >= TURN_MILLISECONDS;
    }

    /** Lets the event loop run. Throws the signal's reason if it was aborted. */
    async turnOver(): Promise<void> {
        this.hooks.onProgress?.(this.done, this.total);
        await nextTurn();
        this.hooks.signal?.throwIfAborted();
        this.turn = performance.now();
    }
}
