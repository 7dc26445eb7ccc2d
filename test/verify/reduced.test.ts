// SPDX-License-Identifier: MIT

/** verifyReduced accepts equal files, and finds the error of other keys and its place, equal to that of separate code. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Accessor, type Document, type Root, WebIO } from '@gltf-transform/core';
import { bakeFile } from '../../lib/bake';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { type ReducedVerification, verifyReduced } from '../../lib/verify/reduced';
import type { LooseJson } from '../gltf/support/builder';
import { RigBuilder } from '../reduce/rigs';
import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../support/gltf-builder';
import { CHARACTER, describeModel, FOX, ROBOT } from '../support/models';
import { random as seededRandom } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
let files = 0;

/** Reads a file with glTF-Transform, changes it and writes it. */
async function changed(path: string, change: (document: Document) => void): Promise<string> {
    const io = new WebIO();
    const document = await io.readBinary(readFileSync(path));
    change(document);
    const to = join(folder(), `changed-${files++}.glb`);
    writeFileSync(to, await io.writeBinary(document));
    return to;
}

function written(rig: RigBuilder): string {
    const to = join(folder(), `rig-${files++}.glb`);
    writeFileSync(to, rig.done().builder.toGlb());
    return to;
}

const codes = ({ problems }: ReducedVerification) => problems.map(({ code, pointer }) => `${code} ${pointer}`);

describe('files with the same poses', () => {
    for (const model of [CHARACTER, FOX, ROBOT]) {
        describeModel(model, () => {
            test('the file itself: no error', async () => {
                const result = await verifyReduced(model.path, model.path);
                expect(result).toMatchObject({ ok: true, problems: [], worst: { error: 0, what: '', turn: null } });
                expect(
                    result.clips.every(({ error, seam }) => error === 0 && (seam ?? 0) <= 1e-4 * result.extent),
                ).toBe(true);
                expect(result.maxError).toBe(0.001 * result.extent);
            });

            test('as glTF-Transform writes it: only rounding', async () => {
                const result = await verifyReduced(model.path, await changed(model.path, () => {}), { maxError: 0 });
                expect(codes(result)).toEqual([]);
                expect(result.worst!.share).toBeLessThan(1e-6);
            });
        });
    }

    test('the extent of a file with one skin is that of its bake', async () => {
        const { outputs } = await bakeFile(CHARACTER.path, { fps: 5 });
        const { extent } = await verifyReduced(CHARACTER.path, CHARACTER.path);
        expect(extent / outputs[0]!.manifest.extent).toBeCloseTo(1, 6);
    });

    test('keys on the line between two others, other number formats, and removed tracks at rest', async () => {
        const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
        const still = keyed(1, 'translation', [0, 1], [0, 1, 0], [0, 1, 0]);
        const turning = (times: number[], storage: ChannelSpec['storage'] = {}): ChannelSpec => ({
            ...keyed(0, 'rotation', times, ...times.map(turn)),
            storage,
        });
        const source = rigged([turning([0, 0.25, 0.5, 1]), still]);
        const result = await verifyReduced(source, rigged([turning([0, 1])]), { maxError: 1e-6 });
        expect(result).toMatchObject({ ok: true, problems: [] });
        const integers = rigged([turning([0, 1], { component: 'short' })]);
        const rounded = await verifyReduced(source, integers, { maxError: '1mm' });
        expect(rounded).toMatchObject({ ok: true, problems: [] });
        expect(rounded.worst!.error).toBeGreaterThan(1e-6);
    });
});

/** A chain of two joints with a mesh, a rigid mesh of one vertex below the second, and a socket below that. */
function rigged(channels: ChannelSpec[], alter: (nodes: NodeSpec[], model: GltfBuilder) => void = () => {}): string {
    const nodes: NodeSpec[] = [
        { name: 'hip', children: [1] },
        { name: 'knee', translation: [0, 1, 0], children: [2, 3] },
        { name: 'wheel', translation: [2, 0, 0], scale: [1, 2, 1] },
        { name: 'socket', translation: [0, 1, 0] },
    ];
    const model = new GltfBuilder(nodes);
    const skin = model.skin([0, 1]);
    model.skinnedMesh(skin, { name: 'skin' }, [0, 0]);
    nodes[2]!.mesh = model.rigidMesh([
        [0, 3, 0],
        [0, 0, 0],
    ]);
    alter(nodes, model);
    return model.animation('Move', channels).write(folder(), `rigged-${files++}`);
}

