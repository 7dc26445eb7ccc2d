// SPDX-License-Identifier: MIT

/**
 * Clips of other humanoids, baked and judged by `verify`, whose measures share no code with the baker. The Rig gives positions of ankles
 * at times when the clip says that a foot stands.
 */

import { readFileSync } from 'node:fs';
import { type BakeOptions, bakeFile } from '../../lib/bake';
import { Rig } from '../../lib/rig';
import { Rig as BrowserRig } from '../../lib/typescript/rig';
import { about, type HumanoidSpec, NAMES, STRIDE, writeHumanoid } from '../support/humanoids';
import { judgeRetargeted } from '../support/judge-retargeted';
import { CHARACTER } from '../support/models';
import { changedGlb, fileOf, meshAlone } from '../support/split-file';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();

const TARGETS: Readonly<Record<string, HumanoidSpec>> = {
    'Mixamo names, centimeters below a scale of 0.01': {
        names: NAMES.mixamo!,
        armature: { scale: 0.01 },
        turnedAxes: true,
    },
    'Unreal names, Z up below a turned armature': {
        names: NAMES.unreal!,
        armature: { rotation: about('x', -90) },
        turnedAxes: true,
    },
    'a scene with Z up': { names: NAMES.biped!, scene: about('x', 90) },
    'facing backward': { names: NAMES.vroid!, scene: about('y', 180), turnedAxes: true },
    'facing aside, scaled by 100': { names: NAMES.rigify!, scene: about('y', 37), armature: { scale: 100 } },
    'other proportions, arms down': { names: NAMES.arnaud!, thigh: 0.5, shin: 0.6, hip: 0.12, armsDown: 40 },
    'short legs': { names: NAMES.quaternius!, thigh: 0.2, shin: 0.15, hip: 0.12 },
    'nodes in another pose than the bind pose': { names: NAMES.mixamo!, posed: true, turnedAxes: true },
    'a posed topmost joint': { names: NAMES.mixamo!, posed: 'hips', turnedAxes: true },
    'a posed topmost joint below an armature': {
        names: NAMES.mixamo!,
        posed: 'hips',
        armature: { rotation: about('x', -90), scale: 0.01 },
    },
    'feet below the root': {
        names: NAMES.quaternius!,
        looseFeet: true,
        armature: { rotation: about('x', -90), scale: 100 },
    },
    'no names': { names: NAMES.none!, turnedAxes: true },
    'no names, facing backward': { names: NAMES.none!, scene: about('y', 180) },
    'no names, facing aside, wider than tall': { names: NAMES.none!, scene: about('y', 73), thigh: 0.2, shin: 0.15 },
    'no names, Z up': { names: NAMES.none!, scene: about('x', 90) },
};

const judged = (target: string, animations: readonly string[], options?: BakeOptions) =>
    judgeRetargeted(folder(), target, animations, options);

test.each(Object.entries(TARGETS))('feet stand, limbs keep their directions: %s', async (name, spec) => {
    const source = writeHumanoid(folder(), 'source', { step: 1 });
    const target = writeHumanoid(folder(), name.replaceAll(/\W+/g, '-'), spec);
    const { ok, problems, retargeted } = await judged(target, [source]);
    expect(problems).toEqual([]);
    expect(ok).toBe(true);
    expect(retargeted.map((one) => one.name)).toEqual(['Step']);
    const [{ measures, worst }] = retargeted as [(typeof retargeted)[0]];
    expect(worst.ratio).toBeLessThan(1);
    expect(measures.bones.value).toBeLessThan(1e-3);
    // By the Rig: the left ankle stands for the first half of the clip, the right one for the second, one step ahead.
    const rig = await Rig.load(target, { animations: [source], retarget: 'humanoid' });
    const names = spec.names ?? NAMES.kaykit!;
    const feet = (['left', 'right'] as const).map((side) => rig.slotNamed(names.side(side, 'foot')));
    const times = Float64Array.from({ length: 61 }, (_, i) => i / 60);
    const poses = rig.createPoses(times.length);
    const places = new Float32Array(times.length * 24);
    rig.evaluate(poses, 0, times);
    rig.toGlobal(poses);
    rig.joints(poses, Uint16Array.from(feet), places);
    const at = (pose: number, foot: 0 | 1) => [3, 7, 11].map((i) => places[pose * 24 + foot * 12 + i]!);
    const apart = (a: number[], b: number[]) => Math.hypot(...a.map((x, i) => x - b[i]!));
    const leg = (spec.thigh ?? 0.45) + (spec.shin ?? 0.42);
    for (let i = 1; i <= 30; i++) expect(apart(at(i, 0), at(0, 0))).toBeLessThan(1e-3 * leg);
    for (let i = 30; i < 60; i++) expect(apart(at(i, 1), at(60, 1))).toBeLessThan(1e-3 * leg);
    expect(Math.abs(apart(at(60, 0), at(0, 0)) - STRIDE * leg)).toBeLessThan(1e-3 * leg);
});

