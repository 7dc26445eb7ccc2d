// SPDX-License-Identifier: MIT

import { readFileSync, writeFileSync } from 'node:fs';
import { reduceFile } from '../../lib/reduce';
import { Rig } from '../../lib/rig';
import { CHARACTER } from '../support/models';
import { expectRun, filesIn, inNewFolder, printed, put } from './command-line';
import { movingGltf } from './moving-gltf';

inNewFolder();
const HERO = 'hero.gltf';
beforeEach(() => put(HERO, movingGltf().text));

const stored = () => Rig.deserialize(readFileSync('hero.rig'));

/** The matrix of each slot at some times of a clip. */
function globalsOf(rig: Rig, clip: number): Float32Array {
    const times = Float64Array.from({ length: 200 }, (_, i) => i * 0.011);
    const poses = rig.createPoses(times.length);
    const out = new Float32Array(times.length * rig.slots.length * 12);
    rig.evaluate(poses, clip, times);
    rig.toGlobal(poses);
    rig.joints(poses, Uint16Array.from(rig.slots.keys()), out);
    return out;
}

test('a file: the bytes of rig.serialize, and one line', async () => {
    const stdout = await printed(`rig ${HERO} -o hero.rig`);
    expect(stdout).toMatch(/^hero\.gltf -> hero\.rig: 2 clips, 2 slots; [\d.]+ KiB; [\d.]+ s\n$/);
    expect(readFileSync('hero.rig').equals((await Rig.load(HERO)).serialize())).toBe(true);
    expect(filesIn()).toEqual([HERO, 'hero.rig']);
    await expectRun(`rig ${HERO} -o hero.rig --quiet`);
});

test('--clips, and --animations with new names', async () => {
    put('moves.gltf', movingGltf({ clips: ['Jump', 'Walk'] }).text);
    await expectRun(`rig ${HERO} -o hero.rig --animations moves.gltf --clips moves:Walk,Jump,#1 -q`);
    expect((await stored()).clips.map(({ name }) => name)).toEqual(['Run', 'Jump', 'moves:Walk']);
    const nothing = { code: 2, stderr: "poselane: hero.gltf: no clip 'Fly', has 'Walk', 'Run'\n" };
    await expectRun(`rig ${HERO} -o other.rig --clips Fly`, nothing);
    expect(filesIn()).not.toContain('other.rig');
});

test('--max-error: the keys of poselane reduce', async () => {
    const stdout = await printed(`rig ${HERO} -o hero.rig --max-error 2mm`);
    expect(stdout).toMatch(/: 2 clips, 2 slots; 244 keys to \d{2}, off by at most 1\.\d+ mm; /);
    const { bytes } = await reduceFile(HERO, { maxError: '2mm', quantize: false });
    const reduced = await Rig.load(bytes);
    const [rig, whole] = [await stored(), await Rig.load(HERO)];
    expect(rig.clips.map(({ cadence }) => cadence)).toEqual(reduced.clips.map(({ cadence }) => cadence));
    for (const clip of [0, 1]) {
        expect(globalsOf(rig, clip)).toEqual(globalsOf(reduced, clip));
        const exact = globalsOf(whole, clip);
        const off = globalsOf(rig, clip).reduce((max, x, i) => Math.max(max, Math.abs(x - exact[i]!)), 0);
        expect(off).toBeLessThanOrEqual(0.002);
        expect(off).toBeGreaterThan(0);
    }
});

test('--no-meshes', async () => {
    writeFileSync('character.glb', readFileSync(CHARACTER.path));
    await expectRun('rig character.glb -o hero.rig --no-meshes -q');
    const rig = await Rig.load('character.glb', { meshes: false });
    expect(readFileSync('hero.rig').equals(rig.serialize())).toBe(true);
    await expectRun('rig character.glb -o hero.rig --no-meshes --max-error 1% -q');
    expect(() => rig.jointBounds(0)).toThrow('meshes: false');
});

test.each([
    [`${HERO}`, 2, "required option '-o, --out <file>' not specified"],
    [`${HERO} -o ${HERO}`, 2, "--out: 'hero.gltf' would overwrite 'hero.gltf', which is read"],
    [`${HERO} -o .`, 2, "--out: '.' is a folder: name a file"],
    [`${HERO} -o -`, 2, '--out: standard output has the results'],
    [`${HERO} -o a.rig --max-error 0`, 2, '--max-error is 0; it must be greater than 0'],
    [`${HERO} -o a.rig --rename a=b`, 2, '--rename has no effect without --animations'],
    ['none.glb -o a.rig', 3, 'none.glb: cannot read the file'],
    [`${HERO} -o a.rig --max-error 1e-12`, 4, 'is less than float32 can tell'],
])('rig %s ends with %p', async (line, code, message) => {
    const { stderr } = await expectRun(`rig ${line}`, { code, stderr: /^poselane: [^\n]+\n$/ });
    expect(stderr).toContain(message);
    expect(filesIn()).toEqual([HERO]);
});