const STILL = keyed(0, 'translation', [0, 1], [0, 0, 0], [0, 0, 0]);
const STRETCHED = keyed(2, 'scale', [0, 1], [1, 2, 1], [1, 3, 1]);

/** A clip that moves the hip from one x to another. */
const moved = (...places: number[]) =>
    rigged([keyed(0, 'translation', [...places.keys()], ...places.map((x) => [x, 0, 0]))]);

describe('errors are found, with their size', () => {
    test('one key', async () => {
        const model = (x: number) => rigged([keyed(1, 'translation', [0, 0.5, 1], [0, 1, 0], [x, 1, 0], [0, 1, 0])]);
        const { ok, worst, problems, maxError } = await verifyReduced(model(0), model(0.25), { maxError: '25cm' });
        expect({ ok, problems, maxError }).toEqual({ ok: true, problems: [], maxError: 0.25 });
        expect(worst).toMatchObject({ name: 'Move', animation: 0, time: 0.5, ok: true });
        expect(worst!.error).toBeCloseTo(0.25, 12);
        expect(worst!.what).toMatch(
            /^vertex [345] of \/meshes\/0\/primitives\/0$|^vertex [01] of .* at node 'wheel' \(node 2\)$/,
        );
        expect((await verifyReduced(model(0), model(0.25), { maxError: '24.9cm' })).ok).toBe(false);
    });

    test('between keys, if both files agree at all keys', async () => {
        // 4 (2 t^3 - 3 t^2 + t), with its max at t = (3 - sqrt 3) / 6.
        const zero = [0, 0, 0];
        const spline = [zero, zero, [4 / 7, 0, 0], [4 / 7, 0, 0], zero, zero];
        const source = { ...keyed(0, 'translation', [0, 7], ...spline), interpolation: 'CUBICSPLINE' } as const;
        const straight = keyed(0, 'translation', [0, 7], zero, zero);
        const { worst, clips } = await verifyReduced(rigged([source]), rigged([straight]));
        const exact = (4 * Math.sqrt(3)) / 18;
        expect(worst!.error).toBeLessThanOrEqual(exact * (1 + 1e-9));
        expect(worst!.error).toBeGreaterThan(exact * 0.999);
        const peak = (3 - Math.sqrt(3)) / 6;
        expect(Math.min(...[peak, 1 - peak].map((t) => Math.abs(worst!.time / 7 - t)))).toBeLessThan(0.02);
        expect(clips[0]!.seam).toBe(0);
    });

    test.each([1.25, 0.75, 1 + 2 ** -23, 1 - 2 ** -24])('a jump at %d s instead of 1 s', async (at) => {
        const model = (time: number) =>
            rigged([
                { ...keyed(2, 'translation', [0, time, 2], [2, 0, 0], [2, 0, 1], [2, 0, 0]), interpolation: 'STEP' },
            ]);
        const { worst } = await verifyReduced(model(1), model(at));
        expect(worst!.error).toBeCloseTo(1, 12);
        expect(worst!.time).toBeGreaterThanOrEqual(Math.min(1, at));
        expect(worst!.time).toBeLessThan(Math.max(1, at));
    });

    test('a removed channel counts as at rest', async () => {
        const { worst } = await verifyReduced(rigged([STILL, STRETCHED]), rigged([STILL]));
        const what = "vertex 0 of /meshes/1/primitives/0 at node 'wheel' (node 2)";
        expect(worst).toMatchObject({ error: 3, time: 1, what });
    });

    test('a mesh with several instances: in each', async () => {
        const model = (scale: number) => {
            const rig = new RigBuilder();
            rig.node();
            rig.mesh(0, [1, 0, 0]);
            rig.instances([
                [1, 0, 0, 0, 0, 0, 1, 1, 1, 1],
                [40, 0, 0, 0, 0, 0, 1, 24, 2, 2],
            ]);
            rig.clip([{ node: 0, path: 'scale', times: [0, 1], values: [1, 1, 1, scale, 1, 1] }]);
            return written(rig);
        };
        const { worst, extent, problems } = await verifyReduced(model(1), model(1.125));
        expect(codes({ problems } as ReducedVerification)).toEqual(['SEAM_OPEN /animations/0']);
        expect(extent).toBe(62);
        const what = 'vertex 0 of /meshes/0/primitives/0 at node 0, instance 1';
        expect(worst).toMatchObject({ error: 64 / 8, time: 1, what });
    });

    test.each([
        ['one below 0', [1.5, -0.5, 0, 0], 0.375],
        ['a sum of 2', [1.5, 0.5, 0, 0], 0.375],
        ['a sum of a half', [0.25, 0.25, 0, 0], 0.125],
    ])('skinned by weights that some players do not normalize: %s', async (_, weights, error) => {
        const model = (x: number) => {
            const rig = new RigBuilder();
            for (let node = 0; node < 2; node++) rig.node();
            rig.mesh(rig.node(), [0, 1, 0], { skin: rig.skin([0, 1]), joints: [0, 1, 0, 0], weights });
            rig.clip([{ node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, x, 0, 0] }]);
            return written(rig);
        };
        expect((await verifyReduced(model(0), model(0.25))).worst).toMatchObject({ error, time: 1 });
    });

    test('a rigid mesh that only the reduced file moves', async () => {
        const apart = (channels: ChannelSpec[]) =>
            rigged(channels, (nodes) => void Object.assign(nodes[1]!, { children: [3] }));
        const { worst } = await verifyReduced(apart([STILL]), apart([STILL, STRETCHED]));
        expect(worst).toMatchObject({ error: 3, time: 1 });
    });

    test('morph weights, below joints with scale', async () => {
        const scaled: ChannelSpec = keyed(0, 'scale', [0, 1], [2, 2, 2], [2, 2, 2]);
        const model = (w: number) => rigged([scaled, keyed(4, 'weights', [0, 0.5, 1], [0, 0], [0.5, w], [0, 0])]);
        // The second target moves vertex 3 joint + corner by 0.25 along axis `joint % 3`: twice that in the scene.
        const { worst, problems } = await verifyReduced(model(0), model(0.5));
        expect(problems).toEqual([]);
        expect(worst!.error).toBeCloseTo(0.5 * 0.25 * 2, 12);
        expect(worst!.what).toMatch(/^vertex \d of \/meshes\/0\/primitives\/0$/);
        expect(worst!.time).toBe(0.5);
    });

    test('origins of joints to keep, and nodes without vertices', async () => {
        const model = (x: number, turn: number) =>
            rigged([
                keyed(3, 'translation', [0, 1], [0, 1, 0], [x, 1, 0]),
                keyed(3, 'rotation', [0, 1], [0, 0, 0, 1], [turn, 0, 0, Math.sqrt(1 - turn * turn)]),
            ]);
        const what = "node 'socket' (node 3)";
        const off = await verifyReduced(model(0, 0), model(0.125, 0));
        expect(off.worst).toMatchObject({ error: 0.125, what, ok: false, turn: null });
        expect((await verifyReduced(model(0, 0), model(0.125, 0), { maxAngle: Infinity })).ok).toBe(true);
        for (const keepJoints of ['^sock', /^sock/g]) {
            const kept = await verifyReduced(model(0, 0), model(0.125, 0), { maxAngle: Infinity, keepJoints });
            expect(kept.worst).toMatchObject({ error: 0.125, what });
        }
        const degree = Math.sin(Math.PI / 360);
        const turned = await verifyReduced(model(0, 0), model(0, degree));
        expect(turned).toMatchObject({ ok: false, worst: { error: 0, turn: { time: 1, what } } });
        expect(turned.worst!.turn!.angle).toBeCloseTo(1, 5);
        expect((await verifyReduced(model(0, 0), model(0, degree), { maxAngle: 1.001 })).ok).toBe(true);
    });

    test('a loop that no longer closes', async () => {
        const result = await verifyReduced(moved(0, 1, 0), moved(0, 1, 0.01), { maxError: 0.02 });
        expect(codes(result)).toEqual(['SEAM_OPEN /animations/0']);
        expect(result).toMatchObject({ ok: false, clips: [{ ok: true }] });
        expect(result.clips[0]!.seam).toBeCloseTo(0.01, 8);
        expect((await verifyReduced(moved(0, 1, 0.5), moved(0, 1, 0.51), { maxError: 0.02 })).ok).toBe(true);
    });

    test('random keys: the error is nowhere larger than stated', async () => {
        const next = seededRandom(7);
        for (let round = 0; round < 6; round++) {
            const track = (node: number, path: ChannelSpec['path'], width: number): ChannelSpec => {
                const some = Array.from({ length: 2 + Math.floor(next() * 4) }, () => Math.fround(next() * 3));
                const times = [...new Set(some)];
                const values = times.map(() => {
                    const value = Array.from({ length: width }, () => next() * 2 - 1);
                    return path === 'rotation' ? value.map((x) => x / Math.hypot(...value)) : value;
                });
                return { node, path, times: [0, ...times.sort((a, b) => a - b)], values: [values[0]!, ...values] };
            };
            const ways = [['rotation', 4] as const, ['translation', 3] as const, ['scale', 3] as const];
            const channels = () => [0, 1, 2].flatMap((node) => ways.map(([path, width]) => track(node, path, width)));
            const paths = [rigged(channels()), rigged(channels())] as const;
            const { worst } = await verifyReduced(...paths);
            const [a, b] = await Promise.all(paths.map((path) => DoubleEvaluator.load(path)));
            let max = 0;
            for (let i = 0; i <= 1500; i++) max = Math.max(max, displacement(a!, b!, i / 500));
            expect(max).toBeLessThanOrEqual(worst!.error * 1.001);
            expect(displacement(a!, b!, worst!.time)).toBeCloseTo(worst!.error, 9);
        }
    });
});

