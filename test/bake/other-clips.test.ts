// SPDX-License-Identifier: MIT

/** Clips of other files: a mesh and separate clips give the bytes of the whole file, and `verify` proves them with separate code. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { InputError } from '../../lib/base/errors';
import { Rig } from '../../lib/rig';
import { verifyBake } from '../../lib/verify';
import { smallGltf } from '../cli/small-gltf';
import { GltfBuilder, keyed, type NodeSpec } from '../support/gltf-builder';
import { CHARACTER } from '../support/models';
import { random, randomRotation, randomVector } from '../support/random';
import { changedGlb, clipsAlone, fileOf, meshAlone } from '../support/split-file';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
const ALL: BakeOptions = { fps: 24, emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'] };

describe('the example, split', () => {
    let hero: string;
    let mixamo: string;
    let wanted: Uint8Array;
    let dense: Uint8Array;
    beforeAll(async () => {
        hero = fileOf(folder(), 'hero.glb', meshAlone(CHARACTER.path));
        mixamo = fileOf(
            folder(),
            'mixamo.glb',
            clipsAlone(CHARACTER.path, (name) => `mixamorig${name}`),
        );
        const whole = await bakeFile(CHARACTER.path, { emit: [...ALL.emit!, 'glb'] });
        wanted = whole.outputs[0]!.bin;
        dense = whole.files[0]!.bytes;
    });

    test.each<[string, (name: string) => string, BakeOptions]>([
        ['a namespace', (name) => `mixamorig:${name}`, {}],
        ['a rename of prefixes', (name) => `mixamorig${name}`, { rename: { 'mixamorig*': '*' } }],
        ['the same rest pose', (name) => name, { retarget: 'rotation' }],
    ])('%s: as bytes, from a path, and with `emit` glb', async (_, rename, options) => {
        const bytes = clipsAlone(CHARACTER.path, rename);
        const { outputs, inputs, files } = await bakeFile(hero, {
            ...options,
            emit: [...ALL.emit!, 'glb'],
            animations: [{ name: 'clips.glb', bytes }],
        });
        expect(Buffer.compare(outputs[0]!.bin, wanted)).toBe(0);
        expect(outputs[0]!.manifest.recipe).toMatchObject(options);
        expect(inputs).toEqual([hero]);
        const clipsOf = async (glb: Uint8Array) => {
            const { clips } = await Rig.load(glb);
            return clips.map(({ name, duration }) => [name, duration]);
        };
        expect(await clipsOf(files[0]!.bytes)).toEqual(await clipsOf(dense));
    });

    test('nodes without a match: an error that lists both sides, or a warning; with strict an error again', async () => {
        const options: BakeOptions = { animations: [mixamo] };
        const error = await bakeFile(hero, options).catch((thrown) => thrown);
        expect(error).toBeInstanceOf(InputError);
        expect(error).toMatchObject({ code: 'NODES_UNMATCHED', file: mixamo });
        expect(error.message).toMatch(
            /the joints do not match by name, but both files have hips, .+: use retarget humanoid, or name them by rename, .+ \(34 of the 34 nodes .+'mixamorigHips', .+ 26 more; hero\.glb has 'Hips', 'Spine', .+ 28 more besides\)/,
        );
        const { warnings, outputs } = await bakeFile(hero, { ...options, unmatched: 'warn' });
        expect(warnings.map(({ code }) => code)).toEqual(
            expect.arrayContaining(['NODES_UNMATCHED', 'CLIP_NOT_ANIMATED']),
        );
        expect(outputs[0]!.manifest.recipe.unmatched).toBe('warn');
        const strict = bakeFile(hero, { ...options, unmatched: 'warn', strict: true });
        await expect(strict).rejects.toMatchObject({ code: 'NODES_UNMATCHED', file: hero });
    });

    test('names used in several files get the name of their file; a file given twice adds nothing', async () => {
        const walk = clipsAlone(CHARACTER.path, undefined, (clips) => clips.filter(({ name }) => name === 'Walk'));
        const nameless = clipsAlone(CHARACTER.path, undefined, (clips) =>
            clips.slice(0, 1).map((clip) => ({ ...clip, name: '' })),
        );
        const animations = [
            { name: 'a.b.glb', bytes: walk },
            { name: 'Dance.gltf', bytes: nameless },
            { name: 'again.glb', bytes: walk },
            CHARACTER.path,
        ];
        const { outputs } = await bakeFile(CHARACTER.path, { animations });
        const { clips, source } = outputs[0]!.manifest;
        expect(clips.map(({ name, animation }) => [name, animation])).toEqual([
            ['Idle', 0],
            ['Walk', 1],
            ['Wave', 2],
            ['a.b:Walk', 3],
            ['Dance', 4],
        ]);
        expect(source.animations!.map(({ name }) => name)).toEqual(['a.b.glb', 'Dance.gltf']);
        const rig = await Rig.load(CHARACTER.path, { animations });
        expect(rig.clips.map(({ name }) => name)).toEqual(clips.map(({ name }) => name));
    });

    test('files of one name in several folders: each clip gets its own name, also in verify', async () => {
        const called = (names: Record<string, string>) => (json: { animations?: { name?: string }[] }) => ({
            ...json,
            extras: names,
            animations: json.animations!.map((clip) => ({ ...clip, name: names[clip.name!] ?? clip.name })),
        });
        // An earlier merge: clips have the names of files.
        const own = changedGlb(CHARACTER.path, called({ Walk: 'a:Walk', Wave: 'a.2:Wave' }));
        const hero = fileOf(folder(), 'merged.glb', own);
        const renames: Record<string, string>[] = [{}, { Idle: 'Rest' }, { Idle: '', Walk: 'Go', Wave: 'Hail' }];
        const files = renames.map((names, i) => {
            mkdirSync(join(folder(), `${i}`));
            return fileOf(join(folder(), `${i}`), 'a.glb', changedGlb(CHARACTER.path, called(names)));
        });
        const bake = await bakeFile(hero, { fps: 6, animations: files });
        const names = bake.outputs[0]!.manifest.clips.map(({ name }) => name);
        const expected = 'a.3:Idle a.3:Walk a.3:Wave Rest a.4:Walk a.4:Wave a Go Hail';
        expect(names.slice(3)).toEqual(expected.split(' '));
        const [written] = await writeBake(bake, join(folder(), 'same-stem'));
        const animations = [...files].reverse();
        expect(await verifyBake(hero, written!.json, { animations })).toMatchObject({ ok: true, problems: [] });
        const rig = await Rig.load(hero, { animations: files });
        expect(rig.clips.map(({ name }) => name)).toEqual(names);
    });

    test('a file without clips, and options without effect or with errors', async () => {
        const none = { name: 'none.glb', bytes: Buffer.from(smallGltf({ clips: [] })) };
        const refusal = { code: 'NO_ANIMATION', file: 'none.glb' };
        await expect(bakeFile(hero, { animations: [none] })).rejects.toMatchObject(refusal);
        const gone = new Uint8Array(8);
        structuredClone(gone.buffer, { transfer: [gone.buffer] });
        const usage = (rule: RegExp) => ({ code: 'USAGE', message: expect.stringMatching(rule) });
        const refused: [options: object, error: object][] = [
            [{ retarget: 'rotation' }, usage(/^retarget has no effect without animations; /)],
            [{ animations: [mixamo], retarget: 'ik' }, { code: 'USAGE' }],
            [
                { animations: [mixamo], rename: { 'a*': 'b' } },
                usage(/^rename is 'a\*' to 'b'; it must have two names, /),
            ],
            [{ animations: [{ bytes: new Uint8Array(4) }] }, { code: 'ERR_ARGUMENT_TYPE' }],
            [{ animations: [{ name: 'gone', bytes: gone }] }, { code: 'ERR_DETACHED_BUFFER' }],
        ];
        for (const [options, error] of refused) {
            await expect(bakeFile(hero, options)).rejects.toMatchObject(error);
        }
        await expect(Rig.load(hero, { animations: [mixamo] })).rejects.toMatchObject({ code: 'NODES_UNMATCHED' });
        const told: string[] = [];
        await Rig.load(hero, { animations: [mixamo], unmatched: 'warn', onWarning: ({ code }) => told.push(code) });
        expect(told).toEqual(['NODES_UNMATCHED']);
    });

    test('verify finds the files by their hashes; a changed or missing file is reported', async () => {
        const named = fileOf(folder(), 'named.glb', clipsAlone(CHARACTER.path));
        const bake = await bakeFile(hero, { fps: 6, animations: [named] });
        const [written] = await writeBake(bake, join(folder(), 'verified'));
        mkdirSync(join(folder(), 'elsewhere'), { recursive: true });
        const moved = fileOf(join(folder(), 'elsewhere'), 'hero.glb', meshAlone(CHARACTER.path));
        await expect(verifyBake(moved, written!.json)).rejects.toThrow(
            /named\.glb: the bake has clips of this file, which is not beside /,
        );
        expect(await verifyBake(moved, written!.json, { animations: [mixamo, named] })).toMatchObject({ ok: true });
        const { ok, problems } = await verifyBake(moved, written!.json, { animations: [mixamo] });
        expect({ ok, problems }).toMatchObject({
            ok: false,
            problems: [{ code: 'SOURCE_DIFFERS', pointer: '/source/animations/0' }],
        });
        const [own] = await writeBake(await bakeFile(CHARACTER.path), join(folder(), 'own'));
        await expect(verifyBake(CHARACTER.path, own!.json, { animations: [named] })).rejects.toThrow(
            /no clips of other files/,
        );
    });
});

/** A root with shear, hips, a leg and an arm, with random turns and scales; all kinds of clips, which move some of them. */
function bodyFile(at: string, name: string, seed: number, moved = [1, 2, 3, 4]): string {
    const next = random(seed);
    const place = (x: number, y: number, z: number) => [x, y, z].map((value) => value * (1 + next()));
    const scale = [0.5 + next(), 1, 1];
    const nodes: NodeSpec[] = [
        { name: 'armature', children: [1], matrix: [0, 0, 2, 0, 0, 2 + next(), 0, 0, -1, 0, 0.25, 0, 3, 1, 2, 1] },
        { name: 'hips', children: [2, 3], translation: place(0.1, 4, 0.2), rotation: randomRotation(next), scale },
        { name: 'leg', children: [4], translation: randomVector(next, 1), rotation: randomRotation(next) },
        { name: 'arm', translation: randomVector(next, 1), rotation: randomRotation(next) },
        { name: 'toe', translation: randomVector(next, 1), rotation: randomRotation(next) },
    ];
    const gltf = new GltfBuilder(nodes);
    const skin = gltf.skin([1, 2, 3, 4]);
    gltf.vertices(
        skin,
        Array.from({ length: 12 }, (_, v) => ({
            at: randomVector(next, 1),
            joints: [v % 4, 0, 0, 0],
            weights: [1, 0, 0, 0],
        })),
    );
    const times = [0, 0.4, 1];
    const rotations = (target: number) => keyed(target, 'rotation', times, ...times.map(() => randomRotation(next)));
    const vectors = (count: number, size: number) => Array.from({ length: count }, () => randomVector(next, size));
    const channels = [
        rotations(1),
        rotations(2),
        { ...rotations(3), interpolation: 'STEP' },
        {
            ...rotations(4),
            interpolation: 'CUBICSPLINE',
            values: Array.from({ length: 9 }, () => randomRotation(next)),
        },
        { node: 1, path: 'translation', interpolation: 'CUBICSPLINE', times, values: vectors(9, 5) },
        { node: 2, path: 'translation', times, values: vectors(3, 5) },
        { node: 2, path: 'scale', times, values: vectors(3, 1) },
    ] satisfies Parameters<GltfBuilder['animation']>[1];
    gltf.animation(
        'all',
        channels.filter(({ node }) => moved.includes(node)),
    );
    return gltf.write(at, name);
}

