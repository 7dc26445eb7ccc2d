// SPDX-License-Identifier: MIT

/**
 * The references of lib/strict, which say what a routine makes of one element, run over whole lists: with the arguments of
 * `strictKernels`, one element after the other.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { type BindableRoutine, ROUTINES, STRICT_ROUTINES, type strictKernels } from '../../lib/lists/routines';

type Formula = (...elements: unknown[]) => readonly number[];

const FOLDER = path.join(__dirname, '../../lib/strict');

/** `reference` of every file that has one. */
const FORMULAS: Partial<Record<string, Formula>> = Object.assign(
    {},
    ...fs.readdirSync(FOLDER).map((file) => require(path.join(FOLDER, file)).reference as object | undefined),
);

function run(routine: BindableRoutine, args: readonly unknown[]): void {
    const { lists, parameter, selection } = ROUTINES[routine];
    const formula = FORMULAS[routine]!;
    const to = args[0] as Float32Array;
    const { floats: width, inPlace } = lists[0]!;
    const rest = args.slice(lists.length + (parameter ? 1 : 0)) as unknown;
    const behind = parameter ? [args[lists.length]] : [];
    const element = (list: Float32Array, i: number, floats: number) => [...list.subarray(i * floats, (i + 1) * floats)];

    const makeOne = (i: number, last: readonly unknown[]) => {
        const read = lists.flatMap(({ floats, single }, k) => {
            if (k === 0 && !inPlace) return [];
            const value = element(args[k] as Float32Array, single ? 0 : i, floats);
            return [floats === 1 ? value[0] : value];
        });
        to.set(formula(...read, ...behind, ...last), i * width);
    };

    if (selection === 'parents') {
        const [parents, first, last] = rest as [Int32Array, number, number];
        const joints = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
        // What it undoes went from parents to children.
        if (routine.startsWith('un')) joints.reverse();
        for (const i of joints) if (parents[i]! >= 0) makeOne(i, [element(to, parents[i]!, width)]);
    } else if (selection === 'index') {
        const [index, count] = rest as [Int32Array | null, number];
        for (let i = 0; i < count; i++) makeOne(index === null ? i : index[i]!, []);
    } else {
        const [count, convention] = rest as [number, unknown];
        for (let i = 0; i < count; i++) makeOne(i, selection === 'options' ? [convention] : []);
    }
}

/** Its lists must not share memory. */
export const strictReference = Object.fromEntries(
    STRICT_ROUTINES.map((routine) => [routine, (...args: unknown[]) => run(routine, args)]),
) as typeof strictKernels;
