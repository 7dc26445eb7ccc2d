// SPDX-License-Identifier: MIT

/** The tables of docs/benchmarks.md, each of a run of the benchmarks. */

import { best, brief, ELEMENTS, find, inNs, inUnit, one, plain, times, two, unitOf } from './numbers.mjs';

export function table(header, rows) {
    const all = [header, header.map((_, k) => (k === 0 ? '---' : '---:')), ...rows];
    return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function tableOf2005(run) {
    const rows = [];
    for (const { title, published, here, speedUp, routine } of run.papers.joints) {
        const of = (name) => here.find(({ implementation }) => implementation === name);
        const others = here.filter(({ implementation }) => !['paper/c', 'paper/sse'].includes(implementation));
        const cell = (found) => (found ? `${brief(found.min)} (${brief(found.median)})` : '–');
        const { c, sse } = published;
        rows.push([`**${title}**, C`, c.p4At130nm, c.p4At90nm, '`paper/c`', cell(of('paper/c'))]);
        rows.push(['SSE', sse.p4At130nm, sse.p4At90nm, '`paper/sse`', cell(of('paper/sse'))]);
        rows.push(['C → SSE', times(speedUp.p4At130nm), times(speedUp.p4At90nm), '', times(speedUp.here)]);
        for (const found of others) {
            const mark = found.timed === 'javascript' ? ' *' : '';
            rows.push(['', '', '', `\`${found.implementation}\`${mark}`, cell(found)]);
        }
        const fastest = best(run, routine);
        rows.push(['fastest here', '', '', `\`${fastest.implementation}\``, brief(inUnit(run, fastest))]);
    }
    return table(
        ['routine', 'P4 130 nm', 'P4 90 nm', 'implementation', `here: minimum (median), ${unitOf(run)}`],
        rows,
    );
}

/** Every routine of the strict kernels, beside the listings and the fast ones. */
export function tableOfStrict(run) {
    const routines = [
        ...run.papers.joints.map(({ routine }) => routine),
        'slerpJointsPerJoint',
        'normalizeJoints',
        'slerpQuats',
        'slerpQuatsPerQuat',
        'lerpQuats',
    ];
    const names = [
        'paper/c',
        'paper/sse',
        'strict/typescript',
        'strict/scalar',
        'strict/sse2',
        'strict/avx2',
        'strict/avx512',
        'fast/avx2',
        'fast/avx512',
    ];
    return table(
        ['routine', ...names.map((name) => `\`${name}\``)],
        routines.map((routine) => [
            routine,
            ...names.map((name) => {
                const found = find(run, routine, name, 'addon') ?? find(run, routine, name, 'javascript');
                return found ? brief(inUnit(run, found)) : '–';
            }),
        ]),
    );
}

export function tableOfIntel(run) {
    return table(
        ['lists of', 'published', 'here', `\`paper/sse\`, ${unitOf(run)}`, `\`intel/avx\`, ${unitOf(run)}`],
        run.papers.intel.map(({ quaternions, published, here, sse, avx }) => [
            `${quaternions} quaternions`,
            times(published, 2),
            times(here, 2),
            one(sse?.min),
            one(avx?.min),
        ]),
    );
}

export function tableOfEberly(run) {
    return table(
        ['function', '32-bit', '64-bit', 'implementation', 'here, one pair', 'here, list of pairs'],
        run.papers.eberly.map(({ title, published32Bit, published64Bit, implementation, times: atTimes, lists }) => [
            title,
            one(published32Bit),
            one(published64Bit),
            `\`${implementation}\``,
            two(atTimes),
            two(lists),
        ]),
    );
}

export function tableOfJavascript(run) {
    const routines = [...run.papers.joints.map(({ routine }) => routine), 'slerpQuats'];
    const peers = run.peers.filter(({ version }) => version !== null).map(({ name }) => name);
    const cell = (routine, name) => {
        const found = find(run, routine, name, 'javascript');
        return found ? one(inNs(run, found)) : '–';
    };
    return table(
        ['routine', `poselane: \`${run.machine.tier}\``, '`strict/typescript`', ...peers],
        routines.map((routine) => {
            return [
                routine,
                one(inNs(run, plain(run, routine))),
                cell(routine, 'strict/typescript'),
                ...peers.map((name) => cell(routine, name)),
            ];
        }),
    );
}

/** Long lists beside those of 1024, for routines that were measured with them; '' where none was. */
export function learntBranches(run) {
    const long = 100_000;
    const rows = [];
    for (const { routine, title } of run.papers.joints) {
        for (const implementation of ['paper/c', 'paper/sse']) {
            const [short, far] = [ELEMENTS, long].map((n) => find(run, routine, implementation, 'addon', n));
            if (short && far)
                rows.push([title, `\`${implementation}\``, one(inUnit(run, short)), one(inUnit(run, far))]);
        }
    }
    if (rows.length === 0) return '';
    return `
### Branches that are learnt by heart

The tables above repeat one list of ${ELEMENTS} joints, as those of 2005 did; here the joints are random. A branch predictor
of today learns that list by heart, which flatters the C code. On ${long} random joints, too many to learn, the C code
is slower and the SIMD code, which has no branches, hardly. (It is not the length: ${long} joints that repeat the
same ${ELEMENTS} again and again take as long per joint as ${ELEMENTS}.)

${table(['routine', 'implementation', `${ELEMENTS} joints, ${unitOf(run)}`, `${long} joints, ${unitOf(run)}`], rows)}
`;
}
