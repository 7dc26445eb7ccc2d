// SPDX-License-Identifier: MIT

/** The errors that the documents state beside the largest of some samples here. */

import { implementation, implementations } from '../lists/implementations';
import { EBERLY_TABLE_1, PUBLISHED_ERRORS, type PublishedError, type PublishedTerms } from './published';

export interface ErrorRow extends PublishedError {
    /** Null where the implementation does not run. */
    readonly here: number | null;
}

/** A row of Eberly's Table 1, and the error of `slerpQuats` of `eberly/*` with as many terms, where it states 2 e. */
export interface TermsRow extends PublishedTerms {
    readonly here: number;
}

const SAMPLES = 4096;
const HALF_PI = Math.PI / 2;
/** Evenly, both ends included. */
const evenly = (count: number, end: number) => Float32Array.from({ length: count }, (_, i) => (i * end) / (count - 1));
const TIMES = evenly(33, 1);

type Run = (result: Float32Array, a: Float32Array, b: Float32Array, t: number) => void;

/**
 * Sampled maxima of the distance between `run` and a slerp in double precision, and of a component of it, for pairs from 0 to nearly
 * a right angle apart.
 *
 * @param stride Floats of an element: 4, or 8 for joints.
 */
function slerpError(run: Run, stride: number): { distance: number; component: number } {
    // At a right angle either way round is right.
    const angles = evenly(SAMPLES, 1.57);
    const from = new Float32Array(SAMPLES * stride);
    const to = new Float32Array(SAMPLES * stride);
    const result = new Float32Array(SAMPLES * stride);
    for (const [i, angle] of angles.entries()) {
        from[i * stride + 3] = 1;
        to[i * stride] = Math.sin(angle);
        to[i * stride + 3] = Math.cos(angle);
    }
    let distance = 0;
    let component = 0;
    for (const t of TIMES) {
        run(result, from, to, t);
        for (let i = 0; i < result.length; i += stride) {
            // The angle of the rounded quaternion.
            const angle = t * Math.atan2(to[i]!, to[i + 3]!);
            const [x, w] = [result[i]! - Math.sin(angle), result[i + 3]! - Math.cos(angle)];
            distance = Math.max(distance, Math.sqrt(x * x + w * w));
            component = Math.max(component, Math.abs(x), Math.abs(w));
        }
    }
    return { distance, component };
}

const scalars = implementation('paper/typescript');
const ONES = new Float32Array(SAMPLES).fill(1);

const SAMPLED: Record<PublishedError['of'], () => number | null> = {
    sine() {
        const [angles, result] = [evenly(SAMPLES, HALF_PI), new Float32Array(SAMPLES)];
        scalars.sinZeroHalfPI!(result, angles);
        return result.reduce((max, x, i) => Math.max(max, Math.abs(x - Math.sin(angles[i]!))), 0);
    },
    arcTangent() {
        const [ys, result] = [evenly(SAMPLES, 2), new Float32Array(SAMPLES)];
        scalars.atanPositive!(result, ys, ONES);
        return result.reduce((max, x, i) => Math.max(max, Math.abs(x - Math.atan(ys[i]!))), 0);
    },
    sse() {
        const sse = implementations().find(({ name }) => name === 'paper/sse');
        if (!sse?.available) return null;
        const { slerpJoints } = implementation('paper/sse');
        return slerpError((result, from, to, t) => {
            result.set(from);
            slerpJoints!(result, to, t);
        }, 8).component;
    },
    eberly: () => termsError(8),
};

function termsError(terms: number): number {
    const { slerpQuats } = implementation('eberly/typescript', { terms });
    return slerpError(slerpQuats as Run, 4).distance;
}

export function errorRows(): { errors: ErrorRow[]; terms: TermsRow[] } {
    return {
        errors: PUBLISHED_ERRORS.map((row) => ({ ...row, here: SAMPLED[row.of]() })),
        terms: EBERLY_TABLE_1.map((row) => ({ ...row, here: termsError(row.n) })),
    };
}
