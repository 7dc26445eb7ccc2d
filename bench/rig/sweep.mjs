// SPDX-License-Identifier: MIT

/** The Rig in bench/sweep.mjs. */

import { generator } from '../../dist/bench/data.js';
import { slowerTiers } from '../tiers.mjs';
import { createRig, implementations } from './library.mjs';
import { rigPoses } from './pose-subjects.mjs';
import { createParts, durationOf, playback } from './scenes.mjs';

const STEPS = { 'rig, evaluate': ['evaluate'], 'rig, evaluate + toGlobal + palettes': undefined };
const random = generator(1);
/** Which clip a pose plays in a call. */
const MIXES = {
    'one clip': { clips: 1, clipOf: () => 0 },
    '4 clips': { clips: 4, clipOf: (pose, call) => (pose + call) % 4 },
    '16 clips': { clips: 16, clipOf: (pose, call) => (pose + call) % 16 },
    'random of 76 clips': { clips: 76, clipOf: () => Math.floor(random() * 76) },
};
/** Two seconds at 60 Hz. */
const CALLS = 120;

const names = implementations.map(({ name }) => name);

export function* rigCases(quick, isChosen) {
    for (const joints of quick ? [64] : [16, 64, 200]) {
        for (const [order, { clips, clipOf }] of Object.entries(MIXES)) {
            const cases = [1, 16, 200].flatMap((n) =>
                Object.entries(STEPS).map(([group, steps]) => ({
                    labels: { group, unit: 'ns per joint and pose', what: `${joints} joints`, n, order },
                    steps,
                })),
            );
            const chosen = cases.filter(({ labels }) => isChosen(labels));
            if (chosen.length === 0) continue;
            const parts = createParts({ joints, clips, keys: 31 });
            const rigs = implementations.map((one) => createRig(parts, one));
            for (const { labels, steps } of chosen) {
                const times = playback(durationOf(parts), labels.n, CALLS);
                const clips = times.map((all, call) => Uint16Array.from(all, (_, pose) => clipOf(pose, call)));
                const out = new Float32Array(labels.n * joints * 16);
                const subjects = rigs.map((rig) => ({
                    ...rigPoses(rig, { times, clips, out, chunk: labels.n, calls: steps }),
                    rivals: slowerTiers(rig.implementation, names),
                }));
                yield { ...labels, calls: Math.ceil(200 / labels.n), makeSubjects: () => subjects };
            }
        }
    }
}
