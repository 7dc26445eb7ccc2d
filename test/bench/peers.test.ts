// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { runNode } from '../support/processes';

const ROOT = join(__dirname, '../..');

/** What the peers compute, less what poselane does: the largest difference by peer and routine. In a Node without jest. */
const PROBE = `
const { loadPeers, peerSubjects } = require('./dist/bench/peers/index.js');
const { createData, T } = require('./dist/bench/data.js');
const poselane = require('./dist/index.js');
const data = createData(33, 'random');
const { workJoints, workMats, workQuats } = data;
const gltf = { convention: 'gltf' };
const expected = {
    slerpQuats: () => (poselane.slerpQuats(workQuats, data.from, data.to, T), workQuats),
    slerpJoints: () => (workJoints.set(data.joints), poselane.slerpJoints(workJoints, data.blendJoints, T), workJoints),
    lerpJoints: () => (workJoints.set(data.joints), poselane.lerpJoints(workJoints, data.blendJoints, T), workJoints),
    convertJointQuatsToJointMats: () => (poselane.convertJointQuatsToJointMats(workMats, data.joints, gltf), workMats),
    convertJointMatsToJointQuats: () => (poselane.convertJointMatsToJointQuats(workJoints, data.mats, gltf), workJoints),
    transformSkeleton: () => (workMats.set(data.mats), poselane.transformSkeleton(workMats, data.parents), workMats),
    transformJoints: () => (poselane.transformJoints(workMats, data.mats, data.blendMats), workMats),
};
function difference(routine, one, other) {
    let most = 0;
    for (let i = 0; i < one.length; i++) {
        // A quaternion and its negative are the same rotation.
        const q = routine === 'convertJointMatsToJointQuats' && i % 8 < 4 ? (i >> 3) * 8 : -1;
        const opposite = q >= 0 && one[q] * other[q] + one[q + 1] * other[q + 1] + one[q + 2] * other[q + 2] + one[q + 3] * other[q + 3] < 0;
        most = Math.max(most, Math.abs(one[i] - (opposite ? -other[i] : other[i])));
    }
    return most;
}
loadPeers().then((peers) => {
    const found = peers.map(({ name, version, create }) => ({
        name,
        version,
        routines: Object.entries(create?.(data) ?? {}).map(([routine, { run, read }]) => {
            run();
            return { routine, difference: difference(routine, read(), expected[routine]()) };
        }),
    }));
    const subjects = peerSubjects(peers, data).map(({ routine, implementation, sample }) => {
        return { routine, implementation, samples: sample(0.01).length };
    });
    console.log(JSON.stringify({ found, subjects }));
});
`;

interface Probe {
    found: { name: string; version: string | null; routines: { routine: string; difference: number }[] }[];
    subjects: { routine: string; implementation: string; samples: number }[];
}

describe('peers', () => {
    const { stdout, stderr } = runNode(['-e', PROBE], { cwd: ROOT });
    const { found, subjects } = JSON.parse(stdout || 'null') as Probe;

    test('three.js, gl-matrix and a plain loop; loading them prints nothing', () => {
        expect(stderr).toBe('');
        expect(found.map(({ name }) => name)).toEqual(['three.js', 'gl-matrix', 'flat JavaScript']);
        expect(found[0]!.version).toMatch(/^\d+\.\d+\.\d+$/);
    });

    test('those that are installed compute the same as poselane', () => {
        for (const { name, version, routines } of found) {
            expect(routines.length).toBeGreaterThanOrEqual(version === null ? 0 : 6);
            // A fourth component of translations is nobody's business; three.js interpolates linearly below 1.8 degrees.
            for (const { routine, difference } of routines) {
                expect({ name, routine, near: difference < 1e-4 }).toEqual({ name, routine, near: true });
            }
        }
    });

    test('each of their routines is a case; what is not installed has none', () => {
        expect(subjects.map(({ routine, implementation }) => [implementation, routine])).toEqual(
            found.flatMap(({ name, routines }) => routines.map(({ routine }) => [name, routine])),
        );
        for (const { samples } of subjects) expect(samples).toBeGreaterThanOrEqual(4);
    });
});
