// SPDX-License-Identifier: MIT

/** What was meant to be reached beside what is. */

/** Ticks are of a clock of so many GHz, that of the machine that the targets were set on, whatever the clock is here. */
export const TICKS_PER_NS = 2.596;

/**
 * @param sense `'<='` or `'>='`; null where nothing is wanted.
 * @param achieved `{ min, median }`, nothing where it cannot run here. Of ratios `min` is that of the minima.
 * @returns `ok` by the minimum; null where nothing is wanted or it cannot run.
 */
export function target(what, sense, wanted, unit, achieved) {
    return {
        what,
        sense,
        wanted,
        unit,
        min: achieved?.min ?? null,
        median: achieved?.median ?? null,
        ok: achieved && wanted !== null ? (sense === '<=' ? achieved.min <= wanted : achieved.min >= wanted) : null,
    };
}

/** What stands beside targets, without a verdict. */
export const beside = (what, unit, achieved) => target(what, null, null, unit, achieved);

/** As a table for a terminal. */
export function targetLines(targets) {
    const rows = targets.map(({ what, sense, wanted, unit, min, median, ok }) => [
        what,
        wanted === null ? unit : `${sense} ${wanted} ${unit}`,
        min === null ? '–' : digits(min),
        median === null ? '–' : digits(median),
        verdict(wanted, min, ok),
    ]);
    rows.unshift(['', 'target', 'minimum', 'median', '']);
    const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
    const lines = rows.map((row) =>
        row
            .map((cell, k) => (k === 0 || k === 4 ? cell.padEnd(widths[k]) : cell.padStart(widths[k])))
            .join('  ')
            .trimEnd(),
    );
    const count = (value) => targets.filter(({ wanted, ok }) => wanted !== null && ok === value).length;
    return [...lines, '', `${count(true)} ok, ${count(false)} missed, ${count(null)} not available here`];
}

function verdict(wanted, min, ok) {
    if (min === null) return 'not available here';
    if (wanted === null) return 'no target';
    return ok ? 'ok' : 'MISS';
}

const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
