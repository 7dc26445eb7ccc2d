// SPDX-License-Identifier: MIT

/**
 * What D. Eberly's "A Fast and Accurate Algorithm for Computing SLERP" (Journal of Graphics, GPU, and Game Tools 15:3,
 * 2011) says about its own error, computed anew. The article approximates f(x;t) = sin(t theta) / sin(theta),
 * x = cos(theta), 0 <= x <= 1, 0 <= t <= 1, by
 *
 *     f^(x;t) = sum over i <= n of a_i(t) (x-1)^i + mu a_n(t) (x-1)^n,
 *     a_0 = t,  a_i = a_(i-1) (t^2 - i^2) / (i (2i+1)),
 *
 * and its Table 1 lists mu and a bound e for n = 1 to 16. Part 1 of this script computes that table again. Part 2
 * measures how large |f - f^| really gets: larger than the table says. Part 3 looks at what the article says of g on the
 * way to mu: the bounds of equation 17, and the average that it discusses and does not choose.
 *
 *     node scripts/docs/eberly-table.mjs            prints the tables of docs/tables/eberly.md
 *     node scripts/docs/eberly-table.mjs --json     prints all numbers, and those tables as `text`
 *     node scripts/docs/eberly-table.mjs --figures  prints Figures 1 to 4 as docs/images/eberly-figures.svg
 */

import { parseArgs } from 'node:util';
import published from '../../dist/bench/published.js';
import { drawPanels } from './panels.mjs';

// ---- Part 1: Table 1 ------------------------------------------------------------------------------------------------
//
// mu is chosen at x = 0, where f(0;t) = sin(pi t / 2). There the series without the mu term falls short by
// g(t) = sin(pi t / 2) - sum of p_i(t) for i <= n, p_i = (-1)^i a_i > 0, and mu p_n(t) is to make up for it with equal
// extremes +e at t0 and -e at t1. g is a small difference of large numbers, so doubles cannot give the 17 printed
// digits: a number here is a BigInt, the integer nearest to the value times 10^50.

const DECIMALS = 50;
const ONE = 10n ** BigInt(DECIMALS);
const HALF_PI = 314159265358979323846264338327950288419716939937510n / 2n;
/** Roots are found to 10^-30; the extremes are flat there, so mu and e are good to all digits carried. */
const ROOT_TOLERANCE = 10n ** 20n;

const times = (a, b) => (a * b) / ONE;
const over = (a, b) => (a * ONE) / b;

function sineAndCosine(angle) {
    const sums = [0n, 0n];
    let term = ONE;
    for (let k = 1n; term !== 0n; k++) {
        // The terms angle^k / k! go to the cosine and the sine in turn, with the signs + + - -.
        const index = Number((k - 1n) % 4n);
        sums[index % 2] += index < 2 ? term : -term;
        term = times(term, angle) / k;
    }
    return { sine: sums[1], cosine: sums[0] };
}

/** g and p = p_n at t, and their derivatives by t. */
function atZero(n, t) {
    const { sine, cosine } = sineAndCosine(times(HALF_PI, t));
    let [p, slopeP] = [t, ONE];
    let [sum, slopeSum] = [p, slopeP];
    for (let i = 1n; i <= BigInt(n); i++) {
        const factor = i * i * ONE - times(t, t);
        const divisor = i * (2n * i + 1n);
        slopeP = (times(slopeP, factor) - 2n * times(t, p)) / divisor;
        p = times(p, factor) / divisor;
        sum += p;
        slopeSum += slopeP;
    }
    return { g: sine - sum, p, slopeG: times(HALF_PI, cosine) - slopeSum, slopeP };
}

