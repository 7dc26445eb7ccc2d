// SPDX-License-Identifier: MIT

/**
 * What a tick of examples/hits costs: 100 characters rewound and posed at one moment (two clips blended), then 1, 16 or 64 rays
 * cast at their capsules. By the addon's best implementations, WebAssembly and TypeScript, which first have to agree. Build
 * first (npm run build).
 *
 *     node bench/rig/hits.mjs [--rounds 40] [--json]
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCrowd } from '../../examples/hits/crowd.mjs';
import { CHARACTERS, History, HitTest, STATE, TICKS_PER_SECOND } from '../../examples/hits/hits.mjs';
import { measure, roundsOf } from '../harness.mjs';
import { describeMachine, implementations } from './library.mjs';

const load = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../..');
const { readGltf } = load('../../dist/gltf/read.js');
const { checkedScene } = load('../../dist/rig/source/checked-scene.js');
const { Rig } = load('../../dist/rig/rig.js');

const { values: options } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'boolean' } } });
const rounds = roundsOf(options.rounds, 40);
const RAYS = [1, 16, 64];
const MOMENTS = 64;

const model = join(root, 'examples/character.glb');
const scene = {
    ...checkedScene(await readGltf(model, { surfaces: true, vertices: false }), model),
    withoutVertices: true,
};

const works = implementations.map((implementation) => {
    const rig = new Rig(scene, undefined, implementation);
    const [history, hitTest] = [new History(), new HitTest(rig)];
    const step = createCrowd(rig);
    const [states, rewound] = [0, 1].map(() => new Float64Array(CHARACTERS * STATE));
    for (let tick = 0; tick < 10 * TICKS_PER_SECOND; tick++) {
        step(states);
        history.add(tick, states);
    }
    const placementOf = (i) => hitTest.placements.subarray((i % CHARACTERS) * 7, (i % CHARACTERS) * 7 + 7);
    const rewind = (call) => history.rewind(rewound, history.newest - (call % MOMENTS) / MOMENTS - 0.5);
    rewind(0);
    hitTest.pose(rewound);
    /** From 10 m away, each at one of the characters. */
    const rays = Float32Array.from(
        Array.from({ length: Math.max(...RAYS) }, (_, i) => {
            const [x, , z] = placementOf(i * 7);
            return [x, 0.6, z + 10, 0, 0, -1, 100];
        }).flat(),
    );
    const distances = new Float32Array(Math.max(...RAYS) * CHARACTERS);
    const hits = new Int32Array(distances.length);
    const cast = (count) =>
        rig.castRays(hitTest.poses, hitTest.capsules, rays.subarray(0, count * 7), distances, hits, {
            placements: hitTest.placements,
        });
    cast(RAYS.at(-1));
    const hit = hits.reduce((sum, capsule) => sum + (capsule >= 0 ? 1 : 0), 0);
    const answer = JSON.stringify([hitTest.hash(), hit, ...distances.filter((x) => x < Infinity)]);
    return {
        answer,
        hit,
        capsules: hitTest.capsules.count,
        subjects: [
            { what: 'rewind and pose', run: (call) => rewind(call) && hitTest.pose(rewound) },
            ...RAYS.map((count) => ({ what: `${count} ray${count === 1 ? '' : 's'}`, run: () => cast(count) })),
        ].map((subject) => ({ ...subject, name: implementation.name, outputs: [], units: 1 })),
    };
});
if (works.some(({ answer }) => answer !== works[0].answer)) throw new Error('implementations differ');
if (works[0].hit < RAYS.at(-1)) throw new Error(`${works[0].hit} hits: not even one for each ray`);

const results = await measure(
    works.flatMap(({ subjects }) => subjects),
    { rounds },
);
if (options.json) {
    console.log(JSON.stringify({ machine: describeMachine(), rounds, results }, null, 2));
} else {
    const whats = [...new Set(results.map(({ what }) => what))];
    console.log(
        `${CHARACTERS} characters x ${works[0].capsules} capsules, microseconds, min of ${rounds} interleaved rounds\n`,
    );
    console.log(`| | ${whats.join(' | ')} |\n| --- |${whats.map(() => ' ---: |').join('')}`);
    for (const { name } of implementations) {
        const cells = whats.map((what) => {
            const { milliseconds } = results.find((result) => result.name === name && result.what === what);
            return (milliseconds.min * 1000).toPrecision(3);
        });
        console.log(`| \`${name}\` | ${cells.join(' | ')} |`);
    }
    console.log('\n', describeMachine());
}
