// SPDX-License-Identifier: MIT

/**
 * Shared by server and client: the history of the characters, and the judgment of a shot at a past moment. The same states give the
 * same hit, bit for bit: the Rig does that, and the code here only adds, multiplies, divides and takes square roots. (Math.sin and other
 * functions differ between machines.)
 */

export const CHARACTERS = 100;
export const TICKS_PER_SECOND = 20;
/** One second, and the tick at its start. */
const REMEMBERED = TICKS_PER_SECOND + 1;

/** Numbers of a character's state. The clips of `clip` and `other` are mixed by `weight`; place and quaternion are on the ground. */
const NUMBERS = ['clip', 'time', 'other', 'otherTime', 'weight', 'x', 'z', 'y', 'w'];
const [CLIP, TIME, OTHER, OTHER_TIME, WEIGHT, X, Z, Y, W] = NUMBERS.keys();
export const STATE = NUMBERS.length;

/** Where the fox can be hit: joints and radii in meters, offsets in its joints' centimeters. */
const PARTS = [
    { name: 'head', slot: 'Head', from: [-7, 14, 4], to: [7, 14, 4], radius: 0.17 },
    { name: 'chest', slot: 'Spine', toSlot: 'Neck', radius: 0.13 },
    { name: 'hips', slot: 'Hips', from: [-4, 2, 0], to: [4, 2, 0], radius: 0.14 },
    { name: 'tail', slot: 'Tail1', toSlot: 'Tail3', radius: 0.08 },
    { name: 'tip of the tail', slot: 'Tail3', toSlot: 'Tail4', radius: 0.09 },
    ...['L', 'R'].flatMap((side) => [
        { name: `ear ${side}`, slot: `Ear_${side}`, toSlot: `EarTip_${side}`, radius: 0.06 },
        { name: `upper arm ${side}`, slot: `UpperArm_${side}`, toSlot: `ForeArm_${side}`, radius: 0.05 },
        { name: `forearm ${side}`, slot: `ForeArm_${side}`, toSlot: `Hand_${side}`, radius: 0.045 },
        { name: `thigh ${side}`, slot: `Thigh_${side}`, toSlot: `Shin_${side}`, radius: 0.08 },
        { name: `shin ${side}`, slot: `Shin_${side}`, toSlot: `Foot_${side}`, radius: 0.06 },
        { name: `foot ${side}`, slot: `Foot_${side}`, toSlot: `Toe_${side}`, radius: 0.05 },
    ]),
];

/** The states of the last second, tick by tick: a ring. */
export class History {
    #ticks = Array.from({ length: REMEMBERED }, () => new Float64Array(CHARACTERS * STATE));
    oldest = 0;
    newest = -1;

    at(tick) {
        return this.#ticks[tick % REMEMBERED];
    }

    add(tick, states) {
        this.at(tick).set(states);
        // A page that joins, or that lost ticks, knows nothing of what was before.
        this.oldest = tick === this.newest + 1 ? Math.max(this.oldest, tick - REMEMBERED + 1) : tick;
        this.newest = tick;
    }

    /**
     * States between two ticks.
     *
     * @param tick A number with a fraction.
     * @returns Whether that moment is remembered; nothing is written otherwise.
     */
    rewind(out, tick) {
        const first = Math.floor(tick);
        if (!(first >= this.oldest && tick <= this.newest)) return false;
        const s = tick - first;
        const [a, b] = [this.at(first), this.at(Math.min(first + 1, this.newest))];
        for (let c = 0; c < CHARACTERS * STATE; c += STATE) {
            // Between two ticks a character may have begun another clip, or ended the one that it came from.
            const same = a[c + CLIP] === b[c + CLIP] && a[c + OTHER] === b[c + OTHER];
            for (let i = 0; i < STATE; i++) out[c + i] = a[c + i] + s * (b[c + i] - a[c + i]);
            if (!same) {
                out[c + CLIP] = a[c + CLIP];
                out[c + OTHER] = a[c + OTHER];
                out[c + TIME] = a[c + TIME] + s / TICKS_PER_SECOND;
                out[c + OTHER_TIME] = a[c + OTHER_TIME] + s / TICKS_PER_SECOND;
                out[c + WEIGHT] = a[c + WEIGHT];
            }
            const length = Math.sqrt(out[c + Y] * out[c + Y] + out[c + W] * out[c + W]);
            out[c + Y] /= length || 1;
            out[c + W] /= length || 1;
        }
        return true;
    }
}

