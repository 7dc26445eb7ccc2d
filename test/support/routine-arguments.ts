// SPDX-License-Identifier: MIT

/** Good arguments of every routine on lists, made from its description. */

import { countName, type Element } from '../../lib/lists/description';
import { ROUTINES, type Routine } from '../../lib/lists/routines';
import { bones, jointMats, jointQuats, random } from './joint-data';

/** By the names of the arguments, in their order. */
export type Lists = Record<string, Float32Array>;
export type Args = Record<string, unknown>;

/** The number that a routine gets where it has a parameter. */
export const T = 0.3;

const quatsOf = (seed: number, n: number) => jointQuats(random(seed), n).filter((_, i) => i % 8 < 4);

const MAKE: Record<Element, (seed: number, n: number) => Float32Array> = {
    jointQuat: (seed, n) => jointQuats(random(seed), n),
    jointMat: (seed, n) => jointMats(random(seed), n),
    quat: quatsOf,
    float: (_, n) => Float32Array.from({ length: n }, (_, i) => (i + 0.5) / n),
};

const made = new Map<string, Float32Array>();

/** A new copy of the list that `make` makes at the first call. */
function copyOf(key: string, make: () => Float32Array): Float32Array {
    const values = made.get(key) ?? make();
    made.set(key, values);
    return values.slice();
}

/** Lists of `n` elements, the same in each call. A destination that is not read holds zeros. */
export function listsOf(routine: Routine, n: number): Lists {
    const { lists, selection } = ROUTINES[routine];
    const entries = lists.map(({ argument, element, floats, single, inPlace }, i) => {
        if (i === 0 && !inPlace) return [argument, new Float32Array(n * floats)] as const;
        // untransformSkeleton needs matrices of a skeleton: rotation and translation.
        const make =
            selection === 'parents' ? (seed: number, count: number) => bones(random(seed), count) : MAKE[element];
        const [seed, count] = [routine.length * 7 + i, single ? 1 : n];
        const values = copyOf(`${selection === 'parents' || element} ${seed} ${count}`, () => make(seed, count));
        return [argument, routine === 'normalizeJoints' ? values.map((x) => x * 1.5) : values] as const;
    });
    return Object.fromEntries(entries);
}

/** The arguments after the lists and the parameter, for `n` elements; some joints are roots. */
export function optionsOf(routine: Routine, n: number): Args {
    const { selection } = ROUTINES[routine];
    const numJoints = n;
    switch (selection) {
        case 'index':
            return { index: null, numJoints };
        case 'parents':
            return {
                parents: Int32Array.from({ length: n }, (_, i) => (i % 4 === 0 ? -1 : i - 1 - (i % 2))),
                firstJoint: 0,
                lastJoint: n - 1,
            };
        case 'options':
            return { options: { numJoints, convention: 'gltf' } };
        case 'count':
            return { [countName(ROUTINES[routine])]: n };
        default:
            return {};
    }
}

/** As much of that as a call needs: it is for all elements then. */
export function requiredOf(routine: Routine, n: number): Args {
    return ROUTINES[routine].selection === 'parents' ? { parents: optionsOf(routine, n).parents } : {};
}

/** The arguments of a call, by name and in order. */
export function argumentsOf(routine: Routine, lists: Args, options: Args, t: unknown = T): Args {
    const { parameter } = ROUTINES[routine];
    return { ...lists, ...(parameter === undefined ? {} : { [parameter]: t }), ...options };
}
