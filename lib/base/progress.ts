// SPDX-License-Identifier: MIT

import { nextTurn } from './next-turn';

/** How a bake is watched and ended. */
export interface BakeHooks {
    /**
     * Called now and then; frames of every skin are counted.
     *
     * @param done Frames evaluated so far.
     * @param total All of them.
     */
    onProgress?(done: number, total: number): void;
    /**
     * With `fps: 'auto'`, called now and then, before there are frames to count.
     *
     * @param rate Frames per second that are tried.
     */
    onTrial?(rate: number): void;
    /** Ends the bake: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
}

/** How long to calculate before signals and timers get their turn, milliseconds. */
const TURN_MILLISECONDS = 40;

/** Progress, cancelling, and how long evaluation takes. Nothing of it reaches an output. */
export class Clock {
    /** Milliseconds between `start` and `stop`, in all. */
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

    /** Whether it is time for `turnOver`, with `frames` more frames done. */
    advance(frames: number): boolean {
        this.done += frames;
        return this.done >= this.total || performance.now() - this.turn >= TURN_MILLISECONDS;
    }

    /** Lets the event loop run; throws the signal's reason if it was aborted. */
    async turnOver(): Promise<void> {
        this.hooks.onProgress?.(this.done, this.total);
        await nextTurn();
        this.hooks.signal?.throwIfAborted();
        this.turn = performance.now();
    }
}
