// SPDX-License-Identifier: MIT

/** verifyReduced passes what is the same, and finds how far a file with other keys is off: as far as other code finds it, and where. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, WebIO } from '@gltf-transform/core';
import { bakeFile } from '../../lib/bake';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { type ReducedVerification, verifyReduced } from '../../lib/verify/reduced';
import type { LooseJson } from '../gltf/support/builder';
import { RigBuilder } from '../reduce/rigs';
import { type ChannelSpec, GltfBuilder, type NodeSpec } from '../support/gltf-builder';
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
            test('the file itself: nothing is off', async () => {
                const result = await verifyReduced(model.path, model.path);
                expect(result).toMatchObject({ ok: true, problems: [], worst: { error: 0, what: '', turn: null } });
                expect(
                    result.clips.every(({ error, seam }) => error === 0 && (seam ?? 0) <= 1e-4 * result.extent),
                ).toBe(true);
                expect(result.maxError).toBe(0.001 * result.extent);
            });

            test('as glTF-Transform writes it: rounding alone', async () => {
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

    test('keys on the way between two others, other number formats, and tracks at rest that are gone', async () => {
        const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
        const still: ChannelSpec = {
            node: 1,
            path: 'translation',
            times: [0, 1],
            values: [
                [0, 1, 0],
                [0, 1, 0],
            ],
        };
        const model = (times: number[], others: ChannelSpec[], component?: 'short') =>
            rigged([
                {
                    node: 0,
                    path: 'rotation',
                    times,
                    values: times.map(turn),
                    ...(component && { storage: { component } }),
                },
                ...others,
            ]);
        const source = model([0, 0.25, 0.5, 1], [still]);
        const result = await verifyReduced(source, model([0, 1], []), { maxError: 1e-6 });
        expect(result).toMatchObject({ ok: true, problems: [] });
        const rounded = await verifyReduced(source, model([0, 1], [], 'short'), { maxError: '1mm' });
        expect(rounded).toMatchObject({ ok: true, problems: [] });
        expect(rounded.worst!.error).toBeGreaterThan(1e-6);
    });
});

/** A chain of two joints with a mesh, a rigid mesh of one vertex that hangs at the second, and a socket below that. */
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

const still = (node: number): ChannelSpec => ({
    node,
    path: 'translation',
    times: [0, 1],
    values: [
        [0, 0, 0],
        [0, 0, 0],
    ],
});