test.each([
    ['wider', 0.12, 0.28],
    ['narrower', 0.2, 0.04],
])('if hips turn above standing feet, legs keep their directions: %s hips', async (_, from, hip) => {
    const source = writeHumanoid(folder(), 'source', { twist: 30, hip: from });
    const { retargeted } = await judged(writeHumanoid(folder(), 'target', { hip }), [source]);
    const [{ measures, worst }] = retargeted as [(typeof retargeted)[0]];
    expect(worst.ratio).toBeLessThan(1);
    // The hips turn no more than necessary.
    expect(measures.turn.value).toBeGreaterThan(1);
    expect(measures.legs.value).toBeGreaterThan(2);
});

test.each([
    ['of a whole file', (path: string) => path],
    ['of a file without skins, in another rest pose', (path: string) => restedElsewhere(path)],
])('clips of the character itself are copied: %s', async (_, clipsOf) => {
    const whole = await bakeFile(CHARACTER.path, { fps: 24 });
    const hero = fileOf(folder(), 'hero.glb', meshAlone(CHARACTER.path));
    const { outputs } = await bakeFile(hero, { fps: 24, animations: [clipsOf(CHARACTER.path)], retarget: 'humanoid' });
    expect(Buffer.compare(outputs[0]!.bin, whole.outputs[0]!.bin)).toBe(0);
});

/** The clips without meshes, with every joint but the hips turned at rest. */
function restedElsewhere(path: string): string {
    const bytes = changedGlb(path, ({ meshes, skins, ...json }) => ({
        ...json,
        nodes: json.nodes.map(({ mesh, skin, ...node }) =>
            node.name === 'Shin_L' ? { ...node, rotation: [1, 0, 0, 0] } : node,
        ),
    }));
    return fileOf(folder(), 'clips.glb', bytes);
}

test('free feet slide if legs differ, as the measures show; the manifest records the option', async () => {
    const source = writeHumanoid(folder(), 'free-source', { step: 1 });
    const target = writeHumanoid(folder(), 'free', { ...TARGETS['other proportions, arms down'], shin: 0.3 });
    const { ok, retargeted } = await judged(target, [source], { feet: 'free', roles: { head: 'head' } });
    expect(ok).toBe(true);
    expect(retargeted[0]!.measures.slide.value).toBeGreaterThan(retargeted[0]!.limits.slide);
    expect(retargeted[0]!.measures.arms.value).toBeLessThan(0.1);
    const { outputs } = await bakeFile(target, {
        animations: [source],
        retarget: 'humanoid',
        feet: 'free',
        travel: 'keep',
    });
    expect(outputs[0]!.manifest.recipe).toMatchObject({ retarget: 'humanoid', feet: 'free', travel: 'keep' });
});