test.each([1, 2])('other rest poses: verify has the same rows, calculated with matrices (seed %p)', async (seed) => {
    const hero = bodyFile(folder(), `hero-${seed}`, seed);
    // Also for clips of the upper body.
    const clips = bodyFile(folder(), `clips-${seed}`, seed + 100, seed % 2 ? [1, 3] : undefined);
    for (const retarget of ['none', 'rotation'] as const) {
        const bake = await bakeFile(hero, { ...ALL, root: 'keep', fps: 30, animations: [clips], retarget });
        const told = bake.warnings.map(({ code }) => code).includes('REST_POSES_DIFFER');
        expect({ retarget, told }).toEqual({ retarget, told: retarget === 'none' });
        const [written] = await writeBake(bake, join(folder(), `${retarget}-${seed}`));
        const { ok, problems, worst } = await verifyBake(hero, written!.json);
        expect({ ok, problems, share: worst!.share < 1e-5 }).toEqual({ ok: true, problems: [], share: true });
    }
});

test.each(['LINEAR', 'CUBICSPLINE'] as const)('morph weights, %s, of a file without meshes', async (interpolation) => {
    const gltf = new GltfBuilder([{ name: 'hips' }]);
    const face = gltf.skinnedMesh(gltf.skin([0]), { name: 'face' }, [0, 0.5]);
    const next = random(7);
    const values = Array.from({ length: interpolation === 'LINEAR' ? 2 : 6 }, () => [next(), next()]);
    const turns = keyed(0, 'rotation', [0, 1], randomRotation(next), randomRotation(next));
    gltf.animation('talk', [turns, { node: face, path: 'weights', interpolation, times: [0, 1], values }]);
    const whole = gltf.write(folder(), 'whole');
    const json = JSON.parse(readFileSync(whole, 'utf8'));
    const changed = (name: string, change: object) =>
        fileOf(folder(), `${name}.gltf`, Buffer.from(JSON.stringify({ ...json, ...change })));
    const nodes = json.nodes.map(({ name }: NodeSpec) => ({ name }));
    const clips = changed('clips', { meshes: undefined, skins: undefined, nodes });
    const hero = changed('hero', { animations: undefined });
    const options: BakeOptions = { emit: ['palette', 'morph'], fps: 10 };
    const bake = await bakeFile(hero, { ...options, animations: [clips] });
    expect(bake.warnings).toEqual([]);
    const wanted = (await bakeFile(whole, options)).outputs[0]!.bin;
    expect(Buffer.compare(bake.outputs[0]!.bin, wanted)).toBe(0);
    const [written] = await writeBake(bake, join(folder(), interpolation));
    expect(await verifyBake(hero, written!.json)).toMatchObject({ ok: true, problems: [] });
    // A file with only clips cannot use weights.
    expect((await bakeFile(clips).catch((error) => error)).code).toBe('NO_SKIN');
    json.meshes[0].primitives[0].targets.pop();
    json.meshes[0].weights.pop();
    const other = changed('other', { animations: undefined });
    await expect(bakeFile(other, { ...options, animations: [clips] })).rejects.toThrow(
        /in other\.gltf 'face' has 1 morph target, and not 2: /,
    );
});

test('verify reads meshes without a skin that only clips of another file move', async () => {
    const nodes: NodeSpec[] = [{ name: 'door' }];
    const model = new GltfBuilder(nodes);
    nodes[0]!.mesh = model.rigidMesh([
        [0, 0, 0],
        [1, 0, 0],
        [0, 2, 0],
    ]);
    const input = model.write(folder(), 'door');
    const turn = keyed(0, 'rotation', [0, 1], [0, 0, 0, 1], [0, 0.6, 0, 0.8]);
    const animations = [new GltfBuilder([{ name: 'door' }]).animation('open', [turn]).write(folder(), 'open')];
    const [written] = await writeBake(await bakeFile(input, { animations }), folder());
    const { ok, problems, clips } = await verifyBake(input, written!.json, { animations });
    expect([ok, problems]).toEqual([true, []]);
    expect(clips[0]!.playback!.error).toBeGreaterThan(0);
});