describe('what is off is found, as far as it is', () => {
    test('one key', async () => {
        const times = [0, 0.5, 1];
        const model = (x: number) =>
            rigged([
                {
                    node: 1,
                    path: 'translation',
                    times,
                    values: [
                        [0, 1, 0],
                        [x, 1, 0],
                        [0, 1, 0],
                    ],
                },
            ]);
        const { ok, worst, problems, maxError } = await verifyReduced(model(0), model(0.25), { maxError: '25cm' });
        expect({ ok, problems, maxError }).toEqual({ ok: true, problems: [], maxError: 0.25 });
        expect(worst).toMatchObject({ name: 'Move', animation: 0, time: 0.5, ok: true });
        expect(worst!.error).toBeCloseTo(0.25, 12);
        expect(worst!.what).toMatch(
            /^vertex [345] of \/meshes\/0\/primitives\/0$|^vertex [01] of .* at node 'wheel' \(node 2\)$/,
        );
        expect((await verifyReduced(model(0), model(0.25), { maxError: '24.9cm' })).ok).toBe(false);
    });

    test('between keys, where both files agree at all of them', async () => {
        // 4 (2 t^3 - 3 t^2 + t), which is largest at t = (3 - sqrt 3) / 6.
        const zero = [0, 0, 0];
        const spline = [zero, zero, [4, 0, 0], [4, 0, 0], zero, zero];
        const source = rigged([
            {
                node: 0,
                path: 'translation',
                times: [0, 7],
                interpolation: 'CUBICSPLINE',
                values: spline.map((v) => v.map((x) => x / 7)),
            },
        ]);
        const { worst, clips } = await verifyReduced(
            source,
            rigged([{ node: 0, path: 'translation', times: [0, 7], values: [zero, zero] }]),
        );
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
                {
                    node: 2,
                    path: 'translation',
                    times: [0, time, 2],
                    interpolation: 'STEP',
                    values: [
                        [2, 0, 0],
                        [2, 0, 1],
                        [2, 0, 0],
                    ],
                },
            ]);
        const { worst } = await verifyReduced(model(1), model(at));
        expect(worst!.error).toBeCloseTo(1, 12);
        expect(worst!.time).toBeGreaterThanOrEqual(Math.min(1, at));
        expect(worst!.time).toBeLessThan(Math.max(1, at));
    });

    test('a channel that is gone counts as at rest', async () => {
        const move: ChannelSpec = {
            node: 0,
            path: 'translation',
            times: [0, 1],
            values: [
                [0, 0, 0],
                [0, 0, 0],
            ],
        };
        const scale: ChannelSpec = {
            node: 2,
            path: 'scale',
            times: [0, 1],
            values: [
                [1, 2, 1],
                [1, 3, 1],
            ],
        };
        const { worst } = await verifyReduced(rigged([move, scale]), rigged([move]));
        expect(worst).toMatchObject({
            error: 3,
            time: 1,
            what: "vertex 0 of /meshes/1/primitives/0 at node 'wheel' (node 2)",
        });
    });

    test('a mesh that is drawn many times: at each of its places', async () => {
        const model = (scale: number) => {
            const rig = new RigBuilder();
            rig.node();
            rig.mesh(0, [1, 0, 0]);
            const { json } = rig.builder;
            const attributes = {
                TRANSLATION: rig.builder.accessor(Float32Array.of(1, 0, 0, 40, 0, 0), 'VEC3'),
                SCALE: rig.builder.accessor(Float32Array.of(1, 1, 1, 24, 2, 2), 'VEC3'),
            };
            json.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes } };
            json.extensionsUsed = ['EXT_mesh_gpu_instancing'];
            rig.clip([{ node: 0, path: 'scale', times: [0, 1], values: [1, 1, 1, scale, 1, 1] }]);
            return written(rig);
        };
        const { worst, extent, problems } = await verifyReduced(model(1), model(1.125));
        expect(codes({ problems } as ReducedVerification)).toEqual(['SEAM_OPEN /animations/0']);
        expect(extent).toBe(62);
        expect(worst).toMatchObject({
            error: 64 / 8,
            time: 1,
            what: 'vertex 0 of /meshes/0/primitives/0 at node 0, instance 1',
        });
    });

    test.each([
        ['one below 0', [1.5, -0.5, 0, 0], 0.375],
        ['a sum of 2', [1.5, 0.5, 0, 0], 0.375],
        ['a sum of a half', [0.25, 0.25, 0, 0], 0.125],
    ])('skinned by weights that some players use as they are: %s', async (_, weights, error) => {
        const model = (x: number) => {
            const rig = new RigBuilder();
            for (let node = 0; node < 2; node++) rig.node();
            rig.mesh(rig.node(), [0, 1, 0], { skin: rig.skin([0, 1]), joints: [0, 1, 0, 0], weights });
            rig.clip([{ node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, x, 0, 0] }]);
            return written(rig);
        };
        expect((await verifyReduced(model(0), model(0.25))).worst).toMatchObject({ error, time: 1 });
    });

    test('a rigid mesh that the reduced file alone moves', async () => {
        const none: ChannelSpec = {
            node: 0,
            path: 'translation',
            times: [0, 1],
            values: [
                [0, 0, 0],
                [0, 0, 0],
            ],
        };
        const apart = (channels: ChannelSpec[]) =>
            rigged(channels, (nodes) => {
                nodes[1]!.children = [3];
            });
        const scale: ChannelSpec = {
            node: 2,
            path: 'scale',
            times: [0, 1],
            values: [
                [1, 2, 1],
                [1, 3, 1],
            ],
        };
        expect((await verifyReduced(apart([none]), apart([none, scale]))).worst).toMatchObject({ error: 3, time: 1 });
    });

    test('morph weights, where joints scale what they move', async () => {
        const scaled: ChannelSpec = {
            node: 0,
            path: 'scale',
            times: [0, 1],
            values: [
                [2, 2, 2],
                [2, 2, 2],
            ],
        };
        const model = (w: number) =>
            rigged([
                scaled,
                {
                    node: 4,
                    path: 'weights',
                    times: [0, 0.5, 1],
                    values: [
                        [0, 0],
                        [0.5, w],
                        [0, 0],
                    ],
                },
            ]);
        // The second target moves vertex 3 joint + corner by 0.25 along axis `joint % 3`: twice that in the scene.
        const { worst, problems } = await verifyReduced(model(0), model(0.5));
        expect(problems).toEqual([]);
        expect(worst!.error).toBeCloseTo(0.5 * 0.25 * 2, 12);
        expect(worst!.what).toMatch(/^vertex \d of \/meshes\/0\/primitives\/0$/);
        expect(worst!.time).toBe(0.5);
    });

    test('origins of joints that are to be kept, and nodes that carry nothing', async () => {
        const model = (x: number, turn: number) =>
            rigged([
                {
                    node: 3,
                    path: 'translation',
                    times: [0, 1],
                    values: [
                        [0, 1, 0],
                        [x, 1, 0],
                    ],
                },
                {
                    node: 3,
                    path: 'rotation',
                    times: [0, 1],
                    values: [
                        [0, 0, 0, 1],
                        [turn, 0, 0, Math.sqrt(1 - turn * turn)],
                    ],
                },
            ]);
        const moved = await verifyReduced(model(0, 0), model(0.125, 0));
        expect(moved.worst).toMatchObject({ error: 0.125, what: "node 'socket' (node 3)", ok: false, turn: null });
        expect((await verifyReduced(model(0, 0), model(0.125, 0), { maxAngle: Infinity })).ok).toBe(true);
        for (const keepJoints of ['^sock', /^sock/g]) {
            const kept = await verifyReduced(model(0, 0), model(0.125, 0), { maxAngle: Infinity, keepJoints });
            expect(kept.worst).toMatchObject({ error: 0.125, what: "node 'socket' (node 3)" });
        }
        const degree = Math.sin(Math.PI / 360);
        const turned = await verifyReduced(model(0, 0), model(0, degree));
        expect(turned).toMatchObject({
            ok: false,
            worst: { error: 0, turn: { time: 1, what: "node 'socket' (node 3)" } },
        });
        expect(turned.worst!.turn!.angle).toBeCloseTo(1, 5);
        expect((await verifyReduced(model(0, 0), model(0, degree), { maxAngle: 1.001 })).ok).toBe(true);
    });

    test('a loop that no longer closes', async () => {
        const model = (x: number) =>
            rigged([
                {
                    node: 0,
                    path: 'translation',
                    times: [0, 1, 2],
                    values: [
                        [0, 0, 0],
                        [1, 0, 0],
                        [x, 0, 0],
                    ],
                },
            ]);
        const result = await verifyReduced(model(0), model(0.01), { maxError: 0.02 });
        expect(codes(result)).toEqual(['SEAM_OPEN /animations/0']);
        expect(result).toMatchObject({ ok: false, clips: [{ ok: true }] });
        expect(result.clips[0]!.seam).toBeCloseTo(0.01, 8);
        expect((await verifyReduced(model(0.5), model(0.51), { maxError: 0.02 })).ok).toBe(true);
    });

    test('random keys: nowhere is the error larger than stated, wherever one looks', async () => {
        const next = seededRandom(7);
        for (let round = 0; round < 6; round++) {
            const track = (node: number, path: ChannelSpec['path'], width: number): ChannelSpec => {
                const times = [
                    ...new Set(Array.from({ length: 2 + Math.floor(next() * 4) }, () => Math.fround(next() * 3))),
                ];
                const values = times.map(() => {
                    const value = Array.from({ length: width }, () => next() * 2 - 1);
                    return path === 'rotation' ? value.map((x) => x / Math.hypot(...value)) : value;
                });
                return { node, path, times: [0, ...times.sort((a, b) => a - b)], values: [values[0]!, ...values] };
            };
            const channels = () =>
                [0, 1, 2].flatMap((node) => [
                    track(node, 'rotation', 4),
                    track(node, 'translation', 3),
                    track(node, 'scale', 3),
                ]);
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

/** Of the file that `rigged` makes: every vertex of every mesh, and the socket, multiplied out. */
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
        return [
            ...corners.map((corner) => place(0, corner)),
            ...corners.map((corner) => place(1, corner)),
            place(2, [0, 3, 0]),
            place(2, [0, 0, 0]),
            place(3, [0, 0, 0]),
        ];
    });
    return Math.max(...here!.map((p, i) => Math.hypot(...p.map((x, c) => x - there![i]![c]!))));
}

