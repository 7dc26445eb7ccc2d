// SPDX-License-Identifier: MIT

/** Lists in WebAssembly's own memory: no copies, the same bits as elsewhere, and memories that are neither detached nor kept. */

import { implementation, type Kernels } from '../../lib/lists';
import { bind } from '../../lib/lists/bind';
import { ROUTINES, STRICT_ROUTINES } from '../../lib/lists/routines';
import { bindAddresses } from '../../lib/lists/webassembly';
import { createFloats, heapOf } from '../../lib/webassembly/heap';
import { strictModule } from '../../lib/webassembly/module';
import { expectSameBits } from '../support/bytes';
import { runNode } from '../support/processes';
import { random } from '../support/random';
import { type Args, argumentsOf, listsOf, optionsOf, T } from '../support/routine-arguments';

const [wasm, typescript] = ['strict/wasm', 'strict/typescript'].map((name) => implementation(name) as Kernels);

const own = (length: number) => createFloats(strictModule(), length);
const ownCopy = (list: Float32Array) => {
    const copy = own(list.length);
    copy.set(list);
    return copy;
};

/** The result that `run` writes to these lists. */
function resultOf(lists: Record<string, Float32Array>, run: (lists: Record<string, Float32Array>) => void) {
    run(lists);
    return Object.values(lists)[0]!;
}

describe.each(STRICT_ROUTINES)('%s', (routine) => {
    const { lists, selection } = ROUTINES[routine];
    const n = 37;
    const options: Args[] = [optionsOf(routine, n)];
    if (selection === 'index') options.push({ index: Int32Array.of(5, 36, 5, 0), numJoints: 3 });
    const call = (kernels: Kernels, given: Args) => (on: Args) =>
        (kernels[routine] as (...args: unknown[]) => void)(...Object.values(argumentsOf(routine, on, given)));

    test('has the bits of TypeScript, with any of its lists in this memory', () => {
        for (const given of options) {
            const expected = resultOf(listsOf(routine, n), call(typescript!, given));
            for (let which = 0; which < 2 ** lists.length; which++) {
                const entries = Object.entries(listsOf(routine, n));
                const some = entries.map(([name, list], i) => [name, which & (1 << i) ? ownCopy(list) : list]);
                const result = resultOf(Object.fromEntries(some), call(wasm!, given));
                expectSameBits(result, expected, lists[0]!.floats, () => `lists ${which.toString(2)}`);
            }
        }
    });

    test('in place where that is allowed, and over memories', () => {
        const shared = lists.slice(1).filter(({ sharing }) => sharing === 'same start');
        const other = Object.entries(listsOf(routine, n)).map(([name, list]) => [name, ownCopy(list)] as const);
        // More than the free rest of the others' memory.
        own(5_000_000);
        const make = (copy: (list: Float32Array) => Float32Array) => {
            const all = listsOf(routine, n);
            const first = copy(all[lists[0]!.argument]!);
            all[lists[0]!.argument] = first;
            for (const { argument } of shared) all[argument] = first;
            return all;
        };
        const expected = resultOf(
            make((list) => list),
            call(typescript!, options[0]!),
        );
        const result = resultOf({ ...Object.fromEntries(other), ...make(ownCopy) }, call(wasm!, options[0]!));
        expectSameBits(result, expected, lists[0]!.floats, () => 'in place');
    });

    test('bound to addresses, it does the same in each run', () => {
        for (const given of options) {
            const [here, there] = [listsOf(routine, n), listsOf(routine, n)];
            for (const [name, list] of Object.entries(here)) here[name] = ownCopy(list);
            const bound = bindAddresses.bind(null, ROUTINES[routine]);
            const { run } = bind(routine, { bound, terms: 0 }, [...Object.values(here), ...Object.values(given)]);
            for (let i = 0; i < 3; i++) {
                run(T);
                call(typescript!, given)(there);
            }
            const [result, expected] = [here, there].map((all) => all[lists[0]!.argument]!);
            expectSameBits(result!, expected!, lists[0]!.floats, () => 'bound');
            if (ROUTINES[routine].parameter) {
                const wrong = () => run('x' as unknown as number);
                expect(wrong).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE' }));
            }
        }
    });
});

