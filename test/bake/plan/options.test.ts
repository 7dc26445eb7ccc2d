// SPDX-License-Identifier: MIT

import { type BakeOptions, bakeFile } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { recipeOf } from '../../../lib/bake/plan/options';
import { channel, node, scene, skin } from '../../rig/scenes';
import { creature } from '../baked-scenes';

const recipe = (options: object) => recipeOf('bakeFile', options as BakeOptions);

test('defaults', () => {
    expect(recipe({})).toMatchObject({
        rate: 'auto',
        minFps: 15,
        maxError: null,
        window: { from: 0, to: Infinity, end: 'clamp' },
        layout: 'mat4',
        dtype: 'f32',
        space: 'scene',
        hitJoints: null,
        renormalize: false,
        maxRows: Infinity,
        strict: false,
    });
    expect([...recipe({}).emit]).toEqual(['palette']);
    expect([...recipe({ emit: ['root', 'hit', 'root'] }).emit]).toEqual(['hit', 'root']);
    for (const dtype of [undefined, 'f16'] as const) {
        expect(recipe({ layout: 'qts16', dtype, maxError: 1 })).toMatchObject({ layout: 'qts16', dtype: 'f16' });
    }
});

test('root motion: extract if the array is named, and keep must be explicit; extract bakes the array', () => {
    const rootOf = (options: BakeOptions) => {
        const { root, emit } = recipe(options);
        return [root?.mode, emit.has('root')];
    };
    expect(rootOf({})).toEqual([undefined, false]);
    expect(rootOf({ root: 'keep' })).toEqual([undefined, false]);
    expect(rootOf({ emit: ['palette', 'root'] })).toEqual(['extract', true]);
    expect(rootOf({ emit: ['root'], root: 'keep' })).toEqual(['keep', true]);
    expect(rootOf({ root: 'extract' })).toEqual(['extract', true]);
    expect(rootOf({ root: 'in-place' })).toEqual(['in-place', false]);
});

test.each<[object, string]>([
    [{ fps: 'fast' }, "'fast' is not a frame rate"],
    [{ fps: 0 }, "'0' is not a frame rate"],
    [{ from: -1 }, 'from is -1; it must be 0 or more seconds'],
    [{ from: NaN }, 'from is NaN'],
    [{ from: Infinity }, 'from is Infinity'],
    [{ to: 0 }, 'to is 0; it must be greater than from, 0'],
    [{ from: 2, to: 2 }, 'to is 2; it must be greater than from, 2'],
    [{ to: NaN }, 'to is NaN'],
    [{ end: 'cut' }, "end is 'cut'; it must be one of clamp, fit"],
    [{ emit: [] }, 'emit is an empty list; it must have one of palette, hit,'],
    [{ emit: ['palette', 'mesh'] }, "emit has 'mesh'; it must be one of palette, hit,"],
    [{ layout: 'mat3' }, "layout is 'mat3'; it must be one of mat4,"],
    [{ dtype: 'f64' }, "dtype is 'f64'; it must be one of f32, f16"],
    [{ space: 'world' }, "space is 'world'; it must be one of scene,"],
    [
        { emit: ['root'], layout: 'mat3x4' },
        "layout is 'mat3x4', but only the palette has a layout; add 'palette' to emit",
    ],
    [{ emit: ['root'], dtype: 'f16' }, "dtype is 'f16', but only the palette has a dtype; "],
    [{ emit: ['root'], layout: 'qts16' }, "layout is 'qts16', but only the palette has a layout; "],
    [{ layout: 'qts16', dtype: 'f32' }, "dtype is 'f32', but layout 'qts16' has half floats; leave it out"],
    [{ layout: 'qts16', dtype: 'f64' }, "dtype is 'f64'; it must be one of f32, f16"],
    [
        { fps: 30, maxError: 0.1 },
        "maxError has no effect without fps 'auto', dtype 'f16', layout 'qts16', emit 'pvat' or 'openvat' or godot '3'; add one",
    ],
    [{ fps: 'keys', maxError: 0.1 }, 'maxError has no effect without fps'],
    [{ fps: 'keys', minFps: 15 }, "minFps has no effect without fps 'auto'; leave it out"],
    [{ minFps: -1 }, 'minFps is -1; it must be a whole number of at least 0'],
    [{ minFps: 241 }, 'minFps is 241; it must be at most 240'],
    [{ maxError: 0, fps: 'auto' }, 'maxError is 0; it must be greater than 0'],
    [{ maxError: NaN, dtype: 'f16' }, 'maxError is NaN; it must be a number'],
    [{ hitJoints: 'a' }, "hitJoints has no effect without emit 'hit'; add it"],
    [{ hitJoints: '(', emit: ['hit'] }, 'not a regular expression'],
    [{ hitJoints: '\\-', emit: ['hit'] }, 'not a regular expression'], // rejected only with the flag u
    [{ clips: [] }, 'clips is an empty list; leave it out for all'],
    [{ skin: -1 }, 'skin is -1; it must be a whole number of at least 0'],
    [{ skin: 0.5 }, 'skin is 0.5'],
    [{ maxRows: 0 }, 'maxRows is 0; it must be a whole number of at least 1'],
    [{ maxRows: 1.5 }, 'maxRows is 1.5'],
    [{ root: 'move' }, "root is 'move'; it must be one of keep, extract, in-place"],
    [{ root: 'in-place', rootMotion: 'xz' }, "rootMotion is 'xz'; it must be one of xz+yaw, xyz+rotation, yaw"],
    [{ root: 'in-place', emit: ['root'] }, "root is 'in-place', but emit has 'root'; use 'extract'"],
    [
        { root: 'in-place', emit: ['glb'] },
        "root 'in-place' has no effect on emit 'glb', whose clips keep their motion; add another",
    ],
    [{ rootJoint: 'hips' }, "rootJoint has no effect without root 'extract' or 'in-place'; add one"],
    [{ root: 'keep', rootMotion: 'xz+yaw' }, 'rootMotion has no effect without root'],
    [{ frames: 3 }, 'there is no option frames, only fps, minFps, maxError'],
])('%p is a usage error before the file is read', async (options, message) => {
    const expected = { name: 'UsageError', message: expect.stringContaining(message) };
    await expect(bakeFile('absent.glb', options)).rejects.toMatchObject(expected);
});

