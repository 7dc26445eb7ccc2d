// SPDX-License-Identifier: MIT

/**
 * Slerps of `strict/typescript` that lost against the passes of lib/strict: everything for so many pairs (`lanes`) in
 * one loop body, written out by this generator. The same bits. A list's last pairs are repeated to fill the lanes, which
 * does no harm: everything is read before anything is written.
 */

const COMPONENTS = ['x', 'y', 'z', 'w'];

/** How the sign of the cosine becomes a factor. */
export const SIGNS = {
    branch: (c) => `${c} < 0 ? -1 : 1`,
    compare: (c) => `1 - 2 * Number(${c} < 0)`,
    minMax: (c) => `Math.min(1, Math.max(-1, ${c} * 2 ** 200 + 1))`,
    bits: (c) => `(F[0] = ${c} + 0, I[0] >> 31 | 1)`,
};

const range = (n) => [...Array(n).keys()];

/** Joint numbers j0 < j1 < …, as many of them as there are lanes, and their offsets. */
function gather(lanes) {
    return `
        const j0 = index === null ? i : index[i]; i++;
        ${range(lanes - 1)
            .map((l) => `let j${l + 1} = j0;`)
            .join(' ')}
        ${range(lanes - 1)
            .map(
                (l) => `if (j${l + 1} === j0 && i < count) {
                const next = index === null ? i : index[i];
                if (next > j${l}${l > 0 ? ` && j${l} > j${l - 1}` : ''}) { j${l + 1} = next; i++; }
            }`,
            )
            .join('\n')}
        ${range(lanes)
            .map((l) => `const o${l} = j${l} * stride;`)
            .join(' ')}`;
}

const each = (lanes, text) => range(lanes).map(text).join('\n');
const loads = (l) =>
    COMPONENTS.map((q, k) => `const a${q}${l} = base[o${l} + ${k}], b${q}${l} = other[o${l} + ${k}];`).join(' ');
const cosine = (l) =>
    `const c${l} = f(f(f(ax${l} * bx${l}) + f(az${l} * bz${l})) + f(f(ay${l} * by${l}) + f(aw${l} * bw${l})));
     const y${l} = Math.max(0, f(1 - Math.abs(c${l})));`;
const stores = (l) =>
    COMPONENTS.map(
        (q, k) => `result[o${l} + ${k}] = (a${q}${l} + f(f(u${l} * b${q}${l}) - f(m${l} * a${q}${l}))) * h${l};`,
    ).join(' ');

/**
 * `slerpUniform` of lib/strict/slerpUniform.ts.
 *
 * @param prepare lib/strict/prepareSlerp.ts.
 */
export function fusedUniform({ prepareSlerp, U, V }, lanes, sign) {
    const body = `
        const f = Math.fround, F = new Float32Array(1), I = new Int32Array(F.buffer);
        return function slerpUniform(result, from, to, stride, time, index, count) {
            const swap = time > 0.5, t = Math.min(time, f(1 - time));
            const base = swap ? to : from, other = swap ? from : to;
            prepareSlerp(t);
            ${range(9)
                .map((k) => `const U${k} = U[${k}], V${k} = V[${k}];`)
                .join(' ')}
            for (let i = 0; i < count; ) {
                ${gather(lanes)}
                ${each(lanes, loads)}
                ${each(lanes, cosine)}
                ${each(lanes, (l) => `let p${l} = U8, q${l} = V8;`)}
                ${range(8)
                    .map((k) => 7 - k)
                    .map((k) =>
                        each(lanes, (l) => `p${l} = f(f(p${l} * y${l}) + U${k}); q${l} = f(f(q${l} * y${l}) + V${k});`),
                    )
                    .join('\n')}
                ${each(
                    lanes,
                    (l) => `const s${l} = ${SIGNS[sign](`c${l}`)}, h${l} = swap ? s${l} : 1;
                    const u${l} = f(t + f(p${l} * y${l})) * s${l}, m${l} = f(t - f(q${l} * y${l}));`,
                )}
                ${each(lanes, stores)}
            }
        };`;
    return new Function('prepareSlerp', 'U', 'V', body)(prepareSlerp, U, V);
}

/** `slerpEach` of lib/strict/slerpEach.ts, for times between 0 and 1 and no others. */
export function fusedEach(PQ8, lanes) {
    const degrees = [7, 7, 5, 4];
    const steps = range(7)
        .map((k) => 6 - k)
        .map((k) =>
            each(lanes, (l) =>
                degrees.map((d, j) => (k < d ? `q${j}${l} = f(f(q${j}${l} * y${l}) + B${j}_${k});` : '')).join(' '),
            ),
        )
        .join('\n');
    const body = `
        const f = Math.fround;
        ${degrees
            .map((d, j) =>
                range(d + 1)
                    .map((k) => `const B${j}_${k} = f(PQ8[${k}][${j}]);`)
                    .join(' '),
            )
            .join('\n')}
        return function slerpEach(result, from, to, stride, times, index, count) {
            for (let i = 0; i < count; ) {
                ${gather(lanes)}
                ${each(lanes, (l) => `const w${l} = times[j${l}] > 0.5, t${l} = Math.min(times[j${l}], f(1 - times[j${l}]));`)}
                ${each(lanes, (l) => `const base${l} = w${l} ? to : from, other${l} = w${l} ? from : to;`)}
                ${each(lanes, (l) => loads(l).replaceAll('base[', `base${l}[`).replaceAll('other[', `other${l}[`))}
                ${each(lanes, cosine)}
                ${each(lanes, (l) => degrees.map((d, j) => `let q${j}${l} = B${j}_${d};`).join(' '))}
                ${steps}
                ${each(
                    lanes,
                    (l) => `const d${l} = f(1 - t${l}), T${l} = f(t${l} * t${l}), D${l} = f(d${l} * d${l});
                    const p${l} = f(f(t${l} * d${l}) * y${l});
                    const hU${l} = f(f(f(f(f(f(q3${l} * T${l}) + q2${l}) * T${l}) + q1${l}) * T${l}) + q0${l});
                    const hV${l} = f(f(f(f(f(f(q3${l} * D${l}) + q2${l}) * D${l}) + q1${l}) * D${l}) + q0${l});
                    const s${l} = 1 - 2 * Number(c${l} < 0), h${l} = w${l} ? s${l} : 1;
                    const u${l} = f(t${l} + f(f(p${l} * f(1 + t${l})) * hU${l})) * s${l};
                    const m${l} = f(t${l} - f(f(p${l} * f(1 + d${l})) * hV${l}));`,
                )}
                ${each(lanes, stores)}
            }
        };`;
    return new Function('PQ8', body)(PQ8);
}