/** Poses the characters of some moment, and shoots at them. */
export class HitTest {
    capsules;
    parts = PARTS.map(({ name }) => name);
    /** `[character][7]`: where each stands. */
    placements = new Float32Array(CHARACTERS * 7);
    poses;
    #rig;
    #parts;
    #others;
    #clips = new Uint16Array(CHARACTERS);
    #times = new Float64Array(CHARACTERS);
    #weights = new Float32Array(CHARACTERS);
    #distances = new Float32Array(CHARACTERS);
    #hits = new Int32Array(CHARACTERS);
    #joints;

    constructor(rig) {
        this.#rig = rig;
        this.#parts = PARTS.map(({ slot, toSlot = slot, from = [0, 0, 0], to = [0, 0, 0], radius }) => {
            return { slot: rig.slotNamed(slot), toSlot: rig.slotNamed(toSlot), from, to, radius };
        });
        this.capsules = rig.createCapsules(this.#parts);
        // Only what moves a capsule.
        const only = this.capsules.slots;
        this.poses = rig.createPoses(CHARACTERS, { only });
        this.#others = rig.createPoses(CHARACTERS, { only });
        this.#joints = new Float32Array(CHARACTERS * only.length * 12);
    }

    /** @param states Written by `History.rewind`. */
    pose(states) {
        this.#evaluate(this.poses, states, CLIP, TIME);
        this.#evaluate(this.#others, states, OTHER, OTHER_TIME);
        for (let c = 0; c < CHARACTERS; c++) {
            const at = c * STATE;
            this.#weights[c] = states[at + WEIGHT];
            this.placements[c * 7] = states[at + X];
            this.placements[c * 7 + 2] = states[at + Z];
            this.placements[c * 7 + 4] = states[at + Y];
            this.placements[c * 7 + 6] = states[at + W];
        }
        this.#rig.blend(this.poses, this.poses, this.#others, this.#weights);
        this.#rig.toGlobal(this.poses);
    }

    #evaluate(poses, states, clip, time) {
        for (let c = 0; c < CHARACTERS; c++) {
            this.#clips[c] = states[c * STATE + clip];
            this.#times[c] = states[c * STATE + time];
        }
        this.#rig.evaluate(poses, this.#clips, this.#times, { loop: 'wrap' });
    }

    /**
     * @param ray Origin 3, direction 3, maximum distance.
     * @returns The first hit: character, part and distance; null for a miss.
     */
    cast(ray) {
        this.#rig.castRays(this.poses, this.capsules, ray, this.#distances, this.#hits, {
            placements: this.placements,
        });
        let first = 0;
        for (let c = 1; c < CHARACTERS; c++) if (this.#distances[c] < this.#distances[first]) first = c;
        if (this.#hits[first] < 0) return null;
        return { character: first, part: this.parts[this.#hits[first]], distance: this.#distances[first] };
    }

    /** For drawing: `visit(character, capsule, from, to, radius)`, both ends in the character's space. */
    eachCapsule(visit) {
        const slots = [...this.capsules.slots];
        this.#rig.joints(this.poses, this.capsules.slots, this.#joints);
        const move = (character, slot, [x, y, z]) => {
            const at = (character * slots.length + slots.indexOf(slot)) * 12;
            const rows = [0, 4, 8].map((row) => this.#joints.subarray(at + row, at + row + 4));
            return rows.map((m) => m[0] * x + m[1] * y + m[2] * z + m[3]);
        };
        for (let c = 0; c < CHARACTERS; c++) {
            for (const [i, { slot, toSlot, from, to, radius }] of this.#parts.entries()) {
                visit(c, i, move(c, slot, from), move(c, toSlot, to), radius);
            }
        }
    }

    /** FNV-1a over the bits of all poses and places: one number to compare machines by. */
    hash() {
        this.#rig.joints(this.poses, this.capsules.slots, this.#joints);
        let hash = 0x811c9dc5;
        for (const list of [this.#joints, this.placements]) {
            for (const bits of new Int32Array(list.buffer, list.byteOffset, list.length)) {
                hash = Math.imul(hash ^ bits, 0x01000193);
            }
        }
        return (hash >>> 0).toString(16).padStart(8, '0');
    }
}

/** The answer to a shot at a moment; null if that moment is no longer stored. */
export function judge(history, hitTest, states, { tick, ray }) {
    if (!history.rewind(states, tick)) return null;
    hitTest.pose(states);
    return { hit: hitTest.cast(Float32Array.from(ray)), hash: hitTest.hash() };
}
