// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { InputError } from '../../lib/base/errors';
import { Rig } from '../../lib/rig/rig';
import type { RigParts } from '../../lib/rig/source/from-parts';
import { describeModel, FOX, KNIGHT } from '../support/models';
import { globalsOf, IDENTITY, localAt, posed, refusal } from './scenes';

const REST = [1, 2, 3, 0, 0, 0, 1, 1, 1, 1];
const restOf = (count: number) => Array.from({ length: count }, () => REST).flat();

/** Three nodes, the second is the root; one clip, one skin. */
const parts = (changes: Partial<RigParts> = {}): RigParts => ({
    parents: [1, -1, 0],
    rest: restOf(3),
    names: ['arm', 'body', 'hand'],
    skins: [{ name: 'suit', joints: [2, 1] }],
    clips: [
        {
            name: 'wave',
            channels: [
                { node: 2, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0] },
                { node: 0, path: 'rotation', interpolation: 'STEP', times: [0.5], values: [0, 0, 1, 0] },
            ],
        },
    ],
    ...changes,
});

describe('Rig.create', () => {
    test('what it shows: slots with parents first, skins, clips, the rest pose', () => {
        const rig = Rig.create(parts());
        expect(rig.slots).toEqual([
            { name: 'body', node: 1, parent: -1, hasMatrix: false },
            { name: 'arm', node: 0, parent: 0, hasMatrix: false },
            { name: 'hand', node: 2, parent: 1, hasMatrix: false },
        ]);
        expect([0, 1, 2, 3, -1].map((node) => rig.slotOf(node))).toEqual([1, 0, 2, -1, -1]);
        const [skin] = rig.skins;
        expect([skin!.name, [...skin!.joints], [...skin!.parents]]).toEqual(['suit', [2, 0], [1, -1]]);
        expect([...skin!.inverseBinds]).toEqual([
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
        ]);
        expect(rig.clips).toEqual([
            {
                name: 'wave',
                duration: 1,
                tracks: 1,
                cadence: { keys: 2, shortest: 1, longest: 1, rate: 2 },
                events: [],
                loop: false,
            },
        ]);
        expect([...rig.rest.locals]).toEqual(restOf(3));
        expect(rig.meshes).toEqual([]);
        const out = new Float32Array(24);
        rig.palettes(posed(rig, [0.5]), 0, out, 'mat3x4');
        // The arm is half turned about z.
        expect([...out.subarray(0, 12)]).toEqual([-1, 0, 0, 1.5, 0, -1, 0, 4, 0, 0, 1, 6]);
        expect([...out.subarray(12)]).toEqual([1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]);
    });

    test('takes typed arrays, and keeps no reference to its arguments', () => {
        const given = {
            parents: Int32Array.of(1, -1, 0),
            rest: Float32Array.from(restOf(3)),
            matrices: [null, Float32Array.of(2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 7, 8, 9, 1), null],
        };
        const times = Float32Array.of(0, 1);
        const values = Float32Array.of(0, 0, 0, 1, 0, 0);
        const rig = Rig.create(
            parts({ ...given, clips: [{ channels: [{ node: 2, path: 'translation', times, values }] }] }),
        );
        const globals = () => globalsOf(rig, posed(rig, [1]), [2]);
        const before = globals();
        expect(before).toEqual([[2, 0, 0, 7 + 2 + 2, 0, 2, 0, 8 + 4, 0, 0, 2, 9 + 6]]);
        for (const list of [given.parents, given.rest, given.matrices[1]!, times, values]) list.fill(5);
        for (const list of [rig.rest.locals, rig.rest.matrices, rig.skins[0]!.inverseBinds]) list.fill(5);
        rig.skins[0]!.joints.fill(0);
        expect(globals()).toEqual(before);
    });

    const clip = (changes: object) => ({
        clips: [
            { channels: [{ node: 2, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0], ...changes }] },
        ],
    });
    // Keys and cyclic parents: rig-errors.test.ts.
    test.each([
        [{ parents: [0, -1, 0] }, /parents\[0\] node 0 is its own ancestor/],
        [{ parents: [1, -1, 3] }, /parents\[2\] is 3, must be -1 \(a root\) or a node, 0 to 2/],
        [{ parents: [1, -1, 0.5] }, /parents\[2\] is 0.5/],
        [{ parents: [1, -1] }, /rest has 30 elements, must have 20/],
        [{ rest: restOf(2) }, /rest has 20 elements, must have 30/],
        [{ rest: [...restOf(2), 0, 0, 0, 0, 0, 0, NaN, 1, 1, 1] }, /rest\[26\] \(rotation of node 2\) is NaN/],
        [{ names: ['a'] }, /names has 1 elements, must have 3/],
        [{ matrices: [null, [1, 2], null] }, /matrices\[1\] has 2 elements, must have 16/],
        [
            { matrices: [null, IDENTITY.map((x, i) => (i === 3 ? 1 : x)), null] },
            /matrices\[1\]\[3\] is 1, the fourth row/,
        ],
        [{ matrices: [null, null, IDENTITY] }, /clips\[0\]\.channels\[0\] node 2 has a matrix/],
        [{ skins: [{ joints: [] }] }, /skins\[0\]\.joints must name at least one node/],
        [{ skins: [{ joints: [1, 3] }] }, /skins\[0\]\.joints\[1\] is 3, must be a node, 0 to 2/],
        [{ skins: [{ joints: [1, 1] }] }, /skins\[0\]\.joints\[1\] node 1 is already joint 0/],
        [
            { skins: [{ joints: [1], inverseBindMatrices: [1] }] },
            /inverseBindMatrices has 1 numbers, must have 1 joints x 16 = 16/,
        ],
        [
            { skins: [{ joints: [1], inverseBindMatrices: IDENTITY.map(() => Infinity) }] },
            /inverseBindMatrices\[0\] is Infinity/,
        ],
        [clip({ node: 3 }), /clips\[0\]\.channels\[0\]\.node is 3, must be a node/],
        [clip({ times: [], values: [] }), /clips\[0\]\.channels\[0\]\.times the translation of node 2 has no key/],
        [clip({ interpolation: 'CUBICSPLINE' }), /must have 2 keys x 9 for translation with CUBICSPLINE = 18/],
        [clip({ path: 'rotation' }), /must have 2 keys x 4 for rotation/],
        [
            { clips: [{ channels: [...clip({}).clips[0]!.channels, ...clip({}).clips[0]!.channels] }] },
            /channels\[1\] moves the translation of node 2, like channel 0/,
        ],
    ])('rejects %j', (changes, message) => {
        expect(() => Rig.create(parts(changes as Partial<RigParts>))).toThrow(refusal('ERR_RIG_INVALID', message));
    });

    test.each([
        [null, 'parts'],
        [parts({ parents: 'no' as never }), 'parents'],
        [parts({ parents: [1, '2' as never, 0] }), 'parents\\[1\\]'],
        [parts({ rest: {} as never }), 'rest'],
        [parts({ names: [1, 2, 3] as never }), 'names\\[0\\]'],
        [parts({ skins: {} as never }), 'skins'],
        [parts({ skins: [null] as never }), 'skins\\[0\\]'],
        [parts({ clips: [{ channels: 3 }] as never }), 'clips\\[0\\].channels'],
        [
            parts(clip({ path: 'visibility' }) as never),
            "path must be one of 'translation', 'rotation', 'scale', 'weights'",
        ],
        [
            parts(clip({ interpolation: 'CUBIC' }) as never),
            "interpolation must be one of 'LINEAR', 'STEP', 'CUBICSPLINE'",
        ],
        [parts(clip({ node: '2' }) as never), 'node must be a number'],
        [parts(clip({ values: new DataView(new ArrayBuffer(8)) }) as never), 'values must be a list of numbers'],
        [parts(clip({ times: [0n, 1n] }) as never), 'times\\[0\\] must be a number'],
    ])('rejects the type of %#', (given, message) => {
        expect(() => Rig.create(given as RigParts)).toThrow(
            refusal('ERR_ARGUMENT_TYPE', `^Rig.create: .*${message}`, 'TypeError'),
        );
    });
});

