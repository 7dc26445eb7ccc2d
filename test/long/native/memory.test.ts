// SPDX-License-Identifier: MIT

/**
 * The collector frees the addon's memory of unreachable functions: in a loop that never returns to the event loop, so no
 * finalizer runs, and in a cycle of a function and its list. Each loop runs in its own process, which would grow by more
 * than 300 MB if nothing were freed.
 */

import { join } from 'node:path';
import { itNative } from '../../support/implementations';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const MOST = 200e6;

const LOOPS: Record<string, string> = {
    'bound functions': `
        for (let i = 0; i < 6000; i++) {
            bindSlerpJoints(new Float32Array(16384), new Float32Array(16384)).run(0.5);
            look();
        }`,
    'bound functions in a cycle with their list': `
        for (let i = 0; i < 6000; i++) {
            const list = new Float32Array(16384);
            list.bound = bindSlerpJoints(list, new Float32Array(16384));
            list.bound.run(0.5);
            look();
        }`,
    'bound functions with an index': `
        const [a, b, index] = [new Float32Array(80000), new Float32Array(80000), Int32Array.from({ length: 10000 }, (_, i) => i)];
        for (let i = 0; i < 10000; i++) {
            bindSlerpJoints(a, b, index);
            look();
        }`,
    rigs: `
        const times = Float32Array.from({ length: 5000 }, (_, i) => i);
        const channels = [{ node: 0, path: 'translation', times, values: new Float32Array(15000).map((_, i) => i % 7) }];
        for (let i = 0; i < 4000; i++) {
            Rig.create({ parents: [-1], rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1], clips: [{ channels }] });
            look();
        }`,
    'poses with their own slots': `
        const nodes = 20000;
        const rest = Array.from({ length: nodes * 10 }, (_, i) => (i % 10 < 6 ? 0 : 1));
        const rig = Rig.create({ parents: new Array(nodes).fill(-1), rest });
        for (let i = 0; i < 6000; i++) {
            rig.createPoses(1, { only: [0] });
            look();
        }`,
    'boxes of a skin': `
        const { skinBoxOf } = require('./dist/rig/measure/skin-box');
        const vertices = 2000;
        const primitive = {
            positions: new Float32Array(vertices * 3).map((_, i) => i % 11),
            joints: new Uint16Array(vertices * 4),
            weights: new Float32Array(vertices * 4).fill(0.25),
            influences: 4,
        };
        for (let i = 0; i < 4000; i++) {
            skinBoxOf([primitive], 1);
            look();
        }`,
};

/** The output of a CommonJS program. */
function run(program: string): string {
    const { status, signal, stdout, stderr } = runNode(['-e', program], { cwd: ROOT });
    expect([status, signal, stderr]).toEqual([0, null, '']);
    return stdout;
}

for (const [title, loop] of Object.entries(LOOPS)) {
    itNative(`${title}: memory stays flat in a synchronous loop`, () => {
        const program = `
            const { bindSlerpJoints, Rig } = require('./dist');
            let most = 0;
            let looks = 0;
            const look = () => {
                if (looks++ % 100 === 0) most = Math.max(most, process.memoryUsage.rss());
            };
            const start = process.memoryUsage.rss();
            ${loop}
            console.log(most - start);`;
        expect(Number(run(program))).toBeLessThan(MOST);
    });
}

itNative('a call without memory for one of its allocations throws a typed error', () => {
    const program = `
        let pieces = 0;
        globalThis.ArrayBuffer = new Proxy(ArrayBuffer, {
            construct(target, [bytes]) {
                if (pieces-- <= 0) throw new RangeError('Array buffer allocation failed');
                return new target(bytes);
            },
        });
        const { bindSlerpJoints, Rig } = require('./dist');
        const rest = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
        const times = Array.from({ length: 1000 }, (_, i) => i);
        const channels = [{ node: 0, path: 'translation', times, values: times.flatMap((i) => [i, 0, 0]) }];
        const joints = new Uint16Array(12);
        const mesh = { node: 0, skin: 0, positions: new Float32Array(9), joints, weights: new Float32Array(12).fill(1) };
        const makers = [
            () => bindSlerpJoints(new Float32Array(8), new Float32Array(8)),
            () => Rig.create({ parents: [-1], rest, skins: [{ joints: [0] }], clips: [{ channels }], meshes: [mesh] }),
        ];
        for (const make of makers) {
            const refusals = new Set();
            let needed = 0;
            for (let made = false; !made; needed++) {
                pieces = needed;
                try {
                    made = Boolean(make());
                } catch (error) {
                    refusals.add(error.code ?? error.name);
                }
            }
            console.log([...refusals].join(), needed - 1);
        }`;
    // The tables and slots of the rig, then poses that find its loops.
    expect(run(program)).toMatch(/^ERR_BUFFER_CHANGED 1\nERR_RIG_INVALID,ERR_COUNT_RANGE (9|1[0-3])\n$/);
});
