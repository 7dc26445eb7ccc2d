// SPDX-License-Identifier: MIT

import { setTimeout } from 'node:timers/promises';
import { runNode } from './processes';

/**
 * Waits until a command that was just started is at its work: some starts of it, as long as one takes on the machine as busy as
 * it is now.
 *
 * @param main The command's file.
 */
export async function untilUnderWay(main: string): Promise<void> {
    const started = performance.now();
    const { status } = runNode([main, '--version']);
    if (status !== 0) throw new Error(`${main} does not start`);
    await setTimeout(Math.max(700, 4 * (performance.now() - started)));
}