describe('Rig.load', () => {
    test.each([undefined, 7, {}, new ArrayBuffer(4)])('rejects %p', async (input) => {
        await expect(Rig.load(input as never)).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' });
    });

    test.each(['ftp://user:PASS@host/a.glb', 'https://user:PASS@host/a.glb', ' https:/user:PASS@host'])(
        'rejects a URL without printing it, because it can contain a password: %s',
        async (url) => {
            const error = await Rig.load(url).catch((reason) => reason);
            expect(error).toMatchObject({ code: 'USAGE', message: expect.not.stringContaining('PASS') });
        },
    );

    test('a missing file, and bytes that are not glTF', async () => {
        await expect(Rig.load('/nowhere/at all.glb')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
        await expect(Rig.load(Uint8Array.of(1, 2, 3))).rejects.toMatchObject({ code: 'NOT_GLTF', file: 'bytes' });
    });
});

type Document = InstanceType<
    typeof import('@gltf-transform/core', { with: { 'resolution-mode': 'import' }})['Document']
>;

describe('Rig.fromDocument', () => {
    const core = () => import('@gltf-transform/core');

    for (const model of [FOX, KNIGHT]) {
        describeModel(model, () => {
            test('evaluates to the bytes of the original file', async () => {
                const { WebIO } = await core();
                const rigs = [
                    await Rig.load(model.path),
                    Rig.fromDocument(await new WebIO().readBinary(new Uint8Array(readFileSync(model.path)))),
                ] as const;
                expect(rigs[1].clips).toEqual(rigs[0].clips);
                expect(rigs[1].skins.map(({ name, parents }) => [name, [...parents]])).toEqual(
                    rigs[0].skins.map(({ name, parents }) => [name, [...parents]]),
                );
                const palettes = rigs.map((rig) => {
                    const clips = Uint16Array.from({ length: 200 }, (_, i) => i % rig.clips.length);
                    const poses = posed(
                        rig,
                        Float32Array.from(clips, (_, i) => (i * 0.37) % 1.3),
                        clips,
                    );
                    const out = new Float32Array(200 * rig.skins[0]!.joints.length * 16);
                    rig.palettes(poses, 0, out);
                    return Buffer.from(out.buffer);
                });
                expect(Buffer.compare(palettes[0]!, palettes[1]!)).toBe(0);
            });
        });
    }

    async function small(edit: (document: Document) => unknown): Promise<Document> {
        const { Document } = await core();
        const document = new Document();
        const buffer = document.createBuffer();
        const floats = (type: 'SCALAR' | 'VEC3', values: number[]) => {
            const accessor = document.createAccessor().setType(type).setBuffer(buffer);
            return accessor.setArray(Float32Array.from(values));
        };
        const child = document.createNode('child');
        const node = document.createNode('root').setTranslation([1, 2, 3]).addChild(child);
        document.createSkin('skin').addJoint(child).addJoint(node);
        const sampler = document.createAnimationSampler().setInput(floats('SCALAR', [0, 1]));
        sampler.setOutput(floats('VEC3', [0, 0, 0, 1, 1, 1]));
        const channel = document.createAnimationChannel().setTargetNode(child).setTargetPath('scale');
        document.createAnimation('grow').addSampler(sampler).addChannel(channel.setSampler(sampler));
        edit(document);
        return document;
    }

    test('a Document made from nothing; normalized integers are decoded', async () => {
        const document = await small((d) => {
            const [, output] = d.getRoot().listAccessors();
            output!.setArray(Int8Array.of(0, 0, 0, 127, -127, 127)).setNormalized(true);
        });
        const rig = Rig.fromDocument(document);
        expect(rig.slots.map(({ name, parent }) => [name, parent])).toEqual([
            ['root', -1],
            ['child', 0],
        ]);
        expect(localAt(rig, posed(rig, [0.25]), 0, 1).slice(7)).toEqual([0.25, -0.25, 0.25]);
    });

    type Root = ReturnType<Document['getRoot']>;
    const BAD_TIMES = Float32Array.of(1, 0);
    test.each<[pointer: string, RegExp, (root: Root) => unknown]>([
        ['/animations/0/channels/0/times/1', /times must ascend/, (r) => r.listAccessors()[0]!.setArray(BAD_TIMES)],
        [
            '/animations/0/channels/0/values',
            /must have 2 keys x 3 for scale/,
            (r) => r.listAccessors()[1]!.setArray(new Float32Array(3)),
        ],
        [
            '/animations/0/channels/0',
            /no sampler with both accessors/,
            (r) => r.listAnimations()[0]!.listSamplers()[0]!.setOutput(null),
        ],
        ['/nodes/0/translation/1', /must be finite/, (r) => r.listNodes()[0]!.setTranslation([0, NaN, 0])],
        [
            '/skins/0/joints',
            /at least one node/,
            (r) => r.listNodes().map((node) => r.listSkins()[0]!.removeJoint(node)),
        ],
    ])('a fault is an InputError with pointer and rule: %s', async (pointer, rule, edit) => {
        const document = await small((d) => edit(d.getRoot()));
        const load = () => Rig.fromDocument(document);
        expect(load).toThrow(InputError);
        const fault = { code: 'GLTF_INVALID', file: '', pointer, rule: expect.stringMatching(rule) };
        expect(load).toThrow(expect.objectContaining(fault));
    });

    test.each([null, {}, 'file.glb'])('rejects %p', (value) => {
        expect(() => Rig.fromDocument(value as never)).toThrow(refusal('ERR_ARGUMENT_TYPE', /document/, 'TypeError'));
    });
});
