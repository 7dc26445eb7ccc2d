// SPDX-License-Identifier: MIT

/** The public functions, run by WebAssembly, in Node and in browsers. */

import { heapOf } from '../webassembly/heap';
import type { Kernel, Kernels } from './description';
import type { Plain } from './plain';
import { ROUTINES, type Routine } from './routines';
import { inTypescript } from './targets';
import { bindAddresses } from './webassembly';

/** Max number of elements for which `strict/typescript` is faster than copying into WebAssembly and back. */
const TYPESCRIPT_UP_TO = 6;

/**
 * @param kernels Returns the WebAssembly kernels. Called for each longer list. While it returns undefined, TypeScript
 * does the work.
 */
export function plainInWebassembly(
    implementation: string,
    routine: Routine,
    kernels: () => Kernels | undefined,
): Plain {
    const { lists, parameter, selection, kernel: twin, call } = ROUTINES[routine];
    const count = lists.length + (parameter === undefined ? 0 : 1) + (selection === 'index' ? 1 : 0);
    // For a skeleton this compares the index of the last joint.
    const [at, max] = selection === 'parents' ? [count + 2, TYPESCRIPT_UP_TO - 1] : [count, TYPESCRIPT_UP_TO];
    const kernel: Kernel = (a, b, c, d, e, f) => {
        const count = at === 2 ? c : at === 3 ? d : e;
        const short = count <= max && heapOf(a) === undefined;
        (short ? twin! : (kernels()?.[routine] ?? twin!))(a, b, c, d, e, f);
    };
    const bound = bindAddresses.bind(null, ROUTINES[routine]);
    return { implementation, run: call(inTypescript(kernel)), bindable: { kernel, bound, terms: 0 } };
}
