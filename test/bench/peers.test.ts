// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { runNode } from '../support/processes';

const ROOT = join(__dirname, '../..');

/** The max difference from poselane by peer and routine, in a Node without jest. */
const PROBE = `
const { loadPeers, peerSubjects } = require('./dist/bench/peers/index.js');
const { createData, T } = require('./dist/bench/data.js');
const poselane = require('./dist/index.js');
const data = createData(33, 'random');
const { workJoints, workMats, workQuats } = data;
const expected = {
    slerpQuats: () => (poselane.slerpQuats(workQuats, data.from, data.to, T), workQuats),
    slerpJoints: () => (workJoints.set(data.joints), poselane.slerpJoints(workJoints, data.blendJoints, T), workJoints),
    convertJointQuatsToJointMats: () =>
        (poselane.convertJointQuatsToJointMats(workMats, data.joints, { convention: 'gltf' }), workMats),
    transformSkeleton: () => (workMats.set(data.mats), poselane.transformSkeleton(workMats, data.parents), workMats),
};
loadPeers().then((peers) => {
    const found = peers.map(({ name, version, create }) => ({
        name,
        version,
        routines: Object.entries(create?.(data) ?? {}).map(([routine, { run, read }]) => {
            run();
            const [ours, theirs] = [expected[routine](), read()];
            return { routine, difference: Math.max(...ours.map((x, i) => Math.abs(x - theirs[i]))) };
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

    test('installed peers give the results of poselane', () => {
        for (const { name, version, routines } of found) {
            expect(routines.length).toBeGreaterThanOrEqual(version === null ? 0 : 3);
            // three.js interpolates linearly below 1.8 degrees.
            for (const { routine, difference } of routines) {
                expect({ name, routine, near: difference < 1e-4 }).toEqual({ name, routine, near: true });
            }
        }
    });

    test('each peer routine is a case', () => {
        expect(subjects.map(({ routine, implementation }) => [implementation, routine])).toEqual(
            found.flatMap(({ name, routines }) => routines.map(({ routine }) => [name, routine])),
        );
        for (const { samples } of subjects) expect(samples).toBeGreaterThanOrEqual(4);
    });
});
