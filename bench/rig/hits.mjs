// SPDX-License-Identifier: MIT

/**
 * The cost of a tick of examples/hits: 100 characters rewound and posed at one moment, then 1, 16 or 64 rays cast at their capsules. All
 * implementations must give the same answer. Prints Markdown: minimum (median), in milliseconds. Needs `npm run build`.
 *
 *     node bench/rig/hits.mjs [--rounds 40]
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCrowd } from '../../examples/hits/crowd.mjs';
import { CHARACTERS, History, HitTest, STATE, TICKS_PER_SECOND } from '../../examples/hits/hits.mjs';
import { measure, resultTable, roundsOf } from '../harness.mjs';
import { describeMachine, implementations } from './library.mjs';

const load = createRequire(import.meta.url);
const { readGltf } = load('../../dist/gltf/read.js');
const { checkedScene } = load('../../dist/rig/source/checked-scene.js');
const { Rig } = load('../../dist/rig/rig.js');

const { values: options } = parseArgs({ options: { rounds: { type: 'string' } } });
const rounds = roundsOf(options.rounds, 40);
const RAYS = [1, 16, 64];
const MOMENTS = 64;

const model = join(import.meta.dirname, '../../examples/character.glb');
const gltf = await readGltf(model, { surfaces: true, vertices: false });
const scene = { ...checkedScene(gltf, model), withoutVertices: true };

const works = implementations.map((implementation) => {
    const rig = new Rig(scene, undefined, implementation);
    const [history, hitTest] = [new History(), new HitTest(rig)];
    const step = createCrowd(rig);
    const [states, rewound] = [0, 1].map(() => new Float64Array(CHARACTERS * STATE));
    for (let tick = 0; tick < 10 * TICKS_PER_SECOND; tick++) {
        step(states);
        history.add(tick, states);
    }
    const rewind = (call) => history.rewind(rewound, history.newest - (call % MOMENTS) / MOMENTS - 0.5);
    rewind(0);
    hitTest.pose(rewound);
    // Each ray starts 10 m from a character and points at it.
    const rays = Array.from({ length: Math.max(...RAYS) }, (_, i) => {
        const [x, , z] = hitTest.placements.subarray(((i * 7) % CHARACTERS) * 7);
        return [x, 0.6, z + 10, 0, 0, -1, 100];
    });
    const rayList = Float32Array.from(rays.flat());
    const distances = new Float32Array(rays.length * CHARACTERS);
    const hits = new Int32Array(distances.length);
    const { placements, poses, capsules } = hitTest;
    const cast = (count) =>
        rig.castRays(poses, capsules, rayList.subarray(0, count * 7), distances, hits, { placements });
    cast(rays.length);
    const hit = hits.filter((capsule) => capsule >= 0).length;
    return {
        answer: JSON.stringify([hitTest.hash(), hit, ...distances.filter((x) => x < Infinity)]),
        hit,
        subjects: [
            { what: 'rewind and pose', run: (call) => rewind(call) && hitTest.pose(rewound) },
            ...RAYS.map((count) => ({ what: `rays: ${count}`, run: () => cast(count) })),
        ].map((subject) => ({ ...subject, name: implementation.name, outputs: [], units: 1 })),
    };
});
if (works.some(({ answer }) => answer !== works[0].answer)) throw new Error('the implementations give different hits');
if (works[0].hit < RAYS.at(-1)) throw new Error(`${works[0].hit} hits, fewer than rays`);

const subjects = works.flatMap((work) => work.subjects);
const results = await measure(subjects, { rounds });
const { cpu, node } = describeMachine();
console.log(`${CHARACTERS} characters, ms, ${rounds} rounds on ${cpu}, Node ${node}; minimum (median)\n`);
console.log(resultTable(results, 'what', 'name', 'milliseconds'));