describe('what is no animation', () => {
    test('a vertex, a material, a bone’s rest pose, a name, a weight', async () => {
        const codesAfter = async (change: (document: Document) => void) =>
            codes(await verifyReduced(CHARACTER.path, await changed(CHARACTER.path, change)));
        const accessorOf = (document: Document, semantic: string) =>
            document.getRoot().listMeshes()[0]!.listPrimitives()[0]!.getAttribute(semantic)!;
        const set = (semantic: string) => (document: Document) => {
            const accessor = accessorOf(document, semantic);
            accessor.setElement(
                7,
                accessor.getElement(7, []).map((x) => x + 1),
            );
        };
        for (const semantic of ['POSITION', 'NORMAL', 'JOINTS_0']) {
            expect(await codesAfter(set(semantic))).toContain(
                `FILE_DIFFERS /meshes/0/primitives/0/attributes/${semantic}`,
            );
        }
        expect(
            await codesAfter((document) => document.getRoot().listMaterials()[0]!.setRoughnessFactor(0.123)),
        ).toEqual(['FILE_DIFFERS /materials/0/pbrMetallicRoughness/roughnessFactor']);
        const node = (document: Document) => document.getRoot().listNodes()[3]!;
        expect(await codesAfter((document) => node(document).setName('other'))).toEqual(['FILE_DIFFERS /nodes/3/name']);
        expect(await codesAfter((document) => node(document).setTranslation([9, 9, 9]))).toContain(
            'FILE_DIFFERS /nodes/3/transform/translation',
        );
        const binds = (document: Document) => document.getRoot().listSkins()[0]!.getInverseBindMatrices()!;
        expect(
            await codesAfter((document) =>
                binds(document).setElement(
                    0,
                    Array.from({ length: 16 }, (_, i) => i % 2),
                ),
            ),
        ).toContain('FILE_DIFFERS /skins/0/inverseBindMatrices');
    });

    test('a clip that lost its last key, one with another name, and one less', async () => {
        const model = (times: number[]) =>
            rigged([{ node: 0, path: 'translation', times, values: times.map((x) => [x, 0, 0]) }]);
        expect(codes(await verifyReduced(model([0, 1, 2]), model([0, 1])))).toEqual(['CLIP_DIFFERS /animations/0']);
        expect(codes(await verifyReduced(model([0, 1, 2]), model([0.5, 1, 2])))).toEqual([
            'CLIP_DIFFERS /animations/0',
        ]);
        const clips = (document: Document) => document.getRoot().listAnimations();
        const renamed = await changed(CHARACTER.path, (document) => void clips(document)[1]!.setName('other'));
        expect(codes(await verifyReduced(CHARACTER.path, renamed))).toEqual(['CLIP_DIFFERS /animations/1/name']);
        const fewer = await changed(CHARACTER.path, (document) => clips(document).at(-1)!.dispose());
        expect(codes(await verifyReduced(CHARACTER.path, fewer))).toEqual(['CLIP_DIFFERS /animations']);
    });

    test('keys of what is no node', async () => {
        const model = (pointer: string, x: number) =>
            rigged([
                {
                    node: 0,
                    path: 'translation',
                    pointer,
                    times: [0, 1],
                    values: [
                        [0, 0, 0],
                        [x, 0, 0],
                    ],
                },
            ]);
        const colour = '/materials/0/emissiveFactor';
        expect((await verifyReduced(model(colour, 1), model(colour, 1))).ok).toBe(true);
        expect(codes(await verifyReduced(model(colour, 1), model(colour, 2)))).toEqual([
            'CLIP_DIFFERS /animations/0/channels/0/output',
        ]);
        expect(
            (await verifyReduced(model('/nodes/0/translation', 1), model('/nodes/0/translation', 2))).worst,
        ).toMatchObject({
            error: 1,
        });
    });

    test('other digits and orders of members are the same; meshes in another order are not, and clips are judged all the same', async () => {
        const source = rigged([still(0)]);
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
        const other = rigged([
            {
                node: 0,
                path: 'translation',
                times: [0, 1],
                values: [
                    [0, 0, 0],
                    [1, 0, 0],
                ],
            },
        ]);
        const result = await verifyReduced(CHARACTER.path, other);
        expect(result).toMatchObject({ ok: false, clips: [], worst: null, times: 0 });
        expect(codes(result)).toContain('FILE_DIFFERS /nodes');
    });
});

