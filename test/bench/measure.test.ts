// SPDX-License-Identifier: MIT
import { type CaseName, measure, resultsOf, type Subject } from '../../lib/bench/measure';

function subject(implementation: string, log: string[], timed: CaseName['timed'] = 'addon', n = 2): Subject {
    return {
        routine: 'slerpJoints',
        implementation,
        n,
        timed,
        unit: 'ticks',
        sample: (milliseconds) => {
            log.push(`${implementation} ${n} ${timed} ${milliseconds}`);
            return [8, 4, 12];
        },
    };
}

describe('measuring', () => {
    test('warm-up, then rounds; compared cases follow each other, and each is first in turn', async () => {
        const log: string[] = [];
        const subjects = [subject('a', log), subject('x', log, 'addon', 3), subject('b', log)];
        const rounds: number[] = [];
        await measure(subjects, { rounds: 2, milliseconds: 1, onRound: () => rounds.push(log.length) });
        const order = log.map((line) => line.split(' ').slice(0, 2).join(''));
        expect(order).toEqual(['a2', 'x3', 'b2', 'a2', 'b2', 'x3', 'b2', 'a2', 'x3']);
        expect(rounds).toEqual([6, 9]);
    });

    test('samples are per element; a delay makes the samples of its case longer', async () => {
        const delay = { routine: 'slerpJoints', implementation: 'b', factor: 1.5 };
        const subjects = [subject('a', []), subject('b', []), subject('b', [], 'javascript')];
        const samples = await measure(subjects, { rounds: 1, milliseconds: 1, delay });
        expect(samples.map(({ rounds }) => rounds)).toEqual([[[4, 2, 6]], [[6, 3, 9]], [[6, 3, 9]]]);
    });

    test('the results of several processes are combined', async () => {
        const take = () => measure([subject('a', []), subject('b', [])], { rounds: 2, milliseconds: 1 });
        const results = resultsOf([...(await take()), ...(await take())]);
        expect(results).toHaveLength(2);
        expect(results[0]).toEqual({
            routine: 'slerpJoints',
            implementation: 'a',
            n: 2,
            timed: 'addon',
            unit: 'ticks',
            samples: 12,
            min: 2,
            lowerQuartile: 2,
            median: 4,
            upperQuartile: 6,
            step: 2,
            rounds: [3, 3, 3, 3],
        });
    });

    test('can be interrupted between cases', async () => {
        const controller = new AbortController();
        const log: string[] = [];
        const taking = measure([subject('a', log)], {
            rounds: 1000,
            milliseconds: 1,
            signal: controller.signal,
            onRound: () => log.length > 4 && controller.abort(new Error('interrupted')),
        });
        await expect(taking).rejects.toThrow('interrupted');
        expect(log.length).toBeLessThan(10);
    });
});
