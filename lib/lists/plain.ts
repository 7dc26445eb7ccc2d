// SPDX-License-Identifier: MIT

/** What the public functions run: `strict/typescript`, until `usePlain` names something faster with the same bits. */

import { type Bindable, bind } from './bind';
import { inTypescript } from './calls';
import type { ListFunction } from './description';
import { ROUTINE_NAMES, ROUTINES, type Routine } from './routines';

/** What runs the public function of a routine, and its bound form. */
export interface Plain {
    /** Its name. */
    implementation: string;
    run: ListFunction;
    /** Missing where the routine cannot be bound. */
    bindable?: Bindable | undefined;
}

const nothing = () => {
    throw new Error('no implementation has been chosen');
};

/** By routine. The public functions keep these objects, so that what they run can change. */
export const plain = Object.fromEntries(
    ROUTINE_NAMES.map((routine) => {
        const { kernel, call } = ROUTINES[routine];
        if (kernel === undefined) return [routine, { implementation: 'none', run: nothing, bindable: undefined }];
        const run = call(inTypescript(kernel));
        return [routine, { implementation: 'strict/typescript', run, bindable: { kernel, terms: 0 } }];
    }),
) as Record<Routine, Plain>;

/** Binds a routine as the public function runs it. */
export function bindPlain(routine: Routine, ...args: readonly unknown[]): ReturnType<typeof bind> {
    return bind(routine, plain[routine].bindable!, args);
}