test.each<[string, unknown]>([
    ['fps', true], // a rate
    ['maxError', true], // a length
    ['clips', [1]], // texts
    ['skin', '0'], // a whole number
    ['from', '1'], // a number
    ['end', 1], // a choice
    ['emit', 'palette'], // choices
    ['hitJoints', ['hand']], // a pattern
    ['rootJoint', 1], // a text
    ['renormalize', 1], // a switch
])('%s: %p has the wrong type', async (option, value) => {
    const expected = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' };
    const message = expect.stringMatching(new RegExp(`^bakeFile: options\\.${option} must be .*, got `));
    await expect(bakeFile('absent.glb', { [option]: value })).rejects.toMatchObject({ ...expected, message });
    // Options can be undefined.
    expect(recipe({ [option]: undefined })).toEqual(recipe({}));
});

test('maxRows: that number of rows is allowed, one more is rejected with the number', async () => {
    expect((await bakeScene(creature(1), { fps: 24, maxRows: 51 })).stats.frames).toBe(51);
    await expect(bakeScene(creature(1), { fps: 24, maxRows: 50 })).rejects.toMatchObject({
        name: 'InputError',
        code: 'OUTPUT_TOO_LARGE',
        message: expect.stringContaining('51 rows, more than the 50'),
    });
});

describe('strict', () => {
    const still = scene([node(-1)], [skin([0])], [{ name: 'still', channels: [] }]);

    test('a warning is an error with its code and pointer', async () => {
        expect((await bakeScene(still)).warnings.map(({ code }) => code)).toEqual(['CLIP_NOT_ANIMATED']);
        await expect(bakeScene(still, { strict: true })).rejects.toMatchObject({
            name: 'InputError',
            code: 'CLIP_NOT_ANIMATED',
            pointer: '/animations/0',
        });
        const own = { code: 'DUPLICATE_KEY_TIMES', pointer: '/x', message: 'm' };
        await expect(bakeScene({ ...still, warnings: [own] }, { strict: true })).rejects.toMatchObject({
            name: 'InputError',
            code: own.code,
            pointer: own.pointer,
        });
    });

    test('of warnings for all skins, before any evaluation', async () => {
        const weights = channel(0, 'weights', 'LINEAR', [0, 1], [0, 1]);
        const morphing = { ...still, animations: [{ name: 'face', channels: [weights] }] };
        let frames = 0;
        const hooks = { onProgress: () => frames++ };
        await expect(bakeScene(morphing, { strict: true }, hooks)).rejects.toMatchObject({
            code: 'MORPH_WEIGHTS_NOT_BAKED',
        });
        expect(frames).toBe(0);
    });

    test('without a warning the bake is the same', async () => {
        const move = channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 0, 0]);
        const s = { ...still, animations: [{ name: '', channels: [move] }] };
        const [loose, strict] = [await bakeScene(s), await bakeScene(s, { strict: true })];
        expect(strict.outputs[0]!.json).toBe(loose.outputs[0]!.json);
    });
});

test.each<[object | null, string]>([
    [null, 'hooks must be an object, got null'],
    [{ signal: 1 }, 'signal must be an AbortSignal, got 1'],
    [{ onProgress: {} }, 'onProgress must be a function, got an object'],
    [{ onTrial: 1 }, 'onTrial must be a function, got 1'],
])('hooks of wrong types are rejected before the file is read: %j', async (hooks, message) => {
    const refused = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE', message: `bakeFile: ${message}` };
    await expect(bakeFile('nowhere.glb', {}, hooks as never)).rejects.toMatchObject(refused);
});
