// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyBake } from '../../../lib/verify';
import { BACKENDS, type Baked, bakeFileOn, palettesOf } from '../../support/baked';
import { frameTimes } from '../../support/frame-times';
import { GltfBuilder } from '../../support/gltf-builder';
import { scratchFolder } from '../../support/temporary-folder';
import { describeScenes, FAULTS, FAULTS_ROW, SCENES } from '../../support/torture';
import { CLIP_NAMES } from '../../support/torture/clips';
import { moved, type TortureScene, twoJoints } from '../../support/torture/scene';
import { OFF_GRID_TIMES, STEP_RATES } from '../../support/torture/times';

/**
 * A block for each case of support/torture/rows.ts: `verifyBake` judges every row of every scene. Figures worked out by hand are
 * for the case that the evaluators share an error.
 */
const folder = scratchFolder();

interface Judged {
    readonly baked: Baked;
    /** Where joint `joint` of the palette takes a point, at a frame of an animation. */
    at(animation: number, frame: number, joint: number, point?: readonly [number, number, number]): number[];
}

/** Bakes a file with every backend to the same bytes, which `verifyBake` proves. Returns one for each skin. */
async function judge(path: string, fps: number | string = 60): Promise<Judged[]> {
    const judged = await bakedAlike(path, fps);
    for (const { baked } of judged) {
        const { stem, manifest, bin } = baked;
        const json = join(folder(), `${stem}.bake.json`);
        writeFileSync(join(folder(), decodeURIComponent(manifest.binary.uri)), bin);
        writeFileSync(json, JSON.stringify(manifest));
        expect(await verifyBake(path, json)).toMatchObject({ ok: true, problems: [] });
    }
    return judged;
}

async function bakedAlike(path: string, fps: number | string): Promise<Judged[]> {
    const [bakes, ...others] = await Promise.all(
        BACKENDS.map((backend) => bakeFileOn(backend, path, fps, { attachments: 'none' })),
    );
    for (const other of others) expect(other).toEqual(bakes);
    return bakes!.map((baked) => {
        const palettes = palettesOf(baked);
        const joints = baked.manifest.skin.joints.length;
        return {
            baked,
            at(animation, frame, joint, [x, y, z] = [0, 0, 0]) {
                const { firstRow } = baked.manifest.clips.find((clip) => clip.animation === animation)!;
                const m = palettes.subarray(((firstRow + frame) * joints + joint) * 16);
                return [0, 1, 2].map((row) => m[row]! * x + m[4 + row]! * y + m[8 + row]! * z + m[12 + row]! + 0);
            },
        };
    });
}

function warningsOf({ baked }: Judged, code: string): string[] {
    return baked.manifest.warnings.filter((warning) => warning.code === code).map(({ message }) => message);
}

function codesOf({ baked }: Judged): string[] {
    return [...new Set(baked.manifest.warnings.map(({ code }) => code))];
}

async function judgeScene({ write, fps = 60, figures }: TortureScene): Promise<Judged[]> {
    const { path } = write(folder());
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const judged = await judge(path, den === 1 ? num : `${num}/${den}`);
    let met = 0;
    for (const { clip = 0, time, joint, skin = 0, point, to, near } of figures) {
        const frame = frameTimes(judged[skin]!.baked.manifest.clips[clip]!.duration, num, den).indexOf(time);
        // Between two frames: for the Rig alone.
        if (frame < 0) continue;
        met++;
        const at = judged[skin]!.at(clip, frame, joint, point);
        if (near) for (const [c, x] of to.entries()) expect(at[c]).toBeCloseTo(x, 5);
        else expect(at).toEqual(to);
    }
    expect(met > 0).toBe(figures.length > 0);
    return judged;
}

