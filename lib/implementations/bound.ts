// SPDX-License-Identifier: MIT

/** What the bound forms of all routines have in common. */

import type { NativeRun } from '../backend/contract';
import { checkRoom, type List } from '../checks/lists';
import { checkFloat32Array, checkNumber, lengthOf } from '../checks/views';
import { changedMeanwhile } from './arguments';
import type { BoundBlend, BoundCall } from './kernels';

/** The lists of a bound function, of which each run needs so many elements, whatever has become of the buffers. */
export class BoundLists {
    private readonly needed: readonly { readonly list: List; readonly elements: number }[];

    /** @param singles Lists of which each run needs one element. */
    constructor(
        readonly routine: string,
        lists: readonly List[],
        elements: number,
        singles: readonly List[] = [],
    ) {
        this.needed = [
            ...lists.map((list) => ({ list, elements })),
            ...singles.map((list) => ({ list, elements: elements > 0 ? 1 : 0 })),
        ];
    }

    /** Whether all lists are still there and long enough. A view that was once separate from another remains so. */
    areThere(): boolean {
        for (const { list, elements } of this.needed) {
            if (lengthOf(list.view) < elements * list.floats) return false;
        }
        return true;
    }

    /** Throws what is wrong with the lists. */
    refuse(): never {
        for (const { list } of this.needed) checkFloat32Array(this.routine, list.argument, list.view);
        for (const { list, elements } of this.needed) checkRoom(this.routine, list, elements);
        throw changedMeanwhile(this.routine);
    }
}

/** How a bound function runs: in the addon, or by a TypeScript kernel that has all of its arguments but `lerp` or `t`. */
export type Runner = { readonly native: NativeRun } | { readonly typescript: (t: number) => void };

export function boundCall(lists: BoundLists, runner: Runner): BoundCall {
    if ('native' in runner) {
        const { native } = runner;
        return {
            run() {
                if (native() !== undefined) lists.refuse();
            },
        };
    }
    const { typescript } = runner;
    return {
        run() {
            if (!lists.areThere()) lists.refuse();
            typescript(0);
        },
    };
}

/** @param parameter What the routine calls the number that each run gets. */
export function boundBlend(lists: BoundLists, runner: Runner, parameter: 'lerp' | 't'): BoundBlend {
    if ('native' in runner) {
        const { native } = runner;
        return {
            run(t) {
                if (native(t) === undefined) return;
                checkNumber(lists.routine, parameter, t);
                lists.refuse();
            },
        };
    }
    const { typescript } = runner;
    return {
        run(t) {
            if (typeof t !== 'number') checkNumber(lists.routine, parameter, t);
            if (!lists.areThere()) lists.refuse();
            typescript(Math.fround(t));
        },
    };
}
