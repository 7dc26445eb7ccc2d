// SPDX-License-Identifier: MIT

/** Errors of what makes matrices, and of what becomes of them along a skeleton. */

import { Errors, offOrthonormal, rotationOf, transformChain } from '../reference.mjs';
import { chain, random, unitQuaternion } from '../sets.mjs';
import { asRow, variants } from './variants.mjs';

/** Quaternions to matrices, and to matrices and back; where an implementation has one way only, TypeScript's is the other. */
export function measureConversions(library, quick) {
    const toMats = variants(library, 'convertJointQuatsToJointMats');
    const toQuats = variants(library, 'convertJointMatsToJointQuats');
    const there = new Map(toMats.map((variant) => [variant, { max: 0, orthonormal: 0 }]));
    const back = new Map(toQuats.map((variant) => [variant, new Errors()]));
    const otherWay = library.implementation('paper/typescript').convertJointQuatsToJointMats;
    const wayThere = (name) => toMats.find((variant) => variant.name === name)?.run ?? otherWay;
    const next = random(0xc0);
    const q = new Float64Array(4);
    const pairs = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const quats = new Float32Array(pairs * 8);
        for (let o = 0; o < quats.length; o += 8) {
            unitQuaternion(next, q);
            quats.set(q, o);
        }
        const right = new Float64Array(pairs * 4);
        const negated = new Float64Array(pairs * 4);
        // Either sign is right.
        const negative = new Map();
        for (let i = 0, o = 0; i < pairs; i++, o += 4) {
            for (let k = 0; k < 4; k++) {
                right[o + k] = quats[2 * o + k];
                negated[o + k] = -right[o + k];
            }
            negative.set(i, negated.subarray(o, o + 4));
        }
        const mats = new Float32Array(pairs * 12);
        for (const variant of toMats) {
            if (!variant.run) continue;
            variant.run(mats, quats);
            const worst = there.get(variant);
            for (let i = 0; i < pairs; i++) {
                const o = i * 4;
                const rotation = rotationOf(right[o], right[o + 1], right[o + 2], right[o + 3]);
                for (let k = 0; k < 9; k++) {
                    const error = Math.abs(mats[i * 12 + Math.floor(k / 3) * 4 + (k % 3)] - rotation[k]);
                    if (!(error <= worst.max)) worst.max = error;
                }
                worst.orthonormal = Math.max(worst.orthonormal, offOrthonormal(mats, i * 12));
            }
        }
        const returned = new Float32Array(pairs * 8);
        for (const variant of toQuats) {
            if (!variant.run) continue;
            wayThere(variant.name)(mats, quats);
            variant.run(returned, mats);
            back.get(variant).add(returned, 8, { right, other: negative });
        }
    }
    return {
        toMats: toMats.map((variant) => asRow(variant, there.get(variant))),
        roundTrip: toQuats.map((variant) => asRow(variant, { errors: back.get(variant) })),
    };
}

/** The lengths of chains whose drift is measured. */
export const CHAINS = [64, 256, 1024];

/** What transformSkeleton adds up along chains of bones of length 1: the worst joint of each length. */
export function measureChains(library, quick) {
    const all = variants(library, 'transformSkeleton');
    const longest = Math.max(...CHAINS);
    const worst = new Map(
        all.map((variant) => [
            variant,
            ['rotation', 'orthonormal', 'translation'].map(() => new Float64Array(longest)),
        ]),
    );
    const next = random(0xcaa1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const mats = new Float32Array(longest * 12);
    const parents = Int32Array.from({ length: longest }, (_, i) => i - 1);
    for (let k = 0; k < (quick ? 10 : 200); k++) {
        convertJointQuatsToJointMats(mats, chain(next, longest));
        const right = transformChain(mats);
        for (const variant of all) {
            if (!variant.run) continue;
            const m = mats.slice();
            variant.run(m, parents);
            const [rotation, orthonormal, translation] = worst.get(variant);
            for (let i = 0; i < longest; i++) {
                for (let e = 0; e < 12; e++) {
                    const error = Math.abs(m[i * 12 + e] - right[i * 12 + e]);
                    const list = e % 4 === 3 ? translation : rotation;
                    if (!(error <= list[i])) list[i] = error;
                }
                orthonormal[i] = Math.max(orthonormal[i], offOrthonormal(m, i * 12));
            }
        }
    }
    return all.map((variant) => {
        // The worst up to each joint.
        const [rotation, orthonormal, translation] = worst.get(variant).map((list) => {
            for (let i = 1; i < longest; i++) list[i] = Math.max(list[i], list[i - 1]);
            return list;
        });
        const at = CHAINS.map((joints) => ({
            joints,
            rotation: rotation[joints - 1],
            orthonormal: orthonormal[joints - 1],
            translation: translation[joints - 1],
        }));
        return asRow(variant, { chains: at, curve: { rotation, translation } });
    });
}
