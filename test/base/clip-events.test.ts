// SPDX-License-Identifier: MIT

import fc from 'fast-check';
import { type ClipEvent, crossedEvents } from '../../lib/base/clip-events';

/** In 64ths of a second, which makes all sums exact. */
const time = (max: number) => fc.integer({ min: -max, max }).map((n) => n / 64);

const clip = fc.integer({ min: 0, max: 128 }).chain((length) =>
    fc.record({
        duration: fc.constant(length / 64),
        times: fc.array(fc.integer({ min: 0, max: length }), { maxLength: 6 }),
    }),
);

const eventsOf = (times: readonly number[]): ClipEvent[] =>
    [...times].sort((a, b) => a - b).map((at, i) => ({ name: `${i}`, time: at / 64 }));

/** Lists every time at which an event happens, and returns those between the two times. */
function naive(events: readonly ClipEvent[], duration: number, t0: number, t1: number, wrap: boolean): ClipEvent[] {
    const rounds = wrap && duration > 0 ? Math.ceil(Math.max(Math.abs(t0), Math.abs(t1)) / duration) + 2 : 0;
    const moments: { at: number; event: ClipEvent }[] = [];
    for (let round = -rounds; round <= rounds; round++) {
        for (const event of events) moments.push({ at: round * duration + event.time, event });
    }
    moments.sort((a, b) => a.at - b.at);
    if (t1 < t0) moments.reverse();
    const isCrossed = (at: number) => (t0 < t1 ? t0 <= at && at < t1 : t1 < at && at <= t0);
    return moments.filter(({ at }) => isCrossed(at)).map(({ event }) => event);
}

const crossed = (events: readonly ClipEvent[], duration: number, t0: number, t1: number, wrap: boolean) =>
    crossedEvents('events', events, duration, t0, t1, wrap);

test('returns the events of a list of all times, forward and backward, clamped and repeated', () => {
    fc.assert(
        fc.property(clip, time(400), time(400), fc.boolean(), ({ duration, times }, t0, t1, wrap) => {
            const events = eventsOf(times);
            expect(crossed(events, duration, t0, t1, wrap)).toEqual(naive(events, duration, t0, t1, wrap));
        }),
        { numRuns: 2000 },
    );
});

test('consecutive calls return each event of a single call once, at any times', () => {
    const double = fc.double({ min: -30, max: 30, noNaN: true });
    const runs = fc.tuple(clip, fc.double({ min: 0.3, max: 3, noNaN: true }), fc.array(double, { minLength: 3 }));
    fc.assert(
        fc.property(runs, fc.boolean(), fc.boolean(), ([{ duration, times }, scale, moments], wrap, backward) => {
            const events = eventsOf(times).map(({ name, time: at }) => ({ name, time: at * scale }));
            const sorted = moments.sort((a, b) => (backward ? b - a : a - b));
            const steps = sorted.slice(1).flatMap((t, i) => crossed(events, duration * scale, sorted[i]!, t, wrap));
            expect(steps).toEqual(crossed(events, duration * scale, sorted[0]!, sorted.at(-1)!, wrap));
        }),
        { numRuns: 2000 },
    );
});

test('a reversal at an event returns it again only if it was passed', () => {
    const events = eventsOf([32]);
    expect(crossed(events, 1, 0.25, 0.5, true)).toEqual([]);
    expect(crossed(events, 1, 0.5, 0.25, true)).toEqual(events);
    expect(crossed(events, 1, 0.5, 0.75, true)).toEqual(events);
});

test('without events the result is always the same empty list', () => {
    const events = eventsOf([32]);
    expect(crossed(events, 1, 0.6, 0.7, true)).toBe(crossed([], 1, 0, 9, true));
});

test.each([
    [0, 1e9],
    [-1e300, 1e300],
    [1e300, -1e300],
])('from %p to %p there are too many periods', (t0, t1) => {
    const error = { code: 'ERR_COUNT_RANGE', message: expect.stringContaining('must be at most 65536 events') };
    expect(() => crossed(eventsOf([1]), 1, t0, t1, true)).toThrow(expect.objectContaining(error));
    expect(crossed(eventsOf([1]), 1, t0, t1, false)).toHaveLength(1);
});
