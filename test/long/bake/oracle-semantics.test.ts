// SPDX-License-Identifier: MIT

import { type BakeOutput, bakeFile, writeBake } from '../../../lib/bake';
import type { Manifest } from '../../../lib/format/manifest';
import { verifyBake } from '../../../lib/verify';
import { GltfBuilder } from '../../support/gltf-builder';
import { scratchFolder } from '../../support/temporary-folder';
import { describeScenes, SCENES } from '../../support/torture';
import { CLIP_NAMES } from '../../support/torture/clips';
import { moved, twoJoints } from '../../support/torture/scene';

/**
 * A block for each case of support/torture: `verifyBake` judges every row of every scene. test/rig/rig-semantics.test.ts has
 * figures computed by hand, and files that are rejected.
 */
const folder = scratchFolder();

/** The outputs of a bake, which `verifyBake` proves. */
async function proved(path: string, fps: number | string = 60): Promise<readonly BakeOutput[]> {
    const { outputs } = await bakeFile(path, { fps, attachments: 'none' });
    for (const { json } of await writeBake(outputs, folder())) {
        expect(await verifyBake(path, json)).toMatchObject({ ok: true, problems: [] });
    }
    return outputs;
}

function codesOf({ warnings }: Manifest): string[] {
    return [...new Set(warnings.map(({ code }) => code))];
}

/** Warnings and names that some scenes must have; verify cannot check them. STEP keys: test/bake/plan/frames.test.ts. */
const SAID: Record<string, (manifest: Manifest, all: readonly BakeOutput[]) => void> = {
    'step-ntsc': ({ recipe }) => expect(recipe.fps).toEqual([30000, 1001]),
    'duplicate-times': (manifest) => {
        const pointers = manifest.warnings.map(({ pointer }) => pointer);
        expect(pointers.some((pointer) => pointer.startsWith('/animations/0'))).toBe(true);
    },
    'random-rotations': (manifest) => expect(codesOf(manifest)).toEqual([]),
    'non-unit-0.706': (manifest) => expect(codesOf(manifest)).toEqual(['NON_UNIT_ROTATION']),
    'non-unit-0.7075': (manifest) => expect(codesOf(manifest)).toEqual(['NON_UNIT_ROTATION']),
    'two-skins': (...[, both]) =>
        expect(both.map(({ stem, skin }) => [stem, skin])).toEqual([
            ['two-skins.skin0', 0],
            ['two-skins.skin1', 1],
        ]),
    'not-animated': ({ clips, warnings }) => {
        expect(clips.map(({ animated }) => animated)).toEqual([false, true]);
        expect(warnings.map(({ pointer }) => pointer)).toEqual(['', '/animations/0']);
    },
    names: ({ clips, skin }) => {
        expect(clips.map(({ name }) => name)).toEqual(CLIP_NAMES.map((name) => name ?? ''));
        expect(skin!.joints.map(({ name }) => name)).toEqual(['bone', 'bone']);
    },
    // Palettes cannot store them: they are not baked, with a warning.
    'morph-weights': (manifest) => expect(codesOf(manifest)).toEqual(['MORPH_WEIGHTS_NOT_BAKED']),
    'pointer-to-weights': (manifest) => expect(codesOf(manifest)).toContain('ANIMATION_POINTER_IGNORED'),
    pointers: (manifest) => expect(codesOf(manifest)).toEqual([]),
};

test('every expected manifest belongs to a scene', () => {
    const names = SCENES.map(({ name }) => name);
    for (const name of Object.keys(SAID)) expect(names).toContain(name);
});

describeScenes(async ({ name, write, fps = 60 }) => {
    const outputs = await proved(write(folder()).path, typeof fps === 'number' ? fps : fps.join('/'));
    SAID[name]?.(outputs[0]!.manifest, outputs);
});

// In this range two adjacent float32 are 2 ** -14 s apart: at 40 fps more than a thousandth of a frame.
test.each([
    { above: 1, frames: 20481 },
    { above: 2, frames: 20482 },
])('20,480 frames and $above ulp: whole within what a float32 can tell', async ({ above, frames }) => {
    const times = [0, 512 + above * 2 ** -14];
    const scene = { name: `whole-${above}`, row: 'frame times', about: '', fps: 40, figures: [] } as const;
    const { path } = twoJoints(scene, () => [{ ...moved(0, [0, 0, 0], [0, 0, 1]), times }]).write(folder());
    // A proof of all these rows takes minutes.
    const [{ manifest }] = (await bakeFile(path, { fps: 40 })).outputs as [BakeOutput];
    expect(manifest.clips[0]!.frameCount).toBe(frames);
    expect(codesOf(manifest)).toContain('TEXTURE_TOO_TALL');
});

test('a skin without a mesh is measured by its joints', async () => {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
    gltf.skin([0, 1]);
    gltf.animation('rise', [moved(1, [0, 1, 0], [0, 3, 0])]);
    const [{ manifest }] = (await proved(gltf.write(folder(), 'no-mesh'))) as [BakeOutput];
    expect(manifest.clips[0]!.bounds).toEqual([0, 0, 0, 0, 3, 0]);
});
