// SPDX-License-Identifier: MIT

/** Methods that read globals reject those older than their locals, and no others. */

import { inspect } from 'node:util';
import { Rig as BrowserRig } from '../../lib/browser';
import { Rig } from '../../lib/rig';
import type { Poses } from '../../lib/rig/poses';
import type { RigParts } from '../../lib/rig/source/from-parts';
import { BakedTable } from '../../lib/table';
import { random as randomOf } from '../support/random';
import { argumentsOf, CALLS, PARTS } from '../support/rig-calls.cjs';

const CAPACITY = 40;
const TRS = Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
const TIMES = new Float32Array(CAPACITY);

describe.each([
    ['in Node', Rig],
    ['in browsers', BrowserRig],
])('%s', (_, Class) => {
    const rig = Class.create(PARTS as RigParts);
    const capsules = rig.createCapsules([{ slot: 1, radius: 1 }]);
    /** Calls a method with the valid arguments of the table, for more poses. */
    const call = (method: string, poses: Poses, out?: Float32Array) => {
        const other = rig.createPoses(CAPACITY);
        other.count = poses.count;
        const args = argumentsOf(method, { poses, other, capsules }, CAPACITY) as unknown[];
        const at = CALLS[method]!.args.findIndex(({ written, type }) => written && type === Float32Array);
        (rig as unknown as Record<string, (...args: unknown[]) => void>)[method]!(...(out ? args.with(at, out) : args));
    };
    /** Methods that only read globals, and those that write locals. */
    const readers = Object.keys(CALLS).filter((method) => CALLS[method]!.globals && !CALLS[method]!.stale);
    const writers = Object.keys(CALLS).filter((method) => CALLS[method]!.stale);

    /** The pose that each reader names; null if none rejects. */
    function refusedPose(poses: Poses): number | null {
        const found = readers.map((name) => {
            const out = new Float32Array(CAPACITY * 48).fill(9);
            try {
                call(name, poses, out);
            } catch (error) {
                expect(error).toMatchObject({ name: 'Error', code: 'ERR_STALE_GLOBALS' });
                const [, pose] =
                    /^(?:\w+): the locals of pose (\d+) of poses are newer than its globals, needs toGlobal\(poses\) first$/.exec(
                        (error as Error).message,
                    )!;
                expect((error as Error).message.startsWith(`${name}: `)).toBe(true);
                expect(out.every((x) => x === 9)).toBe(true);
                return Number(pose);
            }
            return null;
        });
        expect(new Set(found).size).toBe(1);
        return found[0]!;
    }

    test.each(['createPoses', ...writers])('after %s readers reject them until toGlobal', (method) => {
        const poses = rig.createPoses(CAPACITY);
        if (method !== 'createPoses') {
            rig.toGlobal(poses);
            call(method, poses);
        }
        expect(refusedPose(poses)).toBe(0);
        if (CALLS[method]?.globals) {
            const before = poses.data.slice();
            expect(() => call(method, poses)).toThrow(expect.objectContaining({ code: 'ERR_STALE_GLOBALS' }));
            expect(poses.data).toEqual(before);
        }
        rig.toGlobal(poses);
        expect(refusedPose(poses)).toBe(null);
    });

    test('after any calls with any counts, exactly the poses with newer locals are rejected', () => {
        const random = randomOf(14);
        const below = (n: number) => Math.floor(random() * n);
        let [refused, current] = [0, 0];
        for (let round = 0; round < 200; round++) {
            const poses = rig.createPoses(CAPACITY);
            const stale = new Array(CAPACITY).fill(true);
            let exact = true;
            for (let call = 0; call < 8; call++) {
                poses.count = below(4) === 0 ? CAPACITY : below(CAPACITY + 1);
                const many = 1 + below(CAPACITY + 8);
                const pose = below(poses.count);
                const calls: (() => void)[] = [
                    () => {
                        rig.evaluate(poses, 0, TIMES);
                        stale.fill(true, 0, poses.count);
                    },
                    () => {
                        rig.toGlobal(poses);
                        stale.fill(false, 0, poses.count);
                    },
                    () => {
                        rig.bakePalettes(poses, 0, new Float32Array(many), 0, new Float32Array(many * 48));
                        stale.fill(false, 0, many);
                    },
                    () => {
                        if (poses.count === 0) return;
                        rig.setLocal(poses, pose, 0, TRS);
                        stale[pose] = true;
                    },
                ];
                calls[below(calls.length)]!();
                const named = refusedPose(poses);
                if (named === null) current++;
                else {
                    refused++;
                    expect([named < poses.count, stale[named]]).toEqual([true, true]);
                }
                // Only one range of them is recorded.
                exact &&= stale.filter((is, at) => is && !stale[at - 1]).length <= 1;
                const first = stale.indexOf(true);
                if (exact) expect(named).toBe(first >= 0 && first < poses.count ? first : null);
            }
        }
        expect([refused > 300, current > 300]).toEqual([true, true]);
    });

    test('poses that became global in parts are accepted; poses that a larger count adds are not', () => {
        const poses = rig.createPoses(CAPACITY);
        rig.toGlobal(poses);
        poses.count = 20;
        rig.evaluate(poses, 0, TIMES);
        rig.toGlobal(poses);
        poses.count = CAPACITY;
        expect(refusedPose(poses)).toBe(null);
        rig.evaluate(poses, 0, TIMES);
        poses.count = 20;
        rig.toGlobal(poses);
        expect(refusedPose(poses)).toBe(null);
        poses.count = CAPACITY;
        expect(refusedPose(poses)).toBe(20);
    });

    test('shared poses are accepted: another thread can have made their globals', () => {
        const poses = rig.createPoses(CAPACITY, { shared: true });
        const sameElsewhere = rig.createPoses(CAPACITY, { shared: poses.data });
        rig.evaluate(poses, 0, TIMES);
        rig.toGlobal(sameElsewhere);
        expect([refusedPose(poses), refusedPose(sameElsewhere)]).toEqual([null, null]);
    });

    test('console.log of poses prints their count', () => {
        const poses = rig.createPoses(CAPACITY, { only: [0] });
        poses.count = 3;
        expect(inspect(poses)).toBe('Poses { count: 3, capacity: 40, slots: 1, weights: 1, shared: false }');
    });

    test.each([[undefined], ['hero.glb'], [PARTS], [{ nodes: [], skins: [], animations: [] }]])(
        'new Rig(%p) states how to make rigs',
        (...args) => {
            const make = () => new (Class as unknown as new (...given: unknown[]) => unknown)(...args);
            const message = /^new Rig: a rig must be made by Rig\.load, Rig\.fromDocument or Rig\.create, got /;
            expect(make).toThrow(
                expect.objectContaining({
                    name: 'TypeError',
                    code: 'ERR_ARGUMENT_TYPE',
                    message: expect.stringMatching(message),
                }),
            );
        },
    );
});

test('new BakedTable() states how to make tables', () => {
    const make = () => new (BakedTable as unknown as new () => unknown)();
    expect(make).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE', message: expect.stringContaining('BakedTable.open') }),
    );
});
