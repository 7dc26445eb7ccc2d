// SPDX-License-Identifier: MIT

/** The plots of the document, as SVG text by file name. */

import { lineChart, stack } from '../svg-plot.mjs';

/** Colours by name, so that a curve looks the same in every picture; what is not here gets one of the rest. */
const LOOKS = {
    'SlerpOptimized as published': { color: '#d55e00' },
    'eberly, 8 terms': { color: '#cc79a7' },
    'eberly, 12 terms': { color: '#cc79a7', dash: '7 4' },
    'eberly, 16 terms': { color: '#cc79a7', dash: '2 3' },
    'paper/sse': { color: '#e69f00' },
    'intel/avx': { color: '#009e73', dash: '7 4' },
    'paper/c': { color: '#0072b2' },
    strict: { color: '#24292f' },
    fast: { color: '#56b4e9' },
};

const withLooks = (series) => series.map((one) => ({ ...one, ...LOOKS[one.name] }));

export function byAngle(tiny, all) {
    const y = { label: 'greatest error of any component', scale: 'log', min: 1e-8, max: 1e-2 };
    const overAll = lineChart({
        title: 'Error of slerp by angle',
        subtitle: 'Against double precision, over t = 1/64 … 63/64; angles between the quaternions as vectors',
        x: { label: 'angle in degrees', min: 0, max: 180, ticks: [0, 30, 60, 90, 120, 150, 180] },
        y,
        series: withLooks(all.map((one) => ({ ...one, points: one.points.map(([x, e]) => [(x * 180) / Math.PI, e]) }))),
        height: 460,
    });
    const overTiny = lineChart({
        title: 'The same for small angles',
        x: { label: 'angle in radians', scale: 'log', min: 1e-7, max: 1 },
        y,
        series: withLooks(tiny),
        height: 440,
    });
    return stack([overAll, overTiny]);
}

export function byLength(series) {
    return lineChart({
        title: 'What quaternions that are not of length 1 cost',
        subtitle: 'Greatest error of slerp where each length is 1 ± so much, at any angle and any t',
        x: { label: 'length off by', scale: 'log' },
        y: { label: 'greatest error of any component', scale: 'log' },
        series: withLooks(series),
        height: 430,
    });
}

export function alongChains({ rotation, translation }) {
    const points = (list) => {
        // Joints 1, 2, 4 … of the curve and the last: all of them would make the file large and the line no different.
        const found = [];
        for (let joints = 2; joints <= list.length; joints *= 2) found.push([joints, list[joints - 1]]);
        return found;
    };
    return lineChart({
        title: 'Drift along chains of joints: transformSkeleton',
        subtitle: 'The worst of 200 chains of bones of length 1, against double precision; the same bits everywhere',
        x: { label: 'joints', scale: 'log', min: 1, max: 1024, ticks: [1, 4, 16, 64, 256, 1024] },
        y: { label: 'greatest error', scale: 'log' },
        series: [
            { name: 'translation (bones are of length 1)', points: points(translation), markers: true },
            { name: 'entry of the rotation', points: points(rotation), markers: true },
        ],
        height: 380,
    });
}
