// SPDX-License-Identifier: MIT

/** What the strict kernels were meant to reach: the targets, and why some are missed. */

import { times } from './numbers.mjs';
import { table } from './tables.mjs';

/** Ticks of slerpJoints by a plain loop over acosf, sinf and sqrtf: bench/variants/blend/README.md. */
export const FLOAT_LIBM = 39.0;

export function tableOfTargets({ targets }) {
    const value = (number) => (number === null ? '–' : number >= 100 ? number.toFixed(0) : number.toFixed(2));
    return table(
        ['', 'target', 'minimum', 'median', ''],
        targets.map(({ what, sense, wanted, unit, min, median, ok }) => [
            what,
            wanted === null ? unit : `${sense === '<=' ? '≤' : '≥'} ${wanted} ${unit}`,
            value(min),
            value(median),
            min === null ? 'not available' : wanted === null ? '' : ok ? 'reached' : '**missed**',
        ]),
    );
}

/** Why the missed ones are; '' where none is. */
export function missedTargets({ targets, explanations }) {
    const missed = targets.filter(({ ok }) => ok === false).map(({ what }) => what);
    if (missed.length === 0) return '';
    const unexplained = missed.filter((what) => !explanations.some((one) => one.targets.includes(what)));
    if (unexplained.length > 0)
        throw new Error(`docs/benchmarks/missed.json does not say why: ${unexplained.join('; ')}`);
    const rows = explanations
        .map(({ targets: about, why, tried }) => [about.filter((what) => missed.includes(what)), why, tried])
        .filter(([about]) => about.length > 0)
        .map(([about, why, tried]) => [about.join('<br>'), why, tried]);
    return `
${table(['missed', 'why', 'tried'], rows).replace('---: | ---:', '--- | ---')}
`;
}

/** How much faster slerpJoints is than a loop in floats, by the same run. */
export function overFloatLibm({ targets }) {
    const found = targets.find(({ what }) => what === 'slerpJoints, n = 1024: strict/avx512');
    return found?.min ? `, ${times(FLOAT_LIBM / found.min, 0)} what \`strict/avx512\` takes` : '';
}
