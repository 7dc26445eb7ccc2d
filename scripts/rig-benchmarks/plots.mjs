// SPDX-License-Identifier: MIT

/** The curves of docs/rig-benchmarks.md, as SVG text by file name. */

import { lineChart } from '../svg-plot.mjs';

const COST = 'ns per joint and pose';

/** What each curve is of: its axis, and what stays as it is. */
export const AXES = {
    slots: { title: 'Cost by slots', label: 'slots', fixed: '64 poses, 61 keys a channel, one list of key times' },
    keys: { title: 'Cost by keys', label: 'keys per channel', fixed: '64 poses, 64 slots, one list of key times' },
    groups: {
        title: 'Cost by lists of key times',
        label: 'different lists of key times in the clip',
        scale: 'linear',
        fixed: '64 poses, 64 slots with 192 channels, 61 keys a channel',
    },
    poses: { title: 'Cost by poses', label: 'poses', fixed: '64 slots, 61 keys a channel; from time to palettes' },
};

/** The measured points of each curve: `[way, points]`. */
export function curvesOf(growth, over) {
    const points = growth.filter((one) => one.over === over);
    return [...new Set(points.map(({ way }) => way))].map((way) => [way, points.filter((one) => one.way === way)]);
}

/** With a tick at each place that was measured. */
function logAxis(label, places) {
    const ticks = places.map((value) => ({ value, label: value.toLocaleString('en') }));
    return { label: `${label} (log)`, scale: 'log', min: Math.min(...places), max: Math.max(...places), ticks };
}

export function rigPlots(growth, { cpu }) {
    return Object.fromEntries(
        Object.entries(AXES).map(([over, { title, label, fixed, scale = 'log' }]) => {
            const curves = curvesOf(growth, over);
            const places = [...new Set(curves.flatMap(([, points]) => points.map(({ x }) => x)))];
            const plot = lineChart({
                title,
                subtitle: `${fixed}; minimum; less is faster; ${cpu}`,
                x: scale === 'log' ? logAxis(label, places) : { label, min: 0, max: Math.max(...places) },
                y: { label: COST, min: 0 },
                series: curves.map(([name, points]) => ({
                    name,
                    markers: true,
                    points: points.map(({ x, nanoseconds }) => [x, nanoseconds.min]),
                })),
            });
            return [`rig-${over}.svg`, plot];
        }),
    );
}
