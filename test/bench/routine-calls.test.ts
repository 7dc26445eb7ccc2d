// SPDX-License-Identifier: MIT

import { addon as nativeAddon } from '../../lib/addon/load';
import { type Angles, createData } from '../../lib/bench/data';
import { callsOn } from '../../lib/bench/routine-calls';
import { createSubjects } from '../../lib/bench/subjects';
import { implementation, implementations } from '../../lib/lists';
import { ROUTINE_NAMES as ROUTINES } from '../../lib/lists/routines';
import { itNative } from '../support/implementations';

describe('the data', () => {
    test.each<Angles>(['random', 'frames'])('%s: unit quaternions, equal in every run', (angles) => {
        const data = createData(64, angles);
        const lengths = Array.from({ length: 64 }, (_, i) => Math.hypot(...data.to.subarray(i * 4, i * 4 + 4)));
        for (const length of lengths) expect(length).toBeCloseTo(1, 6);
        expect(createData(64, angles).to).toEqual(data.to);
        expect(data.joints.filter((_, k) => k % 8 < 4)).toEqual(data.from);
    });

    test('angles: random pairs are on both sides, key frames within 20 degrees', () => {
        const cosines = (angles: Angles) => {
            const { from, to } = createData(1000, angles);
            const product = from.map((x, k) => x * to[k]!);
            return Array.from({ length: 1000 }, (_, i) => product.subarray(i * 4, i * 4 + 4).reduce((a, b) => a + b));
        };
        const opposite = cosines('random').filter((cosine) => cosine < 0).length;
        expect(opposite).toBeGreaterThan(430);
        expect(opposite).toBeLessThan(570);
        // The angle between quaternions is half the angle of the rotation.
        expect(Math.min(...cosines('frames'))).toBeGreaterThan(Math.cos((10.01 * Math.PI) / 180));
        expect(Math.min(...cosines('frames'))).toBeLessThan(Math.cos((9 * Math.PI) / 180));
    });

    test('parents come before their children', () => {
        const { parents } = createData(1024, 'random');
        expect(parents[0]).toBe(-1);
        for (let i = 1; i < 1024; i++) expect(parents[i]! >= 0 && parents[i]! < i).toBe(true);
    });

    test('lists are in one block: each on its own cache line, and all at different offsets in their pages', () => {
        const lists = Object.values(createData(1024, 'random')).filter((list) => ArrayBuffer.isView(list));
        expect(new Set(lists.map(({ buffer }) => buffer)).size).toBe(1);
        const offsets = lists.map(({ byteOffset }) => byteOffset);
        expect(new Set(offsets.map((offset) => offset % 64)).size).toBe(1);
        expect(new Set(offsets.slice(0, 12).map((offset) => offset % 4096)).size).toBe(12);
    });
});

describe('the cases', () => {
    test('every routine of every implementation that can run here', () => {
        const names = createSubjects(createData(4, 'random')).map(
            (one) => `${one.routine} ${one.implementation} ${one.timed}`,
        );
        const inAddon = (name: string) => nativeAddon?.implementations.some((one) => one.name === name) ?? false;
        const expected = ROUTINES.flatMap((routine) =>
            implementations()
                .filter(({ available, routines }) => available && routines.includes(routine))
                .flatMap(({ name }) => [
                    ...(inAddon(name) ? [`${routine} ${name} addon`] : []),
                    `${routine} ${name} javascript`,
                ]),
        );
        expect(names.sort()).toEqual(expected.sort());
    });

    test('all of them run and return times, several in a round', () => {
        for (const subject of createSubjects(createData(16, 'random'))) {
            const samples = subject.sample(0.01);
            expect(samples.length).toBeGreaterThanOrEqual(4);
            for (const sample of samples) expect(sample).toBeGreaterThanOrEqual(0);
            expect(Math.max(...samples)).toBeGreaterThan(0);
        }
    });

    itNative('what is timed in the addon is what is called from JavaScript: the same results', () => {
        const data = createData(19, 'random');
        for (const [routine, call] of Object.entries(callsOn(data))) {
            for (const { name, timed, terms } of nativeAddon!.implementations) {
                const inAddon = timed[routine as keyof typeof timed];
                if (!inAddon) continue;
                const { destination, source } = call;
                const results = [0, 1].map((which) => {
                    destination.fill(7);
                    if (which === 0) {
                        const args = call.addon(terms && 8);
                        expect(inAddon(new Float64Array(2), source ?? new Float32Array(1), ...args)).toBeUndefined();
                    } else {
                        if (source) destination.set(source);
                        call.javascript(implementation(name))();
                    }
                    return Array.from(destination);
                });
                expect({ name, routine, result: results[0] }).toEqual({ name, routine, result: results[1] });
                expect(results[0]).not.toEqual(Array(destination.length).fill(7));
            }
        }
    });
});
