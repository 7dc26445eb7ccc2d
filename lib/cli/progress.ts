// SPDX-License-Identifier: MIT

import { groupDigits, type Output } from './io';

/** A progress bar that disappears when done. */
export interface Progress {
    /**
     * @param units Frames evaluated, or clips reduced, so far.
     * @param files Finished files; a running file counts as the fraction that is done.
     * @param trial Frame rate that a search is trying; otherwise 0.
     */
    update(units: number, files: number, trial?: number): void;
    /** Hides the bar until the next `update`. */
    pause(): void;
    /** Removes the bar. May be called again. */
    stop(): void;
}

const STEPS = 1000;

/**
 * Shows files, frames, frames per second and the remaining time. Only on terminals.
 *
 * @param label Text before the bar.
 * @param files Number of files.
 * @param unit Unit of progress. Clips have no rate.
 */
export function createProgress(
    output: Output,
    label: string,
    files: number,
    unit: 'frames' | 'clips' = 'frames',
): Progress {
    if (!output.isTTY) return { update() {}, pause() {}, stop() {} };
    // Loaded here: without a terminal the command starts faster.
    const { Format, Presets, SingleBar } = require('cli-progress') as typeof import('cli-progress');
    const start = `${label}${label === '' ? '' : ' '}[{bar}] `;
    let units = 0;
    let trial = 0;
    /** Text next to the bar. Rate and remaining time need at least one unit. */
    const textOf = (left: unknown) => [
        ...(files === 1 ? [] : [`{files}/${groupDigits(files)} files`]),
        ...(units === 0 && trial > 0 ? [] : [`{units} ${unit}`]),
        ...(units === 0 || unit === 'clips' ? [] : ['{rate} frames/s']),
        // A string if unknown: '0' right after the start, 'INF' or 'NULL' without progress.
        ...(units === 0 || typeof left !== 'number' ? [] : ['{eta_formatted} left']),
        ...(trial === 0 ? [] : ['trying {trial} frames/s']),
    ];
    const bar = new SingleBar(
        {
            // The type is a whole stream, but only `write`, `isTTY` and cursor moves of node:readline are used.
            stream: output as unknown as NodeJS.WritableStream,
            format: (options, params, payload) => {
                const format = start + textOf(params.eta).join(' | ');
                return Format.Formatter({ ...options, format }, params, payload);
            },
            clearOnComplete: true,
            hideCursor: true,
        },
        Presets.legacy,
    );
    const started = performance.now();
    let shown = false;
    const stop = () => {
        if (shown) bar.stop();
        shown = false;
    };
    return {
        update(unitsDone, done, tried = 0) {
            units = unitsDone;
            trial = tried;
            const seconds = (performance.now() - started) / 1000;
            const payload = {
                files: groupDigits(Math.floor(done)),
                units: groupDigits(units),
                trial: groupDigits(trial),
                rate: groupDigits(seconds > 0 ? units / seconds : 0),
            };
            if (shown) bar.update(done * STEPS, payload);
            else bar.start(files * STEPS, done * STEPS, payload);
            shown = true;
        },
        pause: stop,
        stop,
    };
}
