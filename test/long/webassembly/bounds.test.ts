// SPDX-License-Identifier: MIT

/**
 * A kernel reads and writes only inside its lists: each list in turn is at the very end of the memory, or at its start,
 * beyond which WebAssembly traps.
 */

import { playbackErrorTwin } from '../../../lib/bake/playback/playback-error';
import { SAMPLES } from '../../../lib/bake/rows/batch-size';
import { implementation } from '../../../lib/lists';
import { ROUTINES, STRICT_ROUTINES } from '../../../lib/lists/routines';
import { typescriptRig } from '../../../lib/rig/kernels';
import type { RigImplementation } from '../../../lib/rig/kernels/table';
import { Rig } from '../../../lib/rig/rig';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';
import { webassemblyRig } from '../../../lib/rig/webassembly';
import type { Heap } from '../../../lib/webassembly/heap';
import { strictModule } from '../../../lib/webassembly/module';
import { expectSameBits } from '../../support/bytes';
import { argumentsOf, listsOf, optionsOf, T } from '../../support/routine-arguments';

/** The number of the allocation that is placed at the end, and how many there were. */
const placed = { edge: -1, count: 0 };
const ROOM = 16 * 1024 * 1024;

jest.mock('../../../lib/webassembly/heap', () => {
    const actual = jest.requireActual('../../../lib/webassembly/heap');
    const createHeap = (module: unknown): Heap => actual.createHeap(module, ROOM / 65536);
    const allocate = (heap: Heap, bytes: number): number => {
        if (placed.count++ !== placed.edge) return actual.allocate(heap, bytes);
        // Numbers are aligned as they are elsewhere.
        return Math.floor((heap.bytes.length - bytes) / 8) * 8;
    };
    return {
        ...actual,
        createHeap,
        allocate,
        // Nobody shares a memory.
        place<Made>(module: unknown, make: (heap: Heap) => Made): Made {
            const heap = createHeap(module);
            heap.fixed = true;
            return make(heap);
        },
        floatsIn: (heap: Heap, floats: number) =>
            new Float32Array(heap.bytes.buffer, allocate(heap, floats * 4), floats),
    };
});
const { createHeap } = require('../../../lib/webassembly/heap') as typeof import('../../../lib/webassembly/heap');

describe('lists', () => {
    const twin = implementation('strict/typescript') as Record<string, (...args: unknown[]) => void>;
    const heap = createHeap(strictModule());
    const LENGTHS = [...Array.from({ length: 33 }, (_, i) => i + 1), 64, 67, 255];
    /** Below the module's own data. */
    const START = 1024;

    /** Places the lists of a call one after another, one of them at the end of the memory or at its start; returns the addresses. */
    function place(
        lists: readonly (Float32Array | Float64Array | Int32Array | Uint8Array)[],
        edge: number,
        atStart: boolean,
    ): number[] {
        let end = heap.end;
        return lists.map((list, i) => {
            let at = end;
            if (i === edge) at = atStart ? 0 : heap.bytes.length - list.byteLength;
            else end += Math.ceil(list.byteLength / 64) * 64;
            heap.bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at);
            return at;
        });
    }

    test.each(STRICT_ROUTINES)('%s', (routine) => {
        const { parameter, selection, lists: described } = ROUTINES[routine];
        let calls = 0;
        for (const n of LENGTHS) {
            const lists = listsOf(routine, n);
            const options = optionsOf(routine, n);
            const indices =
                selection === 'index' ? [null, Int32Array.from({ length: n }, (_, i) => n - 1 - i)] : [null];
            for (const index of indices) {
                if (selection === 'index') options.index = index;
                const expected = Object.values(lists)[0]!.slice();
                const [, ...others] = Object.values(argumentsOf(routine, lists, options));
                twin[routine]!(expected, ...others);
                const integers = selection === 'parents' ? (options.parents as Int32Array) : index;
                const all = [...Object.values(lists), ...(integers ? [integers] : [])];
                const numbers = {
                    parents: [0, n - 1],
                    options: [n, 1],
                    index: [...(index === null ? [0] : []), n],
                    count: [n],
                }[selection as string] ?? [n];
                for (const [edge, { byteLength }] of all.entries()) {
                    for (const atStart of byteLength <= START ? [false, true] : [false]) {
                        const at = place(all, edge, atStart);
                        const pointers = at.slice(0, described.length);
                        const rest = [...(integers ? [at.at(-1)!] : []), ...numbers];
                        heap.functions[routine]!(...pointers, ...(parameter === undefined ? [] : [T]), ...rest);
                        const made = heap.floats.slice(at[0]! / 4, at[0]! / 4 + expected.length);
                        expectSameBits(made, expected, described[0]!.floats, () => `${n}, list ${edge}`);
                        calls++;
                    }
                }
            }
        }
        expect(calls).toBeGreaterThanOrEqual(2 * LENGTHS.length);
    });

    test('a read outside the memory traps', () => {
        const { length } = heap.bytes;
        expect(() => heap.functions.slerpJoints!(length - 32, heap.end, T, 0, 2)).toThrow('out of bounds');
    });

    test('playbackError', () => {
        const matrices = (count: number) =>
            Float32Array.from({ length: count * 16 }, (_, i) => (i % 4 === 3 ? Number(i % 16 === 15) : (i * 37) % 101));
        for (const joints of [1, 3, 5]) {
            for (const intervals of [1, 2, 7, 16]) {
                const max = new Float64Array(2);
                const rows = matrices((intervals + 1) * joints);
                const samples = matrices(intervals * SAMPLES * joints);
                const nearest = Uint8Array.from({ length: intervals }, (_, i) => i % 8);
                const boxes = Float64Array.from({ length: joints * 6 }, (_, i) => (i % 6 < 3 ? -1 : 1));
                const expected = max.slice();
                playbackErrorTwin(expected, rows, samples, nearest, joints, boxes);
                expect(expected[0]).toBeGreaterThan(0);
                const all = [max, rows, samples, nearest, boxes];
                for (const edge of all.keys()) {
                    const [maxAt, rowsAt, samplesAt, nearestAt, boxesAt] = place(all, edge, false);
                    heap.functions.playbackError!(maxAt, rowsAt, samplesAt, nearestAt, intervals, joints, boxesAt);
                    expect(heap.doubles.slice(maxAt! / 8, maxAt! / 8 + 2)).toEqual(expected);
                }
            }
        }
    });
});

const sweep = require('../sweep/rigs.cjs') as {
    rigImplementation(
        modules: object,
        implementation: RigImplementation,
    ): { name: string; create(parts: unknown): Rig };
    sweepRigs(size: string, all: object[]): { cases: number };
};

test('tables, poses and scratch memory of rigs', () => {
    const modules = { Rig, sourceOfParts };
    const twin = sweep.rigImplementation(modules, typescriptRig);
    const own = sweep.rigImplementation(modules, webassemblyRig('strict/wasm', strictModule));
    let most = 1;
    const create = (parts: unknown) => {
        most = Math.max(most, placed.count);
        placed.count = 0;
        return own.create(parts);
    };
    for (placed.edge = 0; placed.edge < most; placed.edge++) {
        try {
            expect(sweep.sweepRigs('few', [twin, { ...own, create }]).cases).toBe(2);
        } catch (error) {
            throw new Error(`allocation ${placed.edge}`, { cause: error });
        }
    }
    expect(most).toBeGreaterThan(50);
});
