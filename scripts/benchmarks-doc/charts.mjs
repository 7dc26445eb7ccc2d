// SPDX-License-Identifier: MIT

/** The charts of docs/benchmarks.md. */

import { barChart } from '../svg-plot.mjs';
import { best, brief, ELEMENTS, find, inUnit, plain, two, unitOf } from './numbers.mjs';

/** One bar each: [what is written below it, value]; bars without a value are left out. */
function chart(title, subtitle, label, bars) {
    const shown = bars.filter(([, value]) => value !== null && value !== undefined);
    return barChart({
        title,
        subtitle,
        width: Math.max(480, 90 + shown.length * 72),
        height: 360,
        y: { label, scale: 'log', min: 1 },
        categories: shown.map(([category]) => category),
        series: [{ name: 'minimum; less is faster', values: shown.map(([, value]) => value) }],
        format: brief,
    });
}

/** Of one routine; `published` is null for what no paper has times of. */
function chartOf(run, routine, title, published) {
    const value = (implementation, timed) => {
        const found = find(run, routine, implementation, timed);
        return found ? inUnit(run, found) : null;
    };
    const fastest = best(run, routine);
    const calm = plain(run, routine);
    const inAddon = ['paper/c', 'paper/sse', 'strict/sse2', 'strict/avx2', 'strict/avx512'];
    const twin = 'strict/typescript';
    const shown = [...inAddon, twin];
    const bars = [
        ['C, P4\n130 nm', published?.c.p4At130nm],
        ['SSE, P4\n130 nm', published?.sse.p4At130nm],
        ...inAddon.map((name) => [name.replace('/', '/\n'), value(name, 'addon')]),
        [
            fastest.implementation.replace('/', '/\n'),
            shown.includes(fastest.implementation) ? null : inUnit(run, fastest),
        ],
        [`${calm.implementation}\nfrom JS`, inUnit(run, calm)],
        ['TypeScript', calm.implementation === twin ? null : value(twin, 'javascript')],
        ...run.peers.map(({ name }) => [name.replace(' ', '\n'), value(name, 'javascript')]),
    ];
    const what = published ? `${unitOf(run)} per joint` : `${unitOf(run)} per quaternion`;
    return chart(
        title,
        `${what}, ${ELEMENTS} elements, hot cache${published ? '; P4: Pentium 4, published 2005' : ''}; ${run.machine.cpu}`,
        `${what} (log)`,
        bars,
    );
}

function chartOfEberly(run) {
    return barChart({
        title: 'Slerp of one pair: Eberly (2011), Table 2',
        subtitle: `ns per slerp (log); less is faster; here: ${run.machine.cpu}`,
        y: { label: 'ns per slerp', scale: 'log', min: 1 },
        categories: run.papers.eberly.map(({ title, implementation }) => `${title}\n${implementation}`),
        series: [
            { name: '32-bit code, Core 2 Quad 2.83 GHz', values: run.papers.eberly.map((row) => row.published32Bit) },
            { name: '64-bit code, Core i7 1.73 GHz', values: run.papers.eberly.map((row) => row.published64Bit) },
            { name: 'here', values: run.papers.eberly.map(({ times: atTimes, lists }) => atTimes ?? lists) },
        ],
        format: brief,
    });
}

function chartOfIntel(run) {
    return barChart({
        title: 'AVX over SSE: Intel (2011), table 1',
        subtitle: `times as fast, on lists of plain quaternions; here: ${run.machine.cpu}`,
        width: 480,
        height: 320,
        y: { label: 'times as fast', min: 0 },
        categories: run.papers.intel.map(({ quaternions }) => `${quaternions} quaternions`),
        series: [
            { name: 'published', values: run.papers.intel.map(({ published }) => published) },
            { name: 'intel/avx over paper/sse here', values: run.papers.intel.map(({ here }) => here) },
        ],
        format: two,
    });
}

/** By file: the chart, and what it is for those who do not see it. */
export function chartsOf(run) {
    const charts = new Map();
    for (const published of run.papers.joints) {
        const alt = `${published.title}: published clock cycles and those here, as in the table`;
        charts.set(`${published.routine}.svg`, {
            alt,
            svg: chartOf(run, published.routine, published.title, published.published),
        });
    }
    charts.set('slerpQuats.svg', {
        alt: 'Slerp of lists of plain quaternions: poselane and other libraries',
        svg: chartOf(run, 'slerpQuats', 'Slerp of lists of plain quaternions', null),
    });
    charts.set('intel.svg', { alt: "Intel's speed-up and the one here", svg: chartOfIntel(run) });
    charts.set('eberly.svg', { alt: "Eberly's times and those here", svg: chartOfEberly(run) });
    return charts;
}
