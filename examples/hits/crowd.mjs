// SPDX-License-Identifier: MIT

/** The server's game: characters that walk about, stand still and wave. */

import { CHARACTERS, STATE, TICKS_PER_SECOND } from './hits.mjs';

const SECONDS = 1 / TICKS_PER_SECOND;
/** Meters from the middle. */
const HALF = 7;
const SPEED = 0.55;
const BLEND_SECONDS = 0.3;

/** Numbers from 0 to 1 (xorshift): the same game in each run. */
function createRandom(seed) {
    let x = seed;
    return () => {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        return (x >>> 0) / 4294967296;
    };
}

/** @returns Writes the states of the next tick, whenever it is called. */
export function createCrowd(rig, seed = 1) {
    const random = createRandom(seed);
    const [idle, walk, wave] = ['Idle', 'Walk', 'Wave'].map((name) => rig.clipNamed(name));
    const crowd = Array.from({ length: CHARACTERS }, (_, i) => ({
        clip: i % 2 === 0 ? walk : idle,
        time: random() * 2,
        next: i % 2 === 0 ? walk : idle,
        nextTime: 0,
        weight: 0,
        left: random() * 3,
        x: (random() * 2 - 1) * HALF,
        z: (random() * 2 - 1) * HALF,
        ...turned(random() - 0.5, random() - 0.5),
        turn: 0,
    }));

    function step(one) {
        one.time += SECONDS;
        one.nextTime += SECONDS;
        one.left -= SECONDS;
        if (one.next !== one.clip && one.weight >= 1) {
            one.clip = one.next;
            one.time = one.nextTime;
            one.weight = 0;
        } else if (one.next !== one.clip) {
            one.weight = Math.min(1, one.weight + SECONDS / BLEND_SECONDS);
        } else if (one.left < 0) {
            one.next = [idle, walk, walk, wave].filter((clip) => clip !== one.clip)[Math.floor(random() * 2)];
            one.nextTime = 0;
            one.left = 1 + random() * 3;
            one.turn = random() * 3 - 1.5;
        }
        const walking = (one.clip === walk ? 1 - one.weight : 0) + (one.next === walk ? one.weight : 0);
        const { headingX, headingZ } = one;
        // Back to the middle from the border.
        const border = Math.abs(one.x) > HALF || Math.abs(one.z) > HALF;
        const [toX, toZ] = border ? [-one.x, -one.z] : [headingZ * one.turn, -headingX * one.turn];
        Object.assign(one, turned(headingX + toX * SECONDS * walking, headingZ + toZ * SECONDS * walking));
        one.x += one.headingX * SPEED * SECONDS * walking;
        one.z += one.headingZ * SPEED * SECONDS * walking;
    }

    return (states) => {
        for (const [i, one] of crowd.entries()) {
            step(one);
            // The quaternion about y that turns +z to the heading, without an angle.
            const w = Math.sqrt(Math.max(0, 1 + one.headingZ) / 2);
            const y = w > 1e-6 ? one.headingX / (2 * w) : 1;
            states.set([one.clip, one.time, one.next, one.nextTime, one.weight, one.x, one.z, y, w], i * STATE);
        }
    };
}

/** A heading of unit length. */
function turned(x, z) {
    const length = Math.sqrt(x * x + z * z) || 1;
    return { headingX: x / length, headingZ: z / length };
}
