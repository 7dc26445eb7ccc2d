// SPDX-License-Identifier: MIT

/** Errors of slerps by angle, by length, and for times outside of 0 … 1. */

import { Errors, interpolate } from '../reference.mjs';
import { makeChunk, random } from '../sets.mjs';
import { asRow, calls, variants } from './variants.mjs';

/** What a plot shows of slerp: one implementation of each algorithm, the first that runs here. */
const PLOTTED = [
    { routine: 'slerpOptimized', name: /^paper\/c$/, as: 'SlerpOptimized as published' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 8, as: 'eberly, 8 terms' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 12, as: 'eberly, 12 terms' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 16, as: 'eberly, 16 terms' },
    { routine: 'slerpQuats', name: /^paper\/sse$/ },
    { routine: 'slerpQuats', name: /^intel\/avx$/ },
    { routine: 'slerpQuats', name: /^paper\/c$/ },
    { routine: 'slerpQuats', name: /^strict\//, as: 'strict' },
    { routine: 'slerpQuats', name: /^fast\//, as: 'fast' },
];

/** For each plotted algorithm the greatest error on each chunk: points [x, error], where `chunks` are [x, chunk]. */
function curves(library, chunks) {
    const rights = chunks.map(([, chunk]) => interpolate(chunk, 'slerp'));
    return PLOTTED.flatMap(({ routine, name, terms, as }) => {
        const variant = variants(library, routine).find(
            (found) => found.run && name.test(found.name) && found.terms === terms,
        );
        if (!variant) return [];
        const points = chunks.map(([x, chunk], index) => {
            const { result, lists } = calls(chunk);
            for (const args of lists) variant.run(...args);
            const errors = new Errors();
            errors.add(result, 4, rights[index]);
            return [x, errors.max];
        });
        return [{ name: as ?? variant.name, points }];
    });
}

/** The greatest error at each of `angles`. */
export function measureByAngle(library, angles) {
    const chunks = angles.map((angle, index) => {
        const next = random(0xd10 + index);
        // Not the ends, which some implementations copy.
        const times = Float32Array.from({ length: 63 }, (_, k) => (k + 1) / 64);
        return [angle, makeChunk(next, times, () => angle)];
    });
    return curves(library, chunks);
}

/** The greatest error where every length is off by one of `offsets`. */
export function measureByLength(library, offsets) {
    const chunks = offsets.map((offset, index) => {
        const next = random(0x1e6 + index);
        const times = Float32Array.from({ length: 150 }, next);
        const length = () => 1 + (next() < 0.5 ? offset : -offset);
        return [offset, makeChunk(next, times, () => Math.PI * next(), length)];
    });
    return curves(library, chunks);
}

/** The times outside of 0 … 1 that are measured. */
export const TIMES_OUTSIDE = [-0.5, -1e-3, 1.001, 1.5, 2, 2.5, 5.5];

/** What becomes of `t` outside of 0 … 1: a copy of `from` or `to`, or how far from the slerp that goes on. */
export function measureOutside(library, quick) {
    const chunks = TIMES_OUTSIDE.map((t, index) => {
        const next = random(0x0d5 + index);
        return makeChunk(next, new Float32Array(quick ? 3 : 300).fill(t), () => Math.PI * next());
    });
    const rights = chunks.map((chunk) => interpolate(chunk, 'slerp'));
    return variants(library, 'slerpQuats').map((variant) => {
        if (!variant.run) return asRow(variant);
        const times = chunks.map((chunk, index) => {
            const { result, lists } = calls(chunk);
            for (const args of lists) variant.run(...args);
            if (Buffer.compare(Buffer.from(result.buffer), Buffer.from(chunk.from.buffer)) === 0)
                return 'copies `from`';
            if (Buffer.compare(Buffer.from(result.buffer), Buffer.from(chunk.to.buffer)) === 0) return 'copies `to`';
            const errors = new Errors();
            errors.add(result, 4, rights[index]);
            return errors.max;
        });
        return asRow(variant, { times });
    });
}