/** Where g - mu p has its extreme between `from` and `to`, by bisection of its derivative. */
function extremeBetween(n, mu, from, to) {
    const rising = (t) => {
        const { slopeG, slopeP } = atZero(n, t);
        return slopeG - times(mu, slopeP) > 0n;
    };
    let [low, high] = [from, to];
    const risesAtLow = rising(low);
    if (risesAtLow === rising(high)) throw new Error(`n = ${n}: no extreme between ${from} and ${to}`);
    while (high - low > ROOT_TOLERANCE) {
        const middle = (low + high) / 2n;
        if (rising(middle) === risesAtLow) low = middle;
        else high = middle;
    }
    return (low + high) / 2n;
}

/** The procedure of the article's section 4, word for word. */
function equioscillation(n) {
    let [t0, t1] = [ONE / 4n, (3n * ONE) / 4n];
    for (;;) {
        const [at0, at1] = [atZero(n, t0), atZero(n, t1)];
        const mu = over(at0.g + at1.g, at0.p + at1.p);
        const e = over(times(at0.g, at1.p) - times(at1.g, at0.p), at0.p + at1.p);
        const [last0, last1] = [t0, t1];
        t0 = extremeBetween(n, mu, 0n, ONE / 2n);
        t1 = extremeBetween(n, mu, ONE / 2n, ONE);
        const moved = [t0 - last0, t1 - last1].some((by) => by > 2n * ROOT_TOLERANCE || by < -2n * ROOT_TOLERANCE);
        if (!moved) return { mu, e, t0, t1 };
    }
}

