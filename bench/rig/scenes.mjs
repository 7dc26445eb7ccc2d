// SPDX-License-Identifier: MIT

/** Input of the subjects: skeletons with a clip, a mesh, times. The same numbers on every machine and in every run. */

const RATE = 30;

function generator(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 31 - 1;
    };
}

/** A rotation by at most about `angle` radians. */
function rotation(next, angle) {
    const q = [next() * (angle / 2), next() * (angle / 2), next() * (angle / 2), 1];
    const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
    return q.map((x) => x / length);
}

/** A hierarchy as deep as a humanoid's. */
const parentsOf = (joints) => Array.from({ length: joints }, (_, i) => (i === 0 ? -1 : i % 5 === 0 ? i >> 1 : i - 1));

/** Key times of a group: 30 keys a second. The times of other groups are between them. */
function keyTimes(keys, group, groups) {
    const shift = group / groups / 2;
    return Float32Array.from({ length: keys }, (_, k) => (k === 0 || k === keys - 1 ? k : k + shift) / RATE);
}

/**
 * A skeleton and clips that move translation, rotation and scale of every joint.
 *
 * @param groups Number of different lists of key times, at most three times the joints.
 */
export function createParts({ joints = 64, keys = 61, groups = 1, clips = 1 } = {}) {
    const next = generator(1);
    const parents = parentsOf(joints);
    const rest = parents.flatMap(() => [next(), next(), next(), ...rotation(next, 3), 1, 1, 1]);
    const times = Array.from({ length: groups }, (_, group) => keyTimes(keys, group, groups));
    const paths = [
        ['translation', () => [next(), next(), next()]],
        ['rotation', () => rotation(next, 3)],
        ['scale', () => [1 + 0.1 * next(), 1 + 0.1 * next(), 1 + 0.1 * next()]],
    ];
    const createClip = () => ({
        channels: parents.flatMap((_, node) =>
            paths.map(([path, make], k) => {
                const group = Math.floor(((node * 3 + k) * groups) / (joints * 3));
                const values = Float32Array.from(Array.from({ length: keys }, make).flat());
                return { node, path, times: times[group], values };
            }),
        ),
    });
    const inverseBindMatrices = Float32Array.from({ length: joints * 16 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
    return {
        parents,
        rest,
        skins: [{ joints: parents.map((_, i) => i), inverseBindMatrices }],
        clips: Array.from({ length: clips }, createClip),
    };
}

/**
 * A character of 48 joints and 5,000 vertices. Each vertex has four joints with weights above 0: a joint, its parent and grandparent, and
 * a joint beside it. Joints bend by at most about 30 degrees. They scale not uniformly, so that normals need the inverse transpose.
 */
export function createCharacter({ joints = 48, vertices = 5000, keys = 61 } = {}) {
    const next = generator(2);
    const parents = parentsOf(joints);
    const offsets = parents.map(() => [0.2 * next(), 0.15 + 0.1 * next(), 0.2 * next()]);
    const places = [];
    for (const [joint, parent] of parents.entries()) {
        places.push(offsets[joint].map((x, axis) => x + (parent < 0 ? 0 : places[parent][axis])));
    }
    const times = keyTimes(keys, 0, 1);
    const list = (make) => Float32Array.from(Array.from({ length: keys }, make).flat());
    const channels = parents.flatMap((_, node) => [
        { node, path: 'translation', times, values: list(() => offsets[node].map((x) => x + 0.01 * next())) },
        { node, path: 'rotation', times, values: list(() => rotation(next, 0.5)) },
        { node, path: 'scale', times, values: list(() => [1, 1, 1].map((x) => x + 0.05 * next())) },
    ]);
    const bind = ([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];
    const skin = { joints: parents.map((_, i) => i), inverseBindMatrices: Float32Array.from(places.flatMap(bind)) };
    return {
        parents,
        rest: offsets.flatMap((offset) => [...offset, 0, 0, 0, 1, 1, 1, 1]),
        skins: [skin],
        clips: [{ channels }],
        meshes: [{ node: 0, skin: 0, ...createSurface(parents, places, vertices, next) }],
    };
}

function createSurface(parents, places, vertices, next) {
    const joints = new Uint16Array(vertices * 4);
    const weights = new Float32Array(vertices * 4);
    const positions = new Float32Array(vertices * 3);
    const normals = new Float32Array(vertices * 3);
    const above = (joint) => Math.max(parents[joint], 0);
    for (let v = 0; v < vertices; v++) {
        const joint = Math.floor((v * parents.length) / vertices);
        const beside = joint + 1 < parents.length ? joint + 1 : joint - 2;
        joints.set([joint, above(joint), above(above(joint)), beside], v * 4);
        const parts = [4, 2, 1, 1].map((part) => part * (1.2 + next()));
        const sum = parts.reduce((a, b) => a + b);
        weights.set(
            parts.map((part) => part / sum),
            v * 4,
        );
        const direction = [next(), next(), next()];
        const length = Math.sqrt(direction.reduce((total, x) => total + x * x, 1e-6));
        normals.set(
            direction.map((x) => x / length),
            v * 3,
        );
        positions.set(
            direction.map((x, axis) => places[joint][axis] + (0.1 * x) / length),
            v * 3,
        );
    }
    return { positions, normals, joints, weights };
}

/** Seconds from the first key to the last. */
export const durationOf = ({ clips }) => clips[0].channels[0].times.at(-1);

/** For each of `calls` calls the times of `count` poses. Each pose starts at its own time and advances 1/60 s from call to call, in a loop. */
export function playback(duration, count, calls) {
    return Array.from({ length: calls }, (_, call) =>
        Float32Array.from({ length: count }, (_, i) => (duration * ((i * 0.6180339887) % 1) + call / 60) % duration),
    );
}
