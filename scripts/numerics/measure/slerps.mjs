// SPDX-License-Identifier: MIT

/** Every slerp: its errors, and whether it has the bits of the chosen forms. */

import { calls, variants } from '../../accuracy/measure/variants.mjs';
import { SETS } from '../../accuracy/sets.mjs';
import { otherSlerps } from '../others.mjs';
import { FORMS, LERPS } from './forms.mjs';
import { atEdges, driftOf, figures, onPairs, short } from './pairs.mjs';

/** Every implementation of slerpQuats and slerpQuatsPerQuat, and what others do. */
export async function measureSlerps(library, quick, log) {
    const own = ['slerpQuats', 'slerpQuatsPerQuat'].flatMap((routine) =>
        variants(library, routine).map((variant) => ({
            ...variant,
            run:
                routine === 'slerpQuats' || !variant.run
                    ? variant.run
                    : (result, from, to, t) =>
                          variant.run(result, from, to, new Float32Array(result.length / 4).fill(t)),
        })),
    );
    const others = Object.values(await otherSlerps()).map(({ name, run }) => ({ routine: null, label: name, run }));
    const rows = [...own, ...others];
    const runnable = rows.filter(({ run }) => run);
    const errors = onPairs(runnable, ['a', 'b', 'c'], 'slerp', quick, log);
    return rows.map(({ routine, label, reason, byCpu, run }) => ({
        routine,
        label,
        byCpu: byCpu ?? false,
        ...(run
            ? { ...figures(errors[runnable.findIndex((one) => one.run === run)]), drift: short(driftOf(run, quick)) }
            : { reason }),
    }));
}

/** Whether the two chosen forms give the bits of an implementation; null where there is no such implementation. */
export function sameBitsAs(library, name, quick) {
    const found = library.implementations().find((one) => one.name === name && one.available);
    if (!found) return null;
    const { slerpQuats, slerpQuatsPerQuat, lerpQuats } = library.implementation(name);
    const pairs = [
        [FORMS.find(({ chosen }) => chosen === 'uniform').run, slerpQuats],
        [
            FORMS.find(({ chosen }) => chosen === 'perPair').run,
            slerpQuatsPerQuat &&
                ((result, from, to, t) =>
                    slerpQuatsPerQuat(result, from, to, new Float32Array(result.length / 4).fill(t))),
        ],
        [LERPS.find(({ chosen }) => chosen === 'uniform').run, lerpQuats],
    ];
    let compared = 0;
    for (const set of ['a', 'b', 'c', 'd']) {
        for (const chunk of SETS[set].chunks(true)) {
            for (const [form, kernel] of pairs) {
                if (!kernel) return null;
                const [one, other] = [calls(chunk), calls(chunk)];
                one.lists.forEach((args, k) => {
                    form(...atEdges(args));
                    kernel(...atEdges(other.lists[k]));
                });
                compared += one.result.length;
                if (Buffer.compare(Buffer.from(one.result.buffer), Buffer.from(other.result.buffer)) !== 0) return 0;
            }
        }
        if (quick && set === 'a') break;
    }
    return compared;
}
