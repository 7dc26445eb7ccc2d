// SPDX-License-Identifier: MIT

/**
 * Inverse kinematics for 1,000 characters of 51 joints: two feet planted and a head that looks, with the globals of what has changed.
 * All implementations must give the same bits. three.js solves feet with CCDIKSolver, in one iteration and in ten, and turns the head
 * with lookAt. The last subject is plain JavaScript with flat arrays. Prints Markdown: minimum (median), in milliseconds, and the
 * maximum distance of a foot from its target. Needs `npm run build`.
 *
 *     node bench/rig/ik.mjs [--rounds 40] [--json] [--write]
 *
 * --write: also into docs/tables/rig-benchmarks.md.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as THREE from 'three';
import { CCDIKSolver } from 'three/addons/animation/CCDIKSolver.js';
import { cell, measure, roundsOf, table } from '../harness.mjs';
import { flatIk } from './flat-ik.mjs';
import { createRig, describeMachine, implementations } from './library.mjs';

const { values: options } = parseArgs({
    options: { rounds: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
});
const rounds = roundsOf(options.rounds, 40);
const CHARACTERS = 1000;
/** Different targets, one after another. */
const MOMENTS = 8;

// Hips, legs, spine and head, arms with five fingers: parent and offset, in meters.
const joints = [[-1, [0, 1, 0]]];
const add = (parent, ...offsets) => {
    let last = parent;
    for (const offset of offsets) last = joints.push([last, offset]) - 1;
    return last;
};
const legs = [0.1, -0.1].map((x) => {
    const toe = add(0, [x, -0.05, 0], [0, -0.45, 0.02], [0, -0.45, -0.02], [0, -0.05, 0.15]);
    return { start: toe - 3, mid: toe - 2, end: toe - 1 };
});
const head = add(0, [0, 0.15, 0], [0, 0.2, 0], [0, 0.2, 0], [0, 0.1, 0]);
for (const x of [1, -1]) {
    const hand = add(head - 2, [x * 0.05, 0.15, 0], [x * 0.15, 0, 0], [x * 0.28, 0, 0], [x * 0.25, 0, 0]);
    for (let k = 0; k < 5; k++) add(hand, [x * 0.09, 0, k * 0.02], [x * 0.04, 0, 0], [x * 0.03, 0, 0]);
}
const parents = joints.map(([parent]) => parent);
const rest = joints.flatMap(([, offset]) => [...offset, 0, 0, 0, 1, 1, 1, 1]);

const wave = (i, k) => Math.sin(i * 12.9898 + k * 78.233);
/** Targets of every character: both feet, then what the head looks at. */
const targets = Array.from({ length: MOMENTS }, (_, moment) =>
    [0, 1, 2].map((k) =>
        Float32Array.from({ length: CHARACTERS * 3 }, (_, i) => {
            const axis = i % 3;
            const noise = wave(i + moment * 0.01, k);
            if (k === 2) return axis === 2 ? 3 + noise : axis === 1 ? 1.5 + noise : 2 * noise;
            return axis === 0 ? (k === 0 ? 0.12 : -0.12) : axis === 1 ? 0.2 + 0.1 * noise : 0.2 * noise;
        }),
    ),
);
const POLE = [0, 0, 1];
const poles = Float32Array.from({ length: CHARACTERS * 3 }, (_, i) => POLE[i % 3]);

const rigs = implementations.map((implementation) => {
    const rig = createRig({ parents, rest, clips: [] }, implementation);
    const poses = rig.createPoses(CHARACTERS);
    rig.toGlobal(poses);
    const slots = legs.map(({ start, mid, end }) => ({
        start: rig.slotOf(start),
        mid: rig.slotOf(mid),
        end: rig.slotOf(end),
    }));
    const looks = rig.slotOf(head);
    const globals = new Float32Array(CHARACTERS * 2 * 12);
    const ends = Uint16Array.from(slots, ({ end }) => end);
    return {
        name: implementation.name,
        run(call) {
            const moment = targets[call % MOMENTS];
            for (let k = 0; k < 2; k++) {
                rig.twoBoneIk(poses, slots[k], moment[k], { poles });
                rig.toGlobal(poses, { from: slots[k].start });
            }
            rig.aimIk(poses, looks, moment[2]);
            rig.toGlobal(poses, { from: looks });
        },
        footAt(pose, k) {
            rig.joints(poses, ends, globals);
            return [3, 7, 11].map((element) => globals[(pose * 2 + k) * 12 + element]);
        },
        bits: () => poses.data,
    };
});

