// SPDX-License-Identifier: MIT
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Lane, spread } from '../../lib/threads/spread';

async function all<R>(results: AsyncIterable<R>): Promise<R[]> {
    const taken: R[] = [];
    for await (const result of results) taken.push(result);
    return taken;
}

const none = () => {};

test('reads no further than there are free lanes, and stops while that many results wait', async () => {
    let read = 0;
    const source = (function* () {
        while (read < 20) yield read++;
    })();
    const lane: Lane<number, number> = async (n) => n;
    const lanes = [lane, async (n: number) => n, async (n: number) => n];
    let taken = 0;
    for await (const _ of spread(source, lanes, none)) {
        taken++;
        await setTimeout(2);
        // Running tasks, and waiting results.
        expect(read - taken).toBeLessThanOrEqual(2 * lanes.length);
    }
    expect(taken).toBe(20);
});

test('results come as tasks finish', async () => {
    let release = none;
    const released = new Promise<void>((go) => {
        release = go;
    });
    const lanes = [1, 2].map(() => async (task: string) => {
        if (task === 'long') await released;
        return task;
    });
    const taken: string[] = [];
    for await (const task of spread(['long', 'a', 'b'], lanes, none)) {
        taken.push(task);
        if (task === 'b') release();
    }
    expect(taken).toEqual(['a', 'b', 'long']);
});

test('a task that a lane returns goes to another lane, and the first gets no more tasks, also after the end of the source', async () => {
    let calls = 0;
    let release = none;
    const released = new Promise<void>((go) => {
        release = go;
    });
    const broken: Lane<number, number> = async () => {
        calls++;
        await released;
        return null;
    };
    const done: number[] = [];
    for await (const n of spread([1, 2, 3], [broken, async (n) => n], none)) {
        done.push(n);
        if (n === 3) setImmediate(release);
    }
    expect(done).toEqual([2, 3, 1]);
    expect(calls).toBe(1);
});

test('an error of the source or a lane stops the others, and is thrown when no lane runs', async () => {
    let running = 0;
    let stopped = 0;
    const lanes = [1, 2].map(() => async (n: number) => {
        running++;
        await setTimeout(20);
        running--;
        if (n === 3) throw new Error('three');
        return n;
    });
    const fails = all(spread([1, 2, 3, 4, 5], lanes, () => stopped++));
    await expect(fails).rejects.toThrow('three');
    const source = (async function* () {
        yield 1;
        yield 2;
        throw new Error('the source');
    })();
    await expect(all(spread(source, lanes, () => stopped++))).rejects.toThrow('the source');
    expect({ running, stopped }).toEqual({ running: 0, stopped: 2 });
});

test('a source can abort the signal itself', async () => {
    const controller = new AbortController();
    const source = (function* () {
        yield 1;
        controller.abort(new Error('enough'));
        yield 2;
    })();
    const lane: Lane<number, number> = async (n) => n;
    await expect(all(spread(source, [lane], none, controller.signal))).rejects.toThrow('enough');
    expect([...source]).toEqual([]);
});

test('does not keep finished tasks, in an iteration of any length', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const tasks: WeakRef<object>[] = [];
    const source = (function* () {
        while (tasks.length < 20) {
            const task = {};
            tasks.push(new WeakRef(task));
            yield task;
        }
    })();
    let alive = 0;
    for await (const left of spread(source, [async () => 20 - tasks.length], none)) {
        if (left > 0) continue;
        await setTimeout(0);
        collect();
        alive = tasks.filter((task) => task.deref() !== undefined).length;
    }
    expect(alive).toBeLessThan(5);
});

test('the signal ends it while the source is silent, and so does leaving the loop', async () => {
    let closed = 0;
    const endless = (): AsyncIterable<number> => ({
        [Symbol.asyncIterator]: () => {
            let count = 0;
            return {
                next: () => (count++ === 0 ? Promise.resolve({ value: 1 }) : new Promise(none)),
                return: () => {
                    closed++;
                    return new Promise(none);
                },
            };
        },
    });
    const lanes = [async (n: number) => n];
    const controller = new AbortController();
    const ends = (async () => {
        for await (const _ of spread(endless(), lanes, none, controller.signal)) {
            void setTimeout(5).then(() => controller.abort(new Error('enough')));
        }
    })();
    await expect(ends).rejects.toThrow('enough');
    for await (const _ of spread(endless(), lanes, none)) break;
    expect(closed).toBe(2);
});

test('the other lanes start when they can join, or when the first one ends', async () => {
    const spreadBy = async (join: Promise<unknown>) => {
        const by: string[] = [];
        const lane = (name: string) => async (task: number) => {
            by.push(name);
            await setTimeout(2);
            return task;
        };
        await all(spread([1, 2, 3, 4, 5, 6], [lane('first'), lane('other')], none, undefined, join));
        return by;
    };
    expect(new Set(await spreadBy(new Promise(none)))).toEqual(new Set(['first']));
    const joined = await spreadBy(setTimeout(5));
    expect(joined[0]).toBe('first');
    expect(joined).toContain('other');
    const retired: Lane<number, number> = async () => null;
    const other: Lane<number, number> = async (task) => task;
    expect(await all(spread([1, 2], [retired, other], none, undefined, new Promise(none)))).toHaveLength(2);
});