describe('far from the origin', () => {
    test('what float32 cannot keep is allowed, and no more', async () => {
        const far = 1e5;
        const model = (x: number) =>
            rigged([
                {
                    node: 0,
                    path: 'translation',
                    times: [0, 1],
                    values: [
                        [far, 0, 0],
                        [far + x, 0, 0],
                    ],
                },
            ]);
        expect((await verifyReduced(model(0), model(1 / 128), { maxError: 0 })).ok).toBe(true);
        expect((await verifyReduced(model(0), model(0.125), { maxError: 0 })).ok).toBe(false);
    });
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
    test.each([
        [0.5, 0.5],
        ['0.5', 0.5],
        ['0.5mm', 0.0005],
        ['2 cm', 0.02],
        ['1e-2m', 0.01],
        ['.5MM', 0.0005],
    ])('maxError %j', async (maxError, units) => {
        const file = rigged([{ node: 0, path: 'translation', times: [0], values: [[0, 0, 0]] }]);
        expect((await verifyReduced(file, file, { maxError })).maxError).toBe(units);
    });

    test.each([-1, NaN, Infinity, '', 'mm', '1 inch', '-1mm', '1..2', '1e999'])(
        'maxError %j is refused',
        async (maxError) => {
            await expect(verifyReduced('a', 'b', { maxError })).rejects.toMatchObject({
                name: 'UsageError',
                message: expect.stringMatching(/^maxError is .+; it must be /),
            });
        },
    );

    test('others', async () => {
        const refused = (options: object) => verifyReduced(CHARACTER.path, CHARACTER.path, options as never);
        await expect(refused({ max: 1 })).rejects.toThrow('there is no option max, only maxError, ');
        await expect(refused({ maxError: null })).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        await expect(refused({ maxAngle: '1' })).rejects.toThrow('maxAngle must be a number from 0 up, got "1"');
        await expect(refused({ keepJoints: 1 })).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        await expect(refused({ keepJoints: '(' })).rejects.toThrow('keepJoints is not a regular expression: ');
        await expect(refused({ keepJoints: 'no such' })).rejects.toThrow('keepJoints: no node of ');
    });

    test('files that are not there', async () => {
        await expect(verifyReduced(CHARACTER.path, join(folder(), 'no.glb'))).rejects.toMatchObject({
            code: 'FILE_UNREADABLE',
        });
    });
});
