// SPDX-License-Identifier: MIT

import { setTimeout } from 'node:timers/promises';
import { runNode } from './processes';

/**
 * Waits until a command that has just started is past its start: a few times as long as a start takes now.
 *
 * @param main The command's file.
 */
export async function untilUnderWay(main: string): Promise<void> {
    const started = performance.now();
    const { status } = runNode([main, '--version']);
    if (status !== 0) throw new Error(`${main} does not start`);
    await setTimeout(Math.max(700, 4 * (performance.now() - started)));
}
