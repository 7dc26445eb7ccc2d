// SPDX-License-Identifier: MIT

/** The tables and numbers that docs/numerics/template.md asks for. */

const row = (cells) => `| ${cells.join(' | ')} |`;

/** The first column to the left, all others to the right. */
function table(head, rows) {
    return [row(head), row(head.map((_, k) => (k === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
}

const error = (value) => (typeof value === 'number' ? value.toExponential(2) : '–');
const rough = (value) => (typeof value === 'number' ? (value === 0 ? '0' : value.toExponential(1)) : '–');
const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
const bold = (text, is) => (is ? `**${text}**` : text);
const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');

function coefficients({ coefficients: sets }) {
    return table(
        ['set', 'degree in y', 'numbers', 'greatest error of a weight', 'of the vector'],
        sets.map(({ name, degree, numbers, weight, vector }) => [
            bold(name, name === 'PS9' || name === 'PQ8'),
            degree,
            numbers,
            error(weight),
            error(vector),
        ]),
    );
}

function fits({ fits: all }) {
    const degrees = [...new Set(all.map(({ degree }) => degree))].sort((a, b) => a - b);
    const powers = [2, 3, 4];
    return table(
        ['degree in y', ...powers.map((power) => `up to T${'⁰¹²³⁴'[power]}`)],
        degrees.map((degree) => [
            degree,
            ...powers.map((power) => {
                const found = all.find((one) => one.degree === degree && one.degreeOfT === power);
                return found ? rough(found.weight) : '–';
            }),
        ]),
    );
}

function forms({ forms: all }) {
    return table(
        ['form', 'operations', '(a) max', 'RMS', '(b) max', '(c) max', 'slerp(a, a, t) = a', 'drift'],
        all.map(({ name, chosen, flops, a, b, c, same, drift }) => [
            bold(name, chosen),
            flops ?? '–',
            error(a.max),
            rough(a.rms),
            error(b.max),
            error(c.max),
            percent(same),
            rough(drift),
        ]),
    );
}

function lerps({ lerps: all }) {
    return table(
        ['form', '(a) max', 'RMS', 'length', '(b) max'],
        all.map(({ name, chosen, a, b }) => [
            bold(name, chosen),
            error(a.max),
            rough(a.rms),
            error(a.length),
            error(b.max),
        ]),
    );
}

/** Rows with the same numbers as one, under all their names; ours first. */
function grouped(slerps) {
    const groups = new Map();
    for (const { routine, label, byCpu, reason, ...numbers } of slerps) {
        const family = label.split('/')[0];
        const key = JSON.stringify([routine, family, byCpu, reason ?? numbers]);
        const found = groups.get(key);
        if (found) found.labels.push(label);
        else groups.set(key, { routine, byCpu, reason, numbers, labels: [label] });
    }
    const place = ({ labels: [label] }) => ['strict/', 'fast/', ''].findIndex((family) => label.startsWith(family));
    return [...groups.values()].sort((a, b) => place(a) - place(b));
}

function slerps({ slerps: all }) {
    const rows = grouped(all).map(({ routine, byCpu, reason, numbers, labels }) => {
        const names = labels.map((label) => (routine ? `\`${label}\`` : label)).join(', ');
        const perPair = routine === 'slerpQuatsPerQuat' ? ', one t per pair' : '';
        const first = `${names}${perPair}${byCpu ? ' *' : ''}`;
        if (reason !== undefined) return [first, `not measured: ${reason}`, ...Array(6).fill('')];
        const { a, b, c, drift } = numbers;
        return [
            first,
            ...[a.max, a.rms, a.rotation, a.length, b.max, c.max, drift].map((value, k) => {
                // What is not finite is kept as a word.
                if (typeof value === 'string') return 'NaN';
                return (k === 1 || k === 6 ? rough : error)(value);
            }),
        ];
    });
    return table(['', '(a) max', 'RMS', 'rotation', 'length', '(b) max', '(c) max', 'drift'], rows);
}

function nans({ nans: all }) {
    return table(
        ['angle between the rotations', ...all.map(({ degrees }) => `${degrees}°`)],
        [['pairs that give NaN', ...all.map(({ share }) => percent(share, share > 0 && share < 0.01 ? 2 : 0))]],
    );
}

function thresholds({ thresholds: all }) {
    return table(
        ['', 'rule', 'at', 'jump of the length', 'jump of the angle in radians'],
        all.map(({ name, rule, degrees, length, turn }) => [name, rule, `${degrees}°`, error(length), error(turn)]),
    );
}

function lengths({ lengths: all }) {
    return table(
        ['both of length', ...all.map(({ length }) => length)],
        [
            ['rotation, radians', ...all.map(({ rotation }) => rough(rotation))],
            ['length, relative', ...all.map(({ off }) => rough(off))],
        ],
    );
}

function eberly({ eberly: all }) {
    return table(
        ['terms', 'bound as printed', 'measured', 'times as much'],
        all
            .filter(({ n }) => [4, 8, 12, 16].includes(n))
            .map(({ n, bound, max }) => [n, error(bound), error(max), (max / bound).toFixed(1)]),
    );
}

export const TABLES = { coefficients, fits, forms, lerps, slerps, nans, thresholds, lengths, eberly };

/** Numbers within sentences. */
export function numbersOf(measured) {
    const { forms: all, slerps: every, estimates, apart, machine, pairs } = measured;
    const form = (name) => all.find((one) => one.name === name);
    const most = (name, sets) => Math.max(...sets.map((set) => form(name)[set].max));
    const slerp = (label) => every.find((one) => one.label === label);
    const fast = every.filter(({ label, a }) => label.startsWith('fast/') && a);
    const uniform = fast.filter(({ routine }) => routine === 'slerpQuats');
    const worst = (rows) =>
        rows.length === 0 ? '–' : error(Math.max(...rows.flatMap(({ a, b, c }) => [a.max, b.max, c.max])));
    return {
        machine: `${machine.cpu}, ${machine.platform}, Node ${machine.node}`,
        pairsA: count(pairs.a),
        pairsB: count(pairs.b),
        pairsC: count(pairs.c),
        uniformMax: error(most('PSd9', ['a', 'b', 'c'])),
        perPairMax: error(most('PQ8, mix', ['a', 'b', 'c'])),
        plainMax: error(most('PS9', ['a', 'b', 'c'])),
        eightMax: error(most('PSd8', ['a', 'b', 'c'])),
        floorMax: error(most('exact weights, mix', ['a', 'b', 'c'])),
        unswappedMax: error(most('PSd9 without swap', ['a', 'b', 'c'])),
        uniformSame: percent(form('PSd9').same),
        plainSame: percent(form('PS9').same),
        uniformDrift: rough(form('PSd9').drift),
        plainDrift: rough(form('PS9').drift),
        apart: error(apart),
        fastMax: worst(fast),
        fastUniformMax: worst(uniform),
        estimatesA: error(estimates.makers[0]),
        estimatesMost: error(Math.max(...estimates.makers)),
        estimatesWorst: error(estimates.worst),
        estimatesDiffer: percent(estimates.differ, 0),
        estimatesApart: error(estimates.apart),
        sseDrift: slerp('paper/sse')?.drift ? rough(slerp('paper/sse').drift) : '–',
        paperDrift: rough(slerp('paper/typescript').drift),
    };
}
