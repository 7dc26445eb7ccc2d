// SPDX-License-Identifier: MIT
import { setTimeout } from 'node:timers/promises';
import { type Lane, spread } from '../../../lib/bake/pool/spread';

async function all<R>(results: AsyncIterable<R>): Promise<R[]> {
    const taken: R[] = [];
    for await (const result of results) taken.push(result);
    return taken;
}

const none = () => {};

test('reads no further than lanes are free, and not while as many results wait to be taken', async () => {
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
        // Those that run, and those that wait.
        expect(read - taken).toBeLessThanOrEqual(2 * lanes.length);
    }
    expect(taken).toBe(20);
});

test('results come as they are done', async () => {
    const lanes = [1, 2].map(() => async (wait: number) => {
        await setTimeout(wait);
        return wait;
    });
    expect(await all(spread([100, 1, 2], lanes, none))).toEqual([1, 2, 100]);
});

test('a task that a lane returns is done by another, and that lane gets no more, also when the source has ended', async () => {
    let calls = 0;
    const broken: Lane<number, number> = async () => {
        calls++;
        await setTimeout(20);
        return null;
    };
    const done = await all(spread([1, 2, 3], [broken, async (n) => n], none));
    expect(done.sort()).toEqual([1, 2, 3]);
    expect(calls).toBe(1);
});

test('an error of the source or a lane comes when no lane runs any more, and stops the others', async () => {
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

test('the signal ends it while the source says nothing, and so does whoever leaves the loop', async () => {
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
