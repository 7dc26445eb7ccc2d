// SPDX-License-Identifier: MIT

/** The plots of docs/numerics.md, as SVG text by file name. */

import { lineChart } from '../svg-plot.mjs';

/** A curve looks the same in every picture; in docs/accuracy.md, too. */
const LOOKS = {
    strict: { color: '#24292f' },
    'strict, one t per pair': { color: '#24292f', dash: '2 3' },
    'two weights (PS9)': { color: '#d55e00' },
    'textbook, float': { color: '#0072b2', dash: '7 4' },
    'paper/sse': { color: '#e69f00' },
    'eberly, 8 terms': { color: '#cc79a7' },
};

const withLooks = (series) => series.map((one) => ({ ...one, ...LOOKS[one.name] }));

export function plots({ byAngle, thresholds, constant, fits, eberly }) {
    return {
        'error-by-angle.svg': lineChart({
            title: 'Error of slerp by angle',
            subtitle: 'Against double precision, over t = 1/64 … 63/64; angles between the quaternions as vectors',
            x: { label: 'angle in degrees', min: 0, max: 90, ticks: [0, 15, 30, 45, 60, 75, 90] },
            y: { label: 'greatest error of any component', scale: 'log', min: 1e-8, max: 1e-4 },
            series: withLooks(byAngle),
            height: 420,
        }),
        'error-by-degree.svg': lineChart({
            title: 'What a polynomial of sin(t θ) / sin θ can do',
            subtitle: 'Greatest error of the weight over all angles up to 90° and all t, in exact arithmetic',
            x: { label: 'degree', min: 1, max: 16, ticks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] },
            y: { label: 'greatest error', scale: 'log', min: 1e-9, max: 1e-1 },
            series: [
                {
                    name: 'least possible (T³)',
                    color: '#24292f',
                    markers: true,
                    points: fits.filter(({ degreeOfT }) => degreeOfT === 3).map((one) => [one.degree, one.weight]),
                },
                {
                    name: 'Eberly, measured',
                    color: '#cc79a7',
                    markers: true,
                    points: eberly.map(({ n, max }) => [n, max]),
                },
                {
                    name: 'Eberly, bound as printed',
                    color: '#cc79a7',
                    dash: '7 4',
                    points: eberly.map(({ n, bound }) => [n, bound]),
                },
                {
                    name: 'half a step of a float below 1',
                    color: '#57606a',
                    dash: '2 3',
                    points: [1, 16].map((n) => [n, 2 ** -25]),
                },
            ],
            height: 400,
        }),
        'thresholds.svg': lineChart({
            title: 'Where a slerp becomes a lerp',
            subtitle: 'Greatest error by angle: a threshold is where a curve jumps',
            x: {
                label: 'angle between the rotations in degrees',
                scale: 'log',
                min: 0.01,
                max: 10,
                ticks: [0.01, 0.1, 1, 10],
            },
            y: { label: 'greatest error of any component', min: 0, max: 5e-7, ticks: errorTicks(5) },
            series: withLooks(thresholds),
            height: 380,
        }),
        'constant-pose.svg': lineChart({
            title: 'A pose that does not change: slerp(a, a, t)',
            subtitle: 'Floats that are not what they were, of 2000 random unit quaternions',
            x: { label: 't', min: 0, max: 1 },
            y: { label: '% of the floats', min: 0, max: 100 },
            series: withLooks(constant),
            height: 340,
        }),
    };
}

function errorTicks(most) {
    return Array.from({ length: most + 1 }, (_, k) => ({ value: k * 1e-7, label: k === 0 ? '0' : `${k}e-7` }));
}