/** Every vertex of every mesh of the file by `rigged`, and the socket, by matrix products. */
function displacement(a: DoubleEvaluator, b: DoubleEvaluator, time: number): number {
    const [here, there] = [a, b].map((evaluator) => {
        const globals = evaluator.globals(0, time);
        const corners = [
            [0.5, 0, 0],
            [0, 0.5, -0.25],
            [-0.25, 0, 0.5],
        ];
        const place = (node: number, [x, y, z]: number[]) =>
            [0, 1, 2].map((row) => {
                const m = node * 16 + row;
                return globals[m]! * x! + globals[m + 4]! * y! + globals[m + 8]! * z! + globals[m + 12]!;
            });
        const zero = [0, 0, 0];
        const skinned = [0, 1].flatMap((joint) => corners.map((corner) => place(joint, corner)));
        return [...skinned, place(2, [0, 3, 0]), place(2, zero), place(3, zero)];
    });
    return Math.max(...here!.map((p, i) => Math.hypot(...p.map((x, c) => x - there![i]![c]!))));
}

describe('differences other than animation', () => {
    /** Adds 1 to each number of an element. */
    const more = (accessor: Accessor, element: number) =>
        void accessor.setElement(
            element,
            accessor.getElement(element, []).map((x) => x + 1),
        );
    const vertex = (semantic: string) => (root: Root) =>
        more(root.listMeshes()[0]!.listPrimitives()[0]!.getAttribute(semantic)!, 7);
    test.each<[string, (root: Root) => unknown]>([
        ['/meshes/0/primitives/0/attributes/POSITION', vertex('POSITION')],
        ['/meshes/0/primitives/0/attributes/NORMAL', vertex('NORMAL')],
        ['/meshes/0/primitives/0/attributes/JOINTS_0', vertex('JOINTS_0')],
        [
            '/materials/0/pbrMetallicRoughness/roughnessFactor',
            (root) => root.listMaterials()[0]!.setRoughnessFactor(0.123),
        ],
        ['/nodes/3/name', (root) => root.listNodes()[3]!.setName('other')],
        ['/nodes/3/transform/translation', (root) => root.listNodes()[3]!.setTranslation([9, 9, 9])],
        ['/skins/0/inverseBindMatrices', (root) => more(root.listSkins()[0]!.getInverseBindMatrices()!, 0)],
    ])('%s', async (pointer, change) => {
        const other = await changed(CHARACTER.path, (document) => void change(document.getRoot()));
        expect(codes(await verifyReduced(CHARACTER.path, other))).toContain(`FILE_DIFFERS ${pointer}`);
    });

    test('a clip without its last key, one with another name, and one less', async () => {
        const model = (times: number[]) => rigged([keyed(0, 'translation', times, ...times.map((x) => [x, 0, 0]))]);
        for (const times of [
            [0, 1],
            [0.5, 1, 2],
        ]) {
            const found = await verifyReduced(model([0, 1, 2]), model(times));
            expect(codes(found)).toEqual(['CLIP_DIFFERS /animations/0']);
        }
        const clips = (document: Document) => document.getRoot().listAnimations();
        const renamed = await changed(CHARACTER.path, (document) => void clips(document)[1]!.setName('other'));
        expect(codes(await verifyReduced(CHARACTER.path, renamed))).toEqual(['CLIP_DIFFERS /animations/1/name']);
        const fewer = await changed(CHARACTER.path, (document) => clips(document).at(-1)!.dispose());
        expect(codes(await verifyReduced(CHARACTER.path, fewer))).toEqual(['CLIP_DIFFERS /animations']);
    });

    test('keys of a missing node', async () => {
        const model = (pointer: string, x: number) =>
            rigged([{ ...keyed(0, 'translation', [0, 1], [0, 0, 0], [x, 0, 0]), pointer }]);
        const [color, place] = ['/materials/0/emissiveFactor', '/nodes/0/translation'];
        expect((await verifyReduced(model(color, 1), model(color, 1))).ok).toBe(true);
        const other = await verifyReduced(model(color, 1), model(color, 2));
        expect(codes(other)).toEqual(['CLIP_DIFFERS /animations/0/channels/0/output']);
        expect((await verifyReduced(model(place, 1), model(place, 2))).worst).toMatchObject({ error: 1 });
    });

    test('other digits and orders of members are equal; meshes in another order are not, and clips are still judged', async () => {
        const source = rigged([STILL]);
        const rewritten = (change: (json: LooseJson) => void) => {
            const json = JSON.parse(readFileSync(source, 'utf8'));
            json.materials = [{ emissiveFactor: [0.58, 0, 0], alphaMode: 'OPAQUE' }];
            change(json);
            const path = join(folder(), `rewritten-${files++}.gltf`);
            writeFileSync(path, JSON.stringify(json));
            return path;
        };
        const plain = rewritten(() => {});
        const digits = rewritten((json) => {
            json.materials = [{ extras: {}, name: '', emissiveFactor: [0.579999983, 0, 0] }];
        });
        expect((await verifyReduced(plain, digits)).problems).toEqual([]);
        const swapped = rewritten((json) => {
            json.meshes.reverse();
            for (const node of json.nodes) if (node.mesh !== undefined) node.mesh = 1 - node.mesh;
        });
        const none = rewritten((json) => {
            for (const { targets } of json.meshes[0].primitives) targets.length = 0;
        });
        expect(await verifyReduced(plain, swapped)).toMatchObject({ ok: false, clips: [{ error: 0, ok: true }] });
        expect(await verifyReduced(plain, none)).toMatchObject({ ok: false, clips: [] });
    });

    test('another model: nothing is judged', async () => {
        const result = await verifyReduced(CHARACTER.path, moved(0, 1));
        expect(result).toMatchObject({ ok: false, clips: [], worst: null, times: 0 });
        expect(codes(result)).toContain('FILE_DIFFERS /nodes');
    });
});