/** What verify cannot know: warnings, names and exact rates that the manifest has to have of some scenes. */
const SAID: Record<string, (judged: Judged, others: readonly Judged[]) => void> = {
    ...Object.fromEntries(
        STEP_RATES.map((rate) => [
            `step-${rate}`,
            (judged: Judged) => expect(warningsOf(judged, 'KEY_OFF_GRID')).toEqual([]),
        ]),
    ),
    'step-off-grid': (judged) => {
        // The last frame lies at the last key whatever that is; the others at fround(i / 30).
        const late = OFF_GRID_TIMES.filter((time, i) => i < 300 && time > Math.fround(i / 30));
        expect(late.length).toBeGreaterThan(180);
        const warnings = warningsOf(judged, 'KEY_OFF_GRID');
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toMatch(new RegExp(`\\b${late.length}\\b`));
    },
    'step-ntsc': ({ baked }) => expect(baked.manifest.recipe.fps).toEqual([30000, 1001]),
    'duplicate-times': (judged) => {
        const pointers = judged.baked.manifest.warnings.map(({ pointer }) => pointer);
        expect(pointers.some((pointer) => pointer.startsWith('/animations/0'))).toBe(true);
    },
    'random-rotations': (judged) => expect(codesOf(judged)).toEqual([]),
    'non-unit-0.706': (judged) => expect(codesOf(judged)).toEqual(['NON_UNIT_ROTATION']),
    'non-unit-0.7075': (judged) => expect(codesOf(judged)).toEqual(['NON_UNIT_ROTATION']),
    scrambled: ({ baked }) => expect(baked.manifest.skin.joints.map(({ parent }) => parent)).toEqual([1, 4, -1, 2, 3]),
    'two-skins': (...[, both]) =>
        expect(both.map(({ baked }) => [baked.stem, baked.manifest.skin.index])).toEqual([
            ['two-skins.skin0', 0],
            ['two-skins.skin1', 1],
        ]),
    'not-animated': ({ baked }) => {
        const { clips, warnings } = baked.manifest;
        expect(clips.map(({ animated }) => animated)).toEqual([false, true]);
        expect(warnings.map(({ pointer }) => pointer)).toEqual(['', '/animations/0']);
    },
    names: ({ baked }) => {
        const { clips, skin } = baked.manifest;
        expect(clips.map(({ name }) => name)).toEqual(CLIP_NAMES.map((name) => name ?? ''));
        expect(skin.joints.map(({ name }) => name)).toEqual(['bone', 'bone']);
    },
    // Palettes have no place for them: not baked, and not dropped silently.
    'morph-weights': (judged) => expect(codesOf(judged)).toEqual(['MORPH_WEIGHTS_NOT_BAKED']),
    'pointer-to-weights': (judged) => expect(codesOf(judged)).toContain('ANIMATION_POINTER_IGNORED'),
    pointers: (judged) => expect(codesOf(judged)).toEqual([]),
};

test('what manifests have to say is of scenes that there are', () => {
    const names = SCENES.map(({ name }) => name);
    for (const name of Object.keys(SAID)) expect(names).toContain(name);
});

describeScenes(async (scene) => {
    const judged = await judgeScene(scene);
    SAID[scene.name]?.(judged[0]!, judged);
});

// In this range a float32 is 2 ** -14 s from its neighbour, at 40 fps more than the thousandth of a frame.
test.each([
    { above: 1, frames: 20481 },
    { above: 2, frames: 20482 },
])('20,480 frames and $above ulp: whole within what a float32 can tell', async ({ above, frames }) => {
    const times = [0, 512 + above * 2 ** -14];
    const scene = { name: `whole-${above}`, row: 'frame times', about: '', fps: 40, figures: [] } as const;
    const { path } = twoJoints(scene, () => [{ ...moved(0, [0, 0, 0], [0, 0, 1]), times }]).write(folder());
    // To prove so many rows takes minutes.
    const [judged] = await bakedAlike(path, 40);
    expect(judged!.baked.manifest.clips[0]!.frameCount).toBe(frames);
    expect(judged!.at(0, frames - 1, 0)).toEqual([0, 0, 1]);
    expect(warningsOf(judged!, 'TEXTURE_TOO_TALL')).toHaveLength(1);
});

test('a skin without a mesh is measured by its joints', async () => {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
    gltf.skin([0, 1]);
    gltf.animation('rise', [moved(1, [0, 1, 0], [0, 3, 0])]);
    const [judged] = await judge(gltf.write(folder(), 'no-mesh'));
    expect(judged!.at(0, 60, 1)).toEqual([0, 3, 0]);
});

describe(FAULTS_ROW, () => {
    test.each(FAULTS)('$about: refused, by pointer and rule', async ({ write, code, pointer, rule }) => {
        const refused = bakeFileOn(BACKENDS[0]!, write(folder()), 60);
        await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(pointer) });
        await expect(refused).rejects.toThrow(rule);
    });
});
