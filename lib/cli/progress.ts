// SPDX-License-Identifier: MIT

import { groupDigits, type Output } from './io';

/** A progress bar that is wiped off when it is done. */
export interface Progress {
    /**
     * @param units Frames evaluated, or clips reduced, so far.
     * @param files Done so far; of those at work the part that is done.
     * @param trial Frames a second that are tried, where a rate is searched for; otherwise 0.
     */
    update(units: number, files: number, trial?: number): void;
    /** Wipes the bar off until the next `update`, for other lines. */
    pause(): void;
    /** Wipes the bar off; more than one call does no harm. */
    stop(): void;
}

/** Steps of the bar for each file. */
const STEPS = 1000;

/**
 * On a terminal a bar with files, frames, frames a second and the time that is left; elsewhere nothing.
 *
 * @param label Before the bar.
 * @param files How many there are.
 * @param unit What is counted besides; of clips no rate is told.
 */
export function createProgress(
    output: Output,
    label: string,
    files: number,
    unit: 'frames' | 'clips' = 'frames',
): Progress {
    if (!output.isTTY) return { update() {}, pause() {}, stop() {} };
    // Loaded here: off a terminal the command starts faster without it.
    const { Format, Presets, SingleBar } = require('cli-progress') as typeof import('cli-progress');
    const start = `${label}${label === '' ? '' : ' '}[{bar}] `;
    let units = 0;
    let trial = 0;
    /** The text beside the bar. Before the first unit there is neither a rate nor a time that is left. */
    const told = (left: unknown) => [
        ...(files === 1 ? [] : [`{files}/${groupDigits(files)} files`]),
        ...(units === 0 && trial > 0 ? [] : [`{units} ${unit}`]),
        ...(units === 0 || unit === 'clips' ? [] : ['{rate} frames/s']),
        // A string where it is not known: '0' right after a start, 'INF' or 'NULL' where nothing has moved on.
        ...(units === 0 || typeof left !== 'number' ? [] : ['{eta_formatted} left']),
        ...(trial === 0 ? [] : ['trying {trial} frames/s']),
    ];
    const bar = new SingleBar(
        {
            // The type wants a whole stream; what is used is `write`, `isTTY` and, for cursor moves, node:readline.
            stream: output as unknown as NodeJS.WritableStream,
            format: (options, params, payload) => {
                const format = start + told(params.eta).join(' | ');
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
