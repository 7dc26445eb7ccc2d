// SPDX-License-Identifier: MIT

/** FBX files, with vertices by other programs: ../shared/models/fbx/SOURCES.md. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertFile } from '../../lib/bake';
import { testUnless } from '../support/unless';
import { distance, poser } from './support/pose';

const FOLDER = join(__dirname, '../../../shared/models/fbx');
const absent = !existsSync(FOLDER) && '../shared/models/fbx is absent';

interface Pair {
    readonly fbx: string;
    readonly clip: string | null;
    readonly frames: readonly (readonly [obj: string, time: number])[];
}

const pairs: readonly Pair[] = absent ? [] : JSON.parse(readFileSync(join(FOLDER, 'pairs.json'), 'utf8'));

function verticesOf(obj: string): number[][] {
    const lines = readFileSync(join(FOLDER, obj), 'latin1').split('\n');
    return lines
        .filter((line) => line.startsWith('v '))
        .map((line) => line.trim().split(/\s+/).slice(1, 4).map(Number));
}

/** The OBJ files are in centimeters or meters, with Y or Z up. */
const VIEWS = [0.01, 1].flatMap((unit) => [
    ([x, y, z]: number[]) => [x! * unit, y! * unit, z! * unit],
    ([x, y, z]: number[]) => [x! * unit, z! * unit, -y! * unit],
]);

testUnless(absent, 'vertices are within 1e-4 of the extent, at frames and between them', async () => {
    const far: string[] = [];
    for (const { fbx, clip, frames } of pairs) {
        const { bytes } = await convertFile(join(FOLDER, fbx));
        const pose = await poser(bytes);
        const name = pose.clips.find((one) => one === clip) ?? pose.clips[0] ?? null;
        for (const [obj, time] of frames) {
            const got = pose.vertices(name, time);
            const wanted = verticesOf(obj);
            const isNear = VIEWS.some((view) => distance(got, wanted.map(view)) < 1e-4);
            if (!isNear) far.push(`${fbx} at ${time}`);
        }
    }
    expect(far).toEqual([]);
    expect(pairs.length).toBeGreaterThan(10);
});

testUnless(absent, 'a clip without a mesh fits the joints of a character, by name', async () => {
    const [{ root }, { root: clip }] = [
        await poser((await convertFile(join(FOLDER, 'arnaud.fbx'))).bytes),
        await poser((await convertFile(join(FOLDER, 'jog.fbx'))).bytes),
    ];
    const names = new Set(
        root
            .listSkins()[0]!
            .listJoints()
            .map((joint) => joint.getName()),
    );
    const moved = new Set(
        clip
            .listAnimations()[0]!
            .listChannels()
            .map((channel) => channel.getTargetNode()!.getName()),
    );
    expect([...names].filter((name) => !moved.has(name) && !/polySurface/.test(name))).toEqual([]);
});