test('more elements than fit into scratch, with other lists in other memory', () => {
    const float = random(4);
    const count = 30_000;
    const [from, to, t] = [4, 4, 1].map((floats) => Float32Array.from({ length: count * floats }, () => float() - 0.5));
    const expected = new Float32Array(count * 4);
    typescript!.slerpQuatsPerQuat(expected, from!, to!, t!);
    for (const lists of [
        [from!, to!, t!],
        [ownCopy(from!), ownCopy(to!), t!],
        [ownCopy(from!), ownCopy(to!), ownCopy(t!)],
    ] as const) {
        const result = own(count * 4);
        wasm!.slerpQuatsPerQuat(result, lists[0], lists[1], lists[2]);
        expectSameBits(result, expected, 4, () => 'per quat');
    }
});

test('many lists share few memories, and all of them keep theirs', () => {
    const lists = Array.from({ length: 100_000 }, (_, i) => own(64).fill(i));
    expect(new Set(lists.map(({ buffer }) => buffer)).size).toBeLessThan(4);
    for (const [i, list] of lists.entries()) if (list[0] !== i || list[63] !== i) throw new Error(`list ${i}`);
    try {
        structuredClone(lists[0]!.buffer, { transfer: [lists[0]!.buffer as ArrayBuffer] });
    } catch {
        // Node 20 makes a copy instead.
    }
    expect(lists[0]!.length).toBe(64);
});

test('where there is no memory, nothing is taken', () => {
    const before = own(16);
    const { end } = heapOf(before)!;
    expect(() => own(2 ** 30)).toThrow(expect.objectContaining({ code: 'ERR_COUNT_RANGE' }));
    expect(heapOf(before)!.end).toBe(end);
    const after = own(16);
    expect(after.buffer).toBe(before.buffer);
    expect([...after]).toEqual(Array(16).fill(0));
});

const inProcess = (code: string, ...flags: string[]) => {
    const dist = JSON.stringify(require.resolve('../../dist/index.js'));
    const { stdout } = runNode([...flags, '-e', `const p = require(${dist}); ${code}`], {
        env: { ...process.env, POSELANE_BACKEND: 'wasm' },
    });
    return JSON.parse(stdout);
};

test.each([
    ['SlerpJoints(p.createJoints(3), p.createJoints(3), ', [0, 1, 2]],
    ['TransformSkeleton(p.createJointMats(3), ', [-1, 0, 1]],
])('integers that another thread changes between check and copy are refused: bind%s', (start, integers) => {
    // The thread is a constructor that writes just before it copies. jest's own globals cannot be replaced.
    const code = `const shared = new Int32Array(new SharedArrayBuffer(12));
        shared.set([${integers}]);
        globalThis.Int32Array = class extends Int32Array {
            constructor(...args) {
                if (args[0] === shared) shared[2] = 2 ** 30;
                super(...args);
            }
        };
        try {
            p.bind${start}shared);
            console.log('"not refused"');
        } catch (error) {
            console.log(JSON.stringify(error.message));
        }`;
    expect(inProcess(code)).toMatch(/\[2\] is 1073741824, /);
});

test('memories are freed with the last lists in them', () => {
    const code = `let collected = 0;
        const registry = new FinalizationRegistry(() => collected++);
        for (let i = 0; i < 60; i++) registry.register(p.createJoints(400_000).buffer, null);
        let turns = 0;
        const turn = () => {
            gc();
            if (++turns < 20 && collected < 55) return setImmediate(turn);
            console.log(JSON.stringify([p.backend, collected]));
        };
        turn();`;
    const [backend, collected] = inProcess(code, '--expose-gc');
    expect(backend).toBe('wasm');
    expect(collected).toBeGreaterThan(50);
}, 60_000);

test('300 rigs with poses share few memories', () => {
    const code = `const rest = [0, 1, 0, 0, 0, 0, 1, 1, 1, 1];
        const clips = [{ channels: [{ node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, 2, 4, 6] }] }];
        const times = new Float64Array(16).fill(0.5);
        const all = Array.from({ length: 300 }, () => {
            const rig = p.Rig.create({ parents: [-1], rest, clips });
            const poses = rig.createPoses(16);
            rig.evaluate(poses, 0, times);
            return { rig, poses, x: rig.getLocal(poses, 7, 0, new Float32Array(10))[0] };
        });
        const buffers = new Set(all.map(({ poses }) => poses.data.buffer));
        console.log(JSON.stringify([all[0].rig.implementation, buffers.size, all.every(({ x }) => x === 1)]));`;
    const [name, memories, right] = inProcess(code);
    expect([name, right]).toEqual(['strict/wasm', true]);
    expect(memories).toBeLessThan(10);
}, 60_000);