test('morph weights go to targets of the same names; others stay at rest, and a warning names the unused ones', async () => {
    const face = { smile: 0.5, blink: 0, frown: 0 };
    const talk = [
        [0, 0.25, 1],
        [1, 0.75, 0],
    ];
    const source = writeHumanoid(folder(), 'talk', { step: 1, face, talk });
    const target = writeHumanoid(folder(), 'face', { names: NAMES.mixamo!, face: { jaw: 0.125, frown: 0, smile: 0 } });
    const options: BakeOptions = { animations: [source], retarget: 'humanoid', fps: 30, emit: ['morph'] };
    const { outputs, warnings } = await bakeFile(target, options);
    const [{ manifest, bin }] = outputs as [(typeof outputs)[0]];
    const { morph } = manifest.arrays;
    const rows = new Float32Array(bin.buffer, bin.byteOffset + morph!.byteOffset, morph!.byteLength / 4);
    const clip = manifest.clips.find(({ name }) => name === 'Talk')!;
    const first = clip.firstRow * 3;
    expect([0, 90].flatMap((at) => [...rows.subarray(first + at, first + at + 3)])).toEqual([0.125, 1, 0, 0.125, 0, 1]);
    expect(warnings).toEqual([]);
    expect(await judged(target, [source], { emit: ['morph'] })).toMatchObject({ ok: true, problems: [] });
    const mute = writeHumanoid(folder(), 'mute', { names: NAMES.mixamo!, face: { jaw: 0 } });
    const own = writeHumanoid(folder(), 'own', { face });
    expect((await bakeFile(own, options)).warnings).toEqual([]);
    const less = writeHumanoid(folder(), 'less', { face: { smile: 0 } });
    for (const [file, rule] of [
        [mute, 'no mesh of mute.gltf has morph targets of the same names (extras.targetNames)'],
        [less, 'no node of less.gltf with the same name has as many morph targets'],
    ] as const) {
        const message = `talk.gltf: the morph weights of 'Face' are left out: ${rule}`;
        const told = { code: 'WEIGHTS_LEFT_OUT', pointer: '', message };
        expect((await bakeFile(file, { ...options, clips: ['Step'] })).warnings).toEqual([told]);
    }
});

test.each([
    ['scale', 0.35],
    ['keep', 0.87],
] as const)('the way over the ground: %s', async (travel, leg) => {
    const source = writeHumanoid(folder(), 'way-source', { step: 1 });
    const target = writeHumanoid(folder(), `way-${travel}`, TARGETS['short legs']);
    const rig = await Rig.load(target, { animations: [source], retarget: 'humanoid', travel });
    const poses = rig.createPoses(2);
    const hips = new Float32Array(24);
    rig.evaluate(poses, 0, Float64Array.of(0, 1));
    rig.toGlobal(poses);
    rig.joints(poses, Uint16Array.of(rig.slotNamed('Hips')), hips);
    expect(hips[12 + 11]! - hips[11]!).toBeCloseTo(STRIDE * leg, 4);
});

test('bytes and paths give the same bits; a joint named for a role must exist', async () => {
    const source = writeHumanoid(folder(), 'bits-source', { step: 1 });
    const target = writeHumanoid(folder(), 'bits', TARGETS['no names']);
    const bytes = { name: 'bits-source.gltf', bytes: readFileSync(source) };
    const [a, b] = await Promise.all(
        [source, bytes].map((one) => bakeFile(target, { animations: [one], retarget: 'humanoid' })),
    );
    expect(Buffer.compare(a!.outputs[0]!.bin, b!.outputs[0]!.bin)).toBe(0);
    // The entry for browsers without WebAssembly reads bytes.
    const browsers = await BrowserRig.load(readFileSync(target), { animations: [bytes], retarget: 'humanoid' });
    const node = await Rig.load(target, { animations: [source], retarget: 'humanoid' });
    const [there, here] = [browsers, node].map((rig) => {
        const poses = rig!.createPoses(3);
        rig!.evaluate(poses, 0, Float64Array.of(0.2, 0.5, 0.9));
        rig!.toGlobal(poses);
        const slots = Uint16Array.from(rig!.slots.keys());
        return rig!.joints(poses, slots, new Float32Array(3 * slots.length * 12));
    });
    expect(there).toEqual(here);
    const wrong = bakeFile(target, { animations: [source], retarget: 'humanoid', roles: { hips: 'Nobody' } });
    await expect(wrong).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringMatching(/'hips=Nobody', but neither/),
    });
    const other = bakeFile(target, { animations: [source], retarget: 'humanoid', roles: { tail: 'b1' } });
    await expect(other).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringMatching(/^roles has 'tail'; a role must be one of hips, /),
    });
    const idle = bakeFile(target, { animations: [source], feet: 'free' });
    await expect(idle).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringMatching(/^feet has no effect without retarget humanoid/),
    });
});

test('the bits are equal on every machine', async () => {
    // Without rotations, so the target's bits do not depend on sines of this machine.
    const target = writeHumanoid(folder(), 'golden', { names: NAMES.mixamo, thigh: 0.5, shin: 0.375, hip: 0.125 });
    const { outputs } = await bakeFile(target, { fps: 30, animations: [CHARACTER.path], retarget: 'humanoid' });
    const { sha256 } = outputs[0]!.manifest.binary;
    expect(sha256).toBe('501886ba636766f95ce1eeeb35feaab3d46c731fbfedf6bce97431040f60d078');
});
