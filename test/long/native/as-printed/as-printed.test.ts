// SPDX-License-Identifier: MIT

/** What the numbers that Intel's listing prints cost, and that the port which poselane ships is free of it. */

import { cpus } from 'node:os';
import type { BlendQuats } from '../../../../lib/lists';
import { drawnPairs, random } from '../../../support/quat-data';
import { type Errors, errorsOf, sample } from '../../../support/quat-errors';
import { quatAt } from '../../../support/quat-float32';
import { buildAsPrinted } from './build';

interface AsPrinted {
    readonly asPrinted: BlendQuats;
    readonly asShipped: BlendQuats;
}

/** AMD's rsqrtps, on which 1.1e-3 was measured. */
const RSQRT_IS_GOOD = cpus()[0]?.model.startsWith('AMD') ?? false;

const built = buildAsPrinted();

/** Three pairs at a time, which the listing's loop of sixteen never sees. */
const tailErrors = (run: BlendQuats): Errors => {
    const onlyTail: BlendQuats = (result, from, to, t) => {
        for (let o = 0; o < result.length; o += 12) {
            const [r, a, b] = [result, from, to].map((list) => list.subarray(o, o + 12));
            run(r!, a!, b!, t);
        }
    };
    return errorsOf(onlyTail, sample('a').slice(0, 60));
};

const TITLE = "Intel's listing as printed";

if ('skipped' in built) {
    it.skip(`${TITLE} [skipped: ${built.skipped}]`, () => {});
} else {
    describe(TITLE, () => {
        const { asPrinted, asShipped } = require(built.path) as AsPrinted;

        it('is off by 1.1e-3, and as shipped by less than 1e-6', () => {
            const [printed, shipped] = [asPrinted, asShipped].map((run) => errorsOf(run, inBodies(sample('a'))));
            expect(printed!.max).toBeGreaterThan(1e-3);
            // 1.11e-3 by an rsqrtps that is within 2.6e-4, which need only be within 3.7e-4: the step that would mend it
            // is thrown away.
            expect(printed!.max).toBeLessThan(RSQRT_IS_GOOD ? 1.2e-3 : 1.5e-3);
            expect(shipped!.max).toBeLessThan(1e-6);
        });

        it('turns wrong by up to 1.3e-4, because its pi is 22/7, and as shipped by less than 1e-6', () => {
            const [printed, shipped] = [asPrinted, asShipped].map((run) => errorsOf(run, inBodies(sample('a'))));
            expect(printed!.rotation).toBeGreaterThan(1e-4);
            expect(printed!.rotation).toBeLessThan(1.4e-4);
            expect(shipped!.rotation).toBeLessThan(1e-6);
        });

        it('computes something else for what 16 does not divide: SlerpOptimized, off by 3.5e-3', () => {
            const [printed, shipped] = [asPrinted, asShipped].map(tailErrors);
            expect(printed!.max).toBeGreaterThan(3e-3);
            expect(printed!.max).toBeLessThan(3.6e-3);
            expect(shipped!.max).toBeLessThan(1e-6);
        });

        it('jumps at 45 degrees, where its arc tangent changes sides, and as shipped does not', () => {
            // The same pair but for an angle of 45 degrees -+ 1e-4, sixteen of each.
            const pairsAt = (angle: number) => drawnPairs(random(1), 16, () => angle);
            const [before, after] = [-1e-4, 1e-4].map((off) => pairsAt(Math.PI / 4 + off));
            const jump = (run: BlendQuats) => {
                const [a, b] = [before!, after!].map(({ from, to }) => {
                    const result = new Float32Array(from.length);
                    run(result, from, to, 0.9);
                    return result;
                });
                return Math.max(
                    ...Array.from({ length: 16 }, (_, i) => {
                        const [x, y] = [quatAt(a!, i), quatAt(b!, i)];
                        return Math.hypot(...x.map((value, k) => value - y[k]!));
                    }),
                );
            };
            expect(jump(asShipped)).toBeLessThan(2e-4);
            expect(jump(asPrinted)).toBeGreaterThan(3e-4);
        });
    });
}

/** The same lists without what 16 does not divide. */
function inBodies(lists: ReturnType<typeof sample>): ReturnType<typeof sample> {
    return lists.map(({ t, ...list }) => ({
        t,
        from: list.from.slice(0, 256),
        to: list.to.slice(0, 256),
        slerps: list.slerps.slice(0, 64),
    }));
}
