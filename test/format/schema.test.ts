// SPDX-License-Identifier: MIT

/** Manifests of every kind match the JSON Schema, and our own check of it agrees with Ajv, which is independent. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { BakeOptions } from '../../lib/bake';
import { bakeFile } from '../../lib/bake';
import { bakeScene } from '../../lib/bake/bake';
import { EMITS, OWN_FILES } from '../../lib/bake/plan/options';
import { conforms } from '../../lib/format/conforms';
import { strictManifest } from '../../lib/format/strict-manifest';
import type { GltfScene } from '../../lib/gltf/scene';
import { creature } from '../bake/baked-scenes';
import { channel, node, scene, skin } from '../rig/scenes';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN } from '../support/models';
import { quantizedModel, ROUNDED } from '../support/quantized-model';
import { clipsAlone } from '../support/split-file';
import { scratchFolder } from '../support/temporary-folder';

const { mutateJson, textOf } = require('../long/fuzz-gltf/mutate-json.cjs');
const { createRandom } = require('../long/sweep/random.cjs');

const schema = JSON.parse(readFileSync(join(__dirname, '../../lib/format/manifest.schema.json'), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false, validateFormats: false });
const validate = ajv.compile(schema);

const folder = scratchFolder();

function expectValid(json: string): void {
    validate(JSON.parse(json));
    expect(validate.errors ?? []).toEqual([]);
}

const ARRAYS = EMITS.filter((name) => !(OWN_FILES as readonly string[]).includes(name));

const OPTIONS: readonly BakeOptions[] = [
    {},
    { emit: ARRAYS },
    ...ARRAYS.map((name) => ({ emit: [name] })),
    { layout: 'mat3x4' },
    { dtype: 'f16', maxError: 0.1 },
    { dtype: 'f16', layout: 'mat3x4', maxError: 0.1 },
    { end: 'fit', fps: 29.97 },
    { space: 'skin-root', emit: ARRAYS },
    { from: 0, to: 0.3, fps: '24000/1001' },
    { renormalize: true, strict: false, maxRows: 1000 },
    { fps: 'auto', maxError: 0.1, clips: ['walk'] },
    { fps: 7, clips: ['walk'], from: 0.25, to: 0.9 },
    { emit: ['hit'], hitJoints: 'hand' },
];

describe('manifests', () => {
    test.each(OPTIONS)('of %j', async (options) => {
        for (const { json } of (await bakeScene(creature(1), options)).outputs) expectValid(json);
    });

    const move = channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 0, 0]);
    test('of qts16; invalid without its pivots, or with float32', async () => {
        const plain = scene([node(-1), node(0)], [skin([0, 1])], [{ name: 'move', channels: [move] }]);
        const { json } = (await bakeScene(plain, { layout: 'qts16', maxError: 0.1 })).outputs[0]!;
        expectValid(json);
        const wrong = [
            [0, 0],
            [0, 0, 0, 0.5],
            [0, 0, 0, 4, 5],
        ].map((pivot) => ({ pivots: [pivot] }));
        for (const change of [{ pivots: undefined }, { dtype: 'f32' }, { layout: 'mat4' }, ...wrong]) {
            const manifest = JSON.parse(json);
            Object.assign(manifest.arrays.palette, change);
            expect(validate(JSON.parse(JSON.stringify(manifest)))).toBe(false);
        }
    });

    test('of qts16 with a stretched column', async () => {
        const grow = channel(1, 'scale', 'LINEAR', [0, 1], [1, 1, 1, 1, 2, 1]);
        const file = scene(
            [node(-1), node(0, { translation: [1, 1, 0] })],
            [skin([0, 1])],
            [{ name: 'grow', channels: [move, grow] }],
        );
        const { json, manifest } = (await bakeScene(file, { layout: 'qts16' })).outputs[0]!;
        expect(manifest.arrays.palette!.shape.slice(1)).toEqual([5, 4]);
        expectValid(json);
    });

    test.each<[string, GltfScene]>([
        [
            'without names, a mesh or a common root',
            scene([node(-1), node(-1)], [skin([0, 1])], [{ name: '', channels: [move] }]),
        ],
        ['with a name to encode', { ...creature(2), name: 'a hero #1?:2.glb' }],
        ['with warnings', scene([node(-1)], [skin([0])], [{ name: 'still', channels: [] }])],
        ['without any array, because nothing morphs', { ...creature(2), skinnedMeshes: [] }],
    ])('%s', async (_, s) => {
        for (const { json } of (await bakeScene(s, {})).outputs) expectValid(json);
        for (const { json } of (await bakeScene(s, { emit: ['morph'] })).outputs) expectValid(json);
    });

    test('of skins that share a palette after a scale and a translation; not after a mirror', async () => {
        const { json } = (await bakeFile(quantizedModel(folder(), 'parts', ROUNDED), { fps: 12 })).outputs[0]!;
        expectValid(json);
        expect(validate(JSON.parse(json.replace('"scale": ', '"scale": -')))).toBe(false);
    });

    test('of clips of other files', async () => {
        const bytes = clipsAlone(CHARACTER.path, (name) => `rig_${name}`);
        const options = { rename: { 'rig_*': '*' }, retarget: 'rotation', unmatched: 'warn' } as const;
        const animations = [{ name: 'clips.glb', bytes }];
        const { outputs } = await bakeFile(CHARACTER.path, { ...options, animations });
        expectValid(outputs[0]!.json);
        const file = { name: 'clips.glb', sha256: expect.any(String), clips: 3 };
        expect(outputs[0]!.manifest.source.animations).toEqual([file]);
    });

    for (const model of [CHARACTER, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN]) {
        describeModel(model, () => {
            test('with every array', async () => {
                for (const { json } of (await bakeFile(model.path, { fps: 12, emit: ARRAYS })).outputs)
                    expectValid(json);
            });
        });
    }
});

describe('faults are found', () => {
    type Manifest = Record<string, never> & { clips: Record<string, unknown>[]; arrays: Record<string, object> };
    const wrong: [string, (manifest: Manifest) => void][] = [
        ['another format', (m) => Object.assign(m, { format: 'poselane' })],
        ['another version', (m) => Object.assign(m, { version: 2 })],
        ['an unknown key', (m) => Object.assign(m, { date: 'today' })],
        ['no checksum', (m) => Object.assign(m, { binary: { uri: 'a.bake.bin', byteLength: 1 } })],
        ['a folder in the uri', (m) => Object.assign(m.binary!, { uri: '../a.bake.bin' })],
        ['a clip without its error', (m) => delete m.clips[0]!.error],
        ['a clip without frames', (m) => Object.assign(m.clips[0]!, { frameCount: 0 })],
        ['a jump into the first frame', (m) => Object.assign(m.clips[0]!, { discontinuities: [0] })],
        ['bounds of five numbers', (m) => Object.assign(m.clips[0]!, { bounds: [0, 0, 0, 1, 1] })],
        ['an unaligned array', (m) => Object.assign(m.arrays.palette!, { byteOffset: 4 })],
        ['a layout that does not match', (m) => Object.assign(m.arrays.palette!, { layout: 'mat3x4' })],
        ['an array with an unknown name', (m) => Object.assign(m.arrays, { normals: m.arrays.palette })],
        [
            'hit without its joints',
            (m) => Object.assign(m.arrays, { hit: { ...m.arrays.palette, layout: 'mat3x4', shape: [1, 1, 12] } }),
        ],
        ['a layout that is not for palettes', (m) => Object.assign(m.arrays.palette!, { layout: 'trs' })],
    ];
    test.each(wrong)('%s', async (_, spoil) => {
        const manifest = JSON.parse((await bakeScene(creature(1))).outputs[0]!.json);
        expect(validate(manifest)).toBe(true);
        spoil(manifest);
        expect(validate(manifest)).toBe(false);
    });
});

test('conforms agrees with Ajv', async () => {
    const bakes = [
        await bakeScene(creature(2), { emit: ARRAYS, clips: ['walk'], from: 0.1 }),
        await bakeScene(creature(1), { layout: 'mat3x4', end: 'fit' }),
        await bakeScene(creature(1), { layout: 'qts16', maxError: '100%' }),
    ];
    const texts = bakes.flatMap(({ outputs }) => outputs.map(({ json }) => json));
    const random = createRandom('conforms');
    const counts = { true: 0, false: 0 };
    for (let i = 0; i < 2000; i++) {
        const manifest = { root: JSON.parse(texts[i % texts.length]!) };
        for (let k = random.below(3); k > 0; k--) mutateJson(manifest.root, random);
        const value = JSON.parse(textOf(manifest.root));
        const expected = validate(value);
        counts[`${expected}`]++;
        if (conforms(value, schema) !== expected) throw new Error(`${!expected}: ${JSON.stringify(value)}`);
    }
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(500);
});

test('every keyword of the schema is known, and another one is an error', () => {
    const [name, rule] = ['properties', { contains: {} }];
    expect(() => conforms({ a: 1 }, { [name]: { a: rule } })).toThrow(/contains is not known/);
    const subschemas = (value: unknown): unknown[] =>
        typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(subschemas)] : [];
    const { $defs } = schema;
    for (const one of Object.values($defs)) {
        expect(() => conforms({}, { ...(one as object), $defs })).not.toThrow();
        expect(() => conforms([0], { ...(one as object), $defs })).not.toThrow();
    }
    expect(subschemas(schema).length).toBeGreaterThan(100);
});

test('a strict manifest has exactly one text, for a bin of its length', async () => {
    const { outputs } = await bakeScene(creature(1), { emit: ARRAYS });
    const [{ json, bin, manifest }] = outputs as [(typeof outputs)[number]];
    expect(strictManifest(Buffer.from(json), bin.length)).toEqual({ json, manifest });
    for (const text of [`${json} `, json.trim(), `\ufeff${json}`, json.replace('{', '{"version":1,'), 'null', '']) {
        expect(() => strictManifest(Buffer.from(text), bin.length)).toThrow();
    }
    expect(() => strictManifest(Buffer.from(json), bin.length + 1)).toThrow();
    expect(() => strictManifest(Buffer.from(json.replace('"name"', '"\xff"'), 'latin1'), bin.length)).toThrow();
});