/** A value in decimals, either cut off or rounded. */
function decimal(value, places, { round }) {
    const unit = 10n ** BigInt(DECIMALS - places);
    const digits = String((value + (round ? unit / 2n : 0n)) / unit).padStart(places + 1, '0');
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function scientific(value, places, { round }) {
    let exponent = 0;
    let mantissa = value;
    while (mantissa < ONE) [mantissa, exponent] = [mantissa * 10n, exponent - 1];
    return `${decimal(mantissa, places, { round })}e${exponent}`;
}

/** How a printed number relates to the value it stands for: 'rounded', 'cut off', 'exact' (both) or 'wrong'. */
function printedAs(printed, write) {
    const [cut, rounded] = [printed === write({ round: false }), printed === write({ round: true })];
    if (cut) return rounded ? 'exact' : 'cut off';
    return rounded ? 'rounded' : 'wrong';
}

const PLACES_OF_MU = 17;

/** One row of Table 1 beside the values recomputed. */
function checkRow({ n, ...printed }) {
    const { mu, e, t0, t1 } = equioscillation(n);
    const printedMu = BigInt(printed.mu.replace('.', '')) * 10n ** BigInt(DECIMALS - PLACES_OF_MU);
    // The most decimals to which printed and recomputed value, both rounded, are the same.
    let muDecimals = PLACES_OF_MU;
    const same = (places) => decimal(printedMu, places, { round: true }) === decimal(mu, places, { round: true });
    while (!same(muDecimals)) muDecimals--;
    return {
        n,
        printed,
        mu: decimal(mu, PLACES_OF_MU, { round: true }),
        muDifference: Number(printedMu - mu) / Number(ONE),
        muDecimals,
        e: scientific(e, 9, { round: true }),
        eIs: printedAs(printed.e, (how) => scientific(e, 6, how)),
        t0: decimal(t0, 6, { round: true }),
        t0Is: printedAs(printed.t0, (how) => decimal(t0, 4, how)),
        t1: decimal(t1, 6, { round: true }),
        t1Is: printedAs(printed.t1, (how) => decimal(t1, 4, how)),
    };
}

// ---- Part 2: the error on the whole square --------------------------------------------------------------------------

/**
 * f^ - f from the series of f, which has no cancellation and needs no library function: the terms of f beyond n, less
 * the mu term. (a_i (x-1)^i is positive: both factors alternate in sign.)
 */
function errorAt(n, mu, x, t) {
    let term = t;
    let error = 0;
    for (let i = 1; i < n + 90; i++) {
        term *= ((i * i - t * t) / (i * (2 * i + 1))) * (1 - x);
        if (i === n) error = mu * term;
        if (i > n) error -= term;
    }
    return error;
}

/** The length of f^(x;1-t) q0 + f^(x;t) q1 minus the true slerp, for unit q0 and q1 with q0 . q1 = x. */
function vectorErrorAt(n, mu, x, t) {
    return combined(errorAt(n, mu, x, 1 - t), errorAt(n, mu, x, t), x);
}

const combined = (d0, d1, x) => Math.sqrt(d0 * d0 + 2 * d0 * d1 * x + d1 * d1);

const GRID = 1000;
const GRID_POINTS = (GRID + 1) ** 2;

/** sin(t theta) / sin(theta) on the grid x, t = 0, 1/1000, ... 1, from the library's own sine. */
function exactOnGrid() {
    const values = new Float64Array(GRID_POINTS);
    for (let row = 0; row <= GRID; row++) {
        const theta = Math.acos(row / GRID);
        for (let column = 0; column <= GRID; column++) {
            const t = column / GRID;
            values[row * (GRID + 1) + column] = row === GRID ? t : Math.sin(t * theta) / Math.sin(theta);
        }
    }
    return values;
}

/** f^ as an implementation evaluates it, equation (20) for any n. */
function approximation(n, mu, x, t) {
    let value = 1;
    for (let i = n; i >= 1; i--) {
        const b = ((x - 1) * (t * t - i * i)) / (i * (2 * i + 1));
        value = 1 + (i === n ? 1 + mu : 1) * b * value;
    }
    return t * value;
}

/** The largest value of `measure` about (x, t), by looking around in ever smaller steps. */
function climb(measure, x, t) {
    let best = { x, t, value: measure(x, t) };
    const within = (value) => Math.min(1, Math.max(0, value));
    for (let step = 1 / GRID; step > 1e-7; step /= 2) {
        const { x: middleX, t: middleT } = best;
        for (let row = -2; row <= 2; row++) {
            for (let column = -2; column <= 2; column++) {
                const [nearX, nearT] = [within(middleX + row * step), within(middleT + column * step)];
                const value = measure(nearX, nearT);
                if (value > best.value) best = { x: nearX, t: nearT, value };
            }
        }
    }
    return best;
}

/** The largest |f - f^| over all t for one x. */
function largestOverT(n, mu, x) {
    const measure = (t) => Math.abs(errorAt(n, mu, x, t));
    let best = 0;
    for (let k = 1; k < 100; k++) if (measure(k / 100) > measure(best)) best = k / 100;
    for (let step = 0.005; step > 1e-5; step /= 2) {
        for (const t of [best - step, best + step]) if (measure(t) > measure(best)) best = t;
    }
    return measure(best);
}

/** The largest errors over the square: on the grid from their definition, then refined from the series. */
function measureSquare({ n, mu: muText, e: eText }, exact, printed) {
    const [mu, e] = [Number(muText), Number(eText)];
    const coefficient = { value: -1 };
    const vector = { value: -1 };
    const errors = new Float64Array(GRID + 1);
    for (let row = 0; row <= GRID; row++) {
        const x = row / GRID;
        for (let column = 0; column <= GRID; column++) {
            const t = column / GRID;
            errors[column] = approximation(n, mu, x, t) - exact[row * (GRID + 1) + column];
        }
        for (let column = 0; column <= GRID; column++) {
            const t = column / GRID;
            const size = Math.abs(errors[column]);
            if (size > coefficient.value) Object.assign(coefficient, { value: size, error: errors[column], x, t });
            const length = combined(errors[GRID - column], errors[column], x);
            if (length > vector.value) Object.assign(vector, { value: length, x, t });
        }
    }
    const { x, t, error } = coefficient;
    if (Math.abs(error - errorAt(n, mu, x, t)) > 1e-14) throw new Error(`n = ${n}: the two formulas disagree`);

    const worst = climb((atX, atT) => Math.abs(errorAt(n, mu, atX, atT)), x, t);
    const worstVector = climb((atX, atT) => vectorErrorAt(n, mu, atX, atT), vector.x, vector.t);

    // From x = 0, where it equals e, the error rises to its maximum; where does it come down to e again?
    let [low, high] = [worst.x, 1];
    while (high - low > 1e-6) {
        const middle = (low + high) / 2;
        if (largestOverT(n, mu, middle) > e) low = middle;
        else high = middle;
    }
    return {
        n,
        bound: Number(printed.e),
        atZero: largestOverT(n, mu, 0),
        max: worst.value,
        x: worst.x,
        t: worst.t,
        ratio: worst.value / Number(printed.e),
        exceededTo: high,
        vectorBound: 2 * Number(printed.e),
        vectorMax: worstVector.value,
    };
}

// ---- Part 3: the bounds of g, and the average ------------------------------------------------------------------------

/** g / p at t: 1 + lambda_(n+1), with what follows nested. lambda_i tends to 1/2, so that so many terms leave nothing. */
function ratioAt(n, t) {
    let ratio = 0;
    for (let i = n + 60; i > n; i--) ratio = lambda(i, t) * (1 + ratio);
    return ratio;
}

/** -a_i / a_(i-1). */
const lambda = (i, t) => (i * i - t * t) / (i * (2 * i + 1));

/** g_min / p; g_max / p is 1. */
const lowerAt = (n, t) => lambda(n, t) / (1 - lambda(n, t));

/** p = (-1)^n a_n at t. */
function termAt(n, t) {
    let term = t;
    for (let i = 1; i <= n; i++) term *= lambda(i, t);
    return term;
}

/** The bounds as factors of p, and how far g is from `average` * p. */
function boundsOf({ n, mu, e }) {
    const steps = 2000;
    const times = Array.from({ length: steps + 1 }, (_, k) => k / steps);
    const ratios = times.map((t) => ratioAt(n, t));
    // Simpson's rule.
    const average =
        ratios.reduce((sum, r, k) => sum + r * (k % steps === 0 ? 1 : k % 2 === 1 ? 4 : 2), 0) / (3 * steps);
    return {
        n,
        lower: [lowerAt(n, 0), lowerAt(n, 1)],
        ratio: [ratios[0], ratios[steps]],
        holds: times.every((t, k) => lowerAt(n, t) < ratios[k] && ratios[k] < 1),
        average,
        averageError: Math.max(...times.map((t, k) => Math.abs((ratios[k] - average) * termAt(n, t)))),
        mu: Number(mu),
        e: Number(e),
    };
}

/** Figures 1 to 4, all of n = 8. Figure 1 is a surface over x and t; here it is cut at some x. */
function figuresOf({ n, mu, e }) {
    const truncated = (x) => (t) => -errorAt(n, 0, x, t);
    const tenMillionths = (value) => (value * 1e7).toFixed(0);
    const tenThousandths = (value) => (value * 1e4).toFixed(0);
    const scaled = (...marks) => ({ marks, label: tenThousandths });
    const figures = [
        {
            title: '1: truncation error ε(x; t), times 10⁴',
            curves: [0, 0.1, 0.2, 0.3, 0.5].map((x) => [`x = ${x}`, truncated(x)]),
            ...scaled(0, 1e-4, 2e-4, 3e-4, 4e-4),
        },
        {
            title: '2: g and its bounds, times 10⁴',
            curves: [
                ['g_min', (t) => lowerAt(n, t) * termAt(n, t)],
                ['g', truncated(0)],
                ['g_max', (t) => termAt(n, t)],
            ],
            ...scaled(0, 1e-4, 2e-4, 3e-4, 4e-4),
        },
        {
            title: '3: the same divided by p, and μ',
            curves: [
                ['g_min / p', (t) => lowerAt(n, t)],
                ['g / p', (t) => ratioAt(n, t)],
                ['g_max / p', () => 1],
                ['μ', () => Number(mu)],
            ],
            marks: [0.85, 0.9, 0.95, 1],
            label: (value) => value.toFixed(2),
        },
        {
            title: '4: g − μ p, times 10⁷',
            curves: [
                ['g − μ p', (t) => -errorAt(n, Number(mu), 0, t)],
                ['e', () => Number(e)],
                ['−e', () => -Number(e)],
            ],
            marks: [-2e-6, -1e-6, 0, 1e-6, 2e-6],
            label: tenMillionths,
        },
    ];
    const quarters = [0, 0.25, 0.5, 0.75, 1];
    const hundredths = Array.from({ length: 101 }, (_, i) => i / 100);
    return figures.map(({ title, curves, marks, label }) => ({
        title,
        curves: curves.map(([name, of]) => [name, hundredths.map((t) => [t, of(t)])]),
        xMarks: quarters.map((t) => [t, t]),
        yMarks: marks.map((mark) => [mark, label(mark)]),
        xLabel: 't',
    }));
}

// ---- The tables -----------------------------------------------------------------------------------------------------

const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---:')), ...rows.map(row)].join('\n');

/** Table 1 beside the values recomputed; `*` where the printed digits are cut off and not rounded. */
function checkTable(check) {
    const mark = (text, kind) => `${text}${kind === 'cut off' ? ' *' : ''}`;
    return table(
        ['n', 'mu printed', 'mu recomputed', 'decimals right', 'e printed', 'e recomputed', 't0', 't1'],
        check.map(({ n, printed, mu, muDecimals, e, eIs, t0, t0Is, t1, t1Is }) => [
            ...[n, printed.mu, mu, muDecimals, printed.e],
            ...[mark(e, eIs), mark(t0, t0Is), mark(t1, t1Is)],
        ]),
    );
}

function squareTable(square) {
    return table(
        ['n', 'bound printed', 'true maximum', 'at x', 'at t', 'ratio', 'exceeded up to x', '2e', 'true slerp error'],
        square.map((one) => [
            ...[one.n, one.bound.toExponential(3), one.max.toExponential(4), one.x.toFixed(4), one.t.toFixed(3)],
            ...[one.ratio.toFixed(2), one.exceededTo.toFixed(3)],
            ...[one.vectorBound.toExponential(3), one.vectorMax.toExponential(4)],
        ]),
    );
}

function boundsTable(bounds) {
    const range = ([from, to]) => `${from.toFixed(4)} … ${to.toFixed(4)}`;
    return table(
        ['n', 'g_min / p', 'g / p', 'average', 'mu', 'error with the average', 'with mu', 'ratio'],
        bounds.map(({ n, lower, ratio, average, averageError, mu, e }) => [
            ...[n, range(lower), range(ratio), average.toFixed(6), mu.toFixed(6)],
            ...[averageError.toExponential(3), e.toExponential(3), (averageError / e).toFixed(2)],
        ]),
    );
}

/** The smallest n for a slerp error that is wanted: by the printed bound, and in truth. */
function neededTable(square) {
    const first = (key, limit) => square.find((one) => one[key] <= limit).n;
    return table(
        ['slerp error at most', 'n by 2e', 'n in truth'],
        [1e-4, 1e-5, 1e-6, 1e-7].map((limit) => [
            ...[limit.toExponential(0), first('vectorBound', limit), first('vectorMax', limit)],
        ]),
    );
}

const { values: options } = parseArgs({ options: { json: { type: 'boolean' }, figures: { type: 'boolean' } } });
const check = published.EBERLY_TABLE_1.map(checkRow);
if (options.figures) process.stdout.write(drawPanels("Figures 1 to 4 of Eberly's article, n = 8", figuresOf(check[7])));
else printTables();

function printTables() {
    const exact = exactOnGrid();
    const square = check.map((one) => measureSquare(one, exact, one.printed));
    const bounds = check.map(boundsOf);
    const text = [checkTable(check), boundsTable(bounds), squareTable(square), neededTable(square)].join('\n\n');
    console.log(options.json ? JSON.stringify({ table: check, bounds, square, text }, null, 2) : text);
}
