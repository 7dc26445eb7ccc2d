// SPDX-License-Identifier: MIT

/**
 * Effects that docs/tables/papers-defects.md states: each line is what the entry of that number says. A largest error is
 * the largest of the samples. Works on dist/ and the built addon; 68 needs GCC on x86-64.
 *
 *     node scripts/docs/defects.mjs [number …]     all of them: half a minute
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { root, runOrThrow } from '../lib.mjs';
import { interpolate } from './accuracy/reference.mjs';
import { makeChunk, random, SETS, unitQuaternion } from './accuracy/sets.mjs';

const { implementation } = createRequire(import.meta.url)('../../dist/index.js');
const percent = (fraction, decimals) => `${(fraction * 100).toFixed(decimals)}%`;

/** The greatest length of an error vector, of the pairs that have one right answer. */
function worstVector(result, { right, other }) {
    let worst = 0;
    for (let o = 0; o < right.length; o += 4) {
        const d = [0, 1, 2, 3].map((k) => result[o + k] - right[o + k]);
        if (!other.has(o / 4)) worst = Math.max(worst, Math.hypot(...d));
    }
    return worst;
}

/** A routine on all lists of a chunk. */
function onLists(run, { from, to, times }) {
    const result = new Float32Array(from.length);
    const list = from.length / times.length;
    for (const [i, t] of times.entries()) {
        run(...[result, from, to].map((all) => all.subarray(i * list, (i + 1) * list)), t);
    }
    return result;
}

const ENTRIES = {
    /** Quaternion to matrix in three orders. */
    61() {
        const count = 1_000_000;
        const next = random(0xc0);
        const quats = new Float32Array(count * 8);
        for (let o = 0, q = []; o < quats.length; o += 8) {
            unitQuaternion(next, q);
            quats.set(q, o);
        }
        const [first, listing, blueprint] = ['paper/c', 'paper/sse', 'blueprint/c'].map((name) => {
            const mats = new Float32Array(count * 12);
            implementation(name).convertJointQuatsToJointMats(mats, quats);
            return mats;
        });
        let worst = 0;
        const [byListing, byBlueprint] = [listing, blueprint].map((mats) => {
            let different = 0;
            mats.forEach((value, k) => {
                if (value !== first[k]) different++;
                worst = Math.max(worst, Math.abs(value - first[k]));
            });
            return percent(different / (9 * count), 1);
        });
        return (
            `First routine and listing differ in ${byListing} of the nine entries of a rotation, ` +
            `first routine and blueprint in ${byBlueprint}, by at most ${worst.toExponential(1)}`
        );
    },

    /** Intel's listing as this project has it, compiled with and without contraction. */
    68() {
        const { from, to, pairs } = SETS.a.chunks(true).next().value;
        const main = `#include "native/papers/papers.h"
            #include <stdio.h>
            static poselane::Quaternion from[${pairs}], to[${pairs}], result[${pairs}];
            int main() {
                if (fread(from, sizeof from, 1, stdin) + fread(to, sizeof to, 1, stdin) != 2) return 1;
                poselane::intel_avx::SlerpQuats(result, from, to, 0.3f, ${pairs});
                fwrite(result, sizeof result, 1, stdout);
            }`;
        const folder = mkdtempSync(path.join(tmpdir(), 'defects-'));
        try {
            const [file, program] = ['main.cpp', 'main'].map((name) => path.join(folder, name));
            writeFileSync(file, main);
            const [off, fast] = ['off', 'fast'].map((contract) => {
                const options = ['-std=c++17', '-O2', '-mavx', '-mfma', `-ffp-contract=${contract}`, '-I', root];
                runOrThrow('g++', [...options, file, 'native/papers/benefits_of_avx.cpp', '-o', program]);
                const output = execFileSync(program, {
                    input: Buffer.concat([from, to].map(({ buffer }) => new Uint8Array(buffer))),
                });
                return new Float32Array(Uint8Array.from(output).buffer);
            });
            const changed = off.filter((value, k) => value !== fast[k]).length;
            return `${percent(changed / off.length, 0)} of the floats that came out changed`;
        } finally {
            rmSync(folder, { recursive: true });
        }
    },

    /** Eberly's slerp by arc cosine of quaternions that are a little too long, near each other. */
    71() {
        const next = random(0x71);
        const { slerp } = implementation('eberly/typescript');
        const [half, any] = [() => 0.5, next].map((time) => {
            const times = Float32Array.from({ length: 2000 }, time);
            const chunk = makeChunk(
                next,
                times,
                () => 0.06 * next(),
                () => 1.0005,
            );
            return worstVector(onLists(slerp, chunk), interpolate(chunk, 'slerp'));
        });
        return `off by ${half.toFixed(3)} at t = 0.5, by up to ${any.toFixed(3)} at any t, for lengths of 1.0005`;
    },

    /** Eberly's polynomial in floats beside its error in exact arithmetic, of eberly-table.mjs. */
    73() {
        const exact = { 12: 1.4213e-6, 13: 6.3858e-7, 14: 2.8898e-7, 15: 1.316e-7, 16: 6.0262e-8 };
        const worst = { 12: 0, 13: 0, 14: 0, 15: 0, 16: 0 };
        for (const chunk of SETS.a.chunks(false)) {
            const right = interpolate(chunk, 'slerp');
            for (const terms of Object.keys(worst)) {
                const { slerpQuats } = implementation('eberly/typescript', { terms: Number(terms) });
                worst[terms] = Math.max(worst[terms], worstVector(onLists(slerpQuats, chunk), right));
            }
        }
        const more = (terms) => percent(worst[terms] / exact[terms] - 1, 0);
        const times = (terms) => `${(worst[terms] / exact[terms]).toFixed(1)} times`;
        return (
            `n = 12 +${more(12)}, 13 +${more(13)}, 14 +${more(14)}, 15 ${times(15)}, 16 ${times(16)} ` +
            `(${worst[16].toExponential(1)} and ${exact[16].toExponential(1)})`
        );
    },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ENTRIES);
for (const number of wanted) console.log(`${number}: ${ENTRIES[number]()}`);
