// SPDX-License-Identifier: MIT

/** examples/hits: every implementation judges a thousand shots at a crowd of the past alike. */

import { join } from 'node:path';
import { nativeRigs } from '../../lib/rig/native';
import { FALLBACK } from '../support/implementations';
import { runNode } from '../support/processes';

const ROOT = join(__dirname, '../..');

const PROGRAM = `
import { createHash } from 'node:crypto';
import { Rig } from 'poselane';
import { createCrowd } from './examples/hits/crowd.mjs';
import { CHARACTERS, HitTest, History, judge, STATE } from './examples/hits/hits.mjs';

const rig = await Rig.load('examples/character.glb', { meshes: false });
const [history, hitTest] = [new History(), new HitTest(rig)];
const [states, rewound] = [0, 1].map(() => new Float64Array(CHARACTERS * STATE));
const step = createCrowd(rig);
const random = (i, size) => (((i * 2654435761) % 4294967296) / 4294967296 - 0.5) * size;
const answers = [];
for (let tick = 0; tick < 50; tick++) {
    step(states);
    history.add(tick, states);
    for (let i = tick * 5; i < tick * 5 + 5; i++) {
        const moment = Math.max(history.oldest, tick - 20 * Math.abs(random(i, 1.9)));
        if (!history.rewind(rewound, moment)) throw new Error('tick ' + moment);
        hitTest.pose(rewound);
        for (let k = 0; k < 4; k++) {
            const of = (number, size) => random(i * 4 + k + number / 10, size);
            const origin = [of(0, 16), of(1, 1) + 0.6, of(2, 16)];
            answers.push(hitTest.cast(Float32Array.of(...origin, of(3, 2), of(4, 0.1), of(5, 2), 30)));
        }
        answers.push(hitTest.hash());
    }
}
console.log(JSON.stringify({
    implementation: rig.implementation,
    shots: answers.filter((answer) => typeof answer !== 'string').length,
    hits: answers.filter((answer) => answer?.part !== undefined).length,
    hash: createHash('sha256').update(JSON.stringify(answers)).digest('hex'),
    forgotten: [28, 29, 49.5].map((tick) => judge(history, hitTest, rewound, { tick, ray: [0, 0, 0, 0, 0, 1, 1] }) === null),
}));
`;

function judged(implementation: string) {
    const env = { ...process.env, POSELANE_BACKEND: implementation };
    const { stdout, stderr } = runNode(['--input-type=module', '-e', PROGRAM], { cwd: ROOT, env });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, unknown>;
}

test('1,000 shots: the same hits, distances and hashes of poses', () => {
    const names = nativeRigs.flatMap(({ implementation }) => implementation?.name ?? []);
    const expected = judged(FALLBACK);
    expect(expected).toMatchObject({ implementation: FALLBACK, shots: 1000, forgotten: [true, false, true] });
    expect(expected.hits).toBeGreaterThan(300);
    expect(expected.hits).toBeLessThan(950);
    for (const implementation of names) expect(judged(implementation)).toEqual({ ...expected, implementation });
});
