// SPDX-License-Identifier: MIT

/** A task of measurements as plain data for another process. */

import type { Routine } from '../lists/routines';
import { referenceOf } from './compare';
import { type Angles, createData } from './data';
import { type CaseName, type Delay, keyOf, measure, type Samples, type Subject } from './measure';
import { isInPapers, PAPER_SIZES } from './papers';
import { loadPeers, type Peer, peerSubjects } from './peers';
import { createSubjects } from './subjects';

/** A choice of cases. The same choice gives the same cases on the same data. */
export interface Choice {
    /** Include the cases of the published tables. */
    readonly papers: boolean;
    /** These routines, with lists of these lengths. */
    readonly routines: readonly Routine[];
    readonly sizes: readonly number[];
    /** Also other libraries. */
    readonly peers: boolean;
    readonly angles: Angles;
}

export interface Task extends Choice {
    /** Only these of the cases. */
    readonly only?: readonly string[];
    readonly rounds: number;
    /** For each case and round. */
    readonly milliseconds: number;
    readonly delay?: Delay;
}

/** Measures in this process. */
export async function measureTask(
    task: Task,
    { signal, onRound }: { signal?: AbortSignal; onRound?: () => void } = {},
): Promise<Samples[]> {
    const { rounds, milliseconds, delay, only } = task;
    const peers = task.peers ? await loadPeers() : [];
    const subjects = subjectsOf(task, peers).filter((subject) => !only || only.includes(keyOf(subject)));
    return measure(subjects, { rounds, milliseconds, delay, signal, onRound });
}

function subjectsOf({ papers, routines, sizes, angles }: Choice, peers: readonly Peer[]): Subject[] {
    const wanted = (name: CaseName) =>
        (papers && isInPapers(name)) || (sizes.includes(name.n) && routines.includes(name.routine));
    return [...new Set([...sizes, ...(papers ? PAPER_SIZES : [])])].flatMap((n) => {
        const data = createData(n, angles);
        const all = [...createSubjects(data), ...peerSubjects(peers, data)];
        return withReferences(all.filter(wanted), all);
    });
}

/** Adds the references of the chosen cases. */
function withReferences(chosen: readonly Subject[], all: readonly Subject[]): Subject[] {
    const find = (name: CaseName) => all.find((one) => keyOf(one) === keyOf(name));
    const references = chosen.flatMap((subject) => {
        const reference = referenceOf(subject, (name) => find(name) !== undefined);
        return reference ? [find(reference)!] : [];
    });
    return [...new Set([...chosen, ...references])];
}
