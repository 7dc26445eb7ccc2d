// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { createLedger } from '../threads/ledger';
import type { Lane } from '../threads/spread';
import { NoThread, openThreads } from '../threads/threads';
import type { ClipOutcome, ClipWork } from './reduce-clip';

/** Clips that a thread has at once: with the next one queued, it does not wait for this thread. */
const AHEAD = 2;

/** Lanes in threads of their own, one clip at a time in each; null if no thread can be started. */
export function openClipThreads(count: number) {
    const worker = join(__dirname, '../reduce/worker.js'); // as deep as the command's one file, in dist/cli
    const threads = openThreads<ClipWork, ClipOutcome>(worker, count, { atOnce: true, ahead: AHEAD });
    if (threads === null) return null;
    const lane: Lane<ClipWork, ClipOutcome> = async (work) => {
        try {
            return await threads.run(work, createLedger());
        } catch (error) {
            if (error instanceof NoThread) return null; // another lane takes the clip
            throw error;
        }
    };
    return { lanes: Array.from({ length: threads.count * AHEAD }, () => lane), close: () => threads.close() };
}