test('the rounding of float32 far from the origin is allowed, and no more', async () => {
    const judged = (x: number) => verifyReduced(moved(1e5, 1e5), moved(1e5, 1e5 + x), { maxError: 0 });
    expect((await judged(1 / 128)).ok).toBe(true);
    expect((await judged(0.125)).ok).toBe(false);
});

test('progress, and a signal that ends it', async () => {
    const calls: [number, number][] = [];
    await verifyReduced(CHARACTER.path, CHARACTER.path, { onProgress: (done, total) => calls.push([done, total]) });
    expect(calls.at(-1)![0]).toBe(calls.at(-1)![1]);
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort('enough');
    await expect(verifyReduced(CHARACTER.path, CHARACTER.path, { signal, onProgress })).rejects.toBe('enough');
});

describe('options', () => {
    // Other lengths: test/base/length.test.ts.
    test('maxError is a length', async () => {
        const file = rigged([STILL]);
        expect((await verifyReduced(file, file, { maxError: '0.5mm' })).maxError).toBe(0.0005);
        const refused = { name: 'UsageError', message: expect.stringMatching(/^maxError is .+; it must be /) };
        for (const maxError of [-1, '1 inch']) {
            await expect(verifyReduced('a', 'b', { maxError })).rejects.toMatchObject(refused);
        }
    });

    test.each<[object, object | string]>([
        [{ max: 1 }, 'there is no option max, only maxError, '],
        [{ maxError: null }, { code: 'ERR_ARGUMENT_TYPE' }],
        [{ maxAngle: '1' }, 'maxAngle must be a number from 0 up, got "1"'],
        [{ keepJoints: 1 }, { code: 'ERR_ARGUMENT_TYPE' }],
        [{ keepJoints: '(' }, 'keepJoints is not a regular expression: '],
        [{ keepJoints: 'no such' }, 'keepJoints: no node of '],
    ])('%p is rejected', async (options, fault) => {
        const expected = typeof fault === 'string' ? { message: expect.stringContaining(fault) } : fault;
        await expect(verifyReduced(CHARACTER.path, CHARACTER.path, options)).rejects.toMatchObject(expected);
    });

    test('missing files', async () => {
        const refused = verifyReduced(CHARACTER.path, join(folder(), 'no.glb'));
        await expect(refused).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    });
});