function threeIk(iteration) {
    const position = new THREE.Vector3();
    const characters = Array.from({ length: CHARACTERS }, () => {
        const bones = joints.map(([, offset]) => {
            const bone = new THREE.Bone();
            bone.position.set(...offset);
            return bone;
        });
        for (const [i, parent] of parents.entries()) if (parent >= 0) bones[parent].add(bones[i]);
        const goals = [0, 1].map(() => new THREE.Bone());
        for (const goal of goals) bones[0].add(goal);
        // Bent, because CCD does not bend what is straight.
        for (const { start, mid } of legs) {
            bones[start].rotation.x = -0.3;
            bones[mid].rotation.x = 0.6;
        }
        const skeleton = new THREE.Skeleton([...bones, ...goals]);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0], 3));
        const mesh = new THREE.SkinnedMesh(geometry);
        mesh.add(bones[0]);
        mesh.bind(skeleton);
        const iks = legs.map(({ start, mid, end }, k) => ({
            target: bones.length + k,
            effector: end,
            links: [{ index: mid }, { index: start }],
            iteration,
        }));
        mesh.updateMatrixWorld(true);
        return { bones, goals, solver: new CCDIKSolver(mesh, iks), head: bones[head] };
    });
    return {
        name: `three.js, CCDIKSolver, ${iteration === 1 ? '1 iteration' : `${iteration} iterations`}`,
        run(call) {
            const moment = targets[call % MOMENTS];
            for (const [i, { goals, solver, head: look }] of characters.entries()) {
                for (let k = 0; k < 2; k++) goals[k].matrixWorld.setPosition(...moment[k].subarray(i * 3, i * 3 + 3));
                solver.update();
                look.lookAt(position.fromArray(moment[2], i * 3));
                look.updateMatrixWorld(true);
            }
        },
        footAt: (pose, k) => position.setFromMatrixPosition(characters[pose].bones[legs[k].end].matrixWorld).toArray(),
    };
}

const flat = flatIk({ parents, joints, legs, head, characters: CHARACTERS, pole: POLE });
const plain = { name: 'flat arrays', run: (call) => flat.run(targets[call % MOMENTS]), footAt: flat.footAt };
const subjects = [...rigs, threeIk(1), threeIk(10), plain];

/** How far feet are from their targets, at most, in millimeters. */
function errorOf({ footAt }, moment) {
    let worst = 0;
    for (let pose = 0; pose < CHARACTERS; pose += 97) {
        for (let k = 0; k < 2; k++) {
            const off = footAt(pose, k).map((x, axis) => x - moment[k][pose * 3 + axis]);
            worst = Math.max(worst, Math.sqrt(off.reduce((sum, x) => sum + x * x, 0)));
        }
    }
    return worst * 1000;
}

const errors = new Map(
    subjects.map((subject) => {
        for (let call = 0; call < MOMENTS; call++) subject.run(call);
        return [subject.name, errorOf(subject, targets[MOMENTS - 1])];
    }),
);
for (const { name, bits } of rigs) {
    const [found, expected] = [bits(), rigs[0].bits()];
    // Lanes beyond the count may hold anything.
    const at = found.findIndex((x, i) => i % 16 < CHARACTERS % 16 && x !== expected[i]);
    if (at >= 0) throw new Error(`${name} differs from ${rigs[0].name} in float ${at}`);
}
const results = await measure(
    subjects.map(({ name, run }) => ({ name, run, outputs: [], units: CHARACTERS })),
    { rounds, sample: 4 },
);
const { cpu, node } = describeMachine();
if (options.json) {
    console.log(JSON.stringify(results.map((result) => ({ ...result, error: errors.get(result.name) }))));
} else {
    const label = (name) => (name.startsWith('strict/') ? `\`${name}\`` : name);
    const rows = results.map(({ name, milliseconds }) => {
        const times = (milliseconds.min / results[0].milliseconds.min).toPrecision(3);
        return [label(name), cell(milliseconds), `${times}×`, errors.get(name).toPrecision(2)];
    });
    const text = table(['', 'ms', '', 'error, mm'], rows);
    const on = `${CHARACTERS} characters, two feet and a head, on one thread of an ${cpu}, Node ${node.replace('v', '')}; minimum (median):`;
    console.log(`${on}\n\n${text}`);
    if (options.write) {
        const path = join(import.meta.dirname, '../../docs/tables/rig-benchmarks.md');
        const [before, rest] = readFileSync(path, 'utf8').split('<!-- ik -->\n');
        const after = rest.slice(rest.indexOf('<!-- /ik -->'));
        writeFileSync(path, `${before}<!-- ik -->\n${on}\n\n${text}\n${after}`);
    }
}
