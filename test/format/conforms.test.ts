// SPDX-License-Identifier: MIT

/** The check of manifests agrees with Ajv, an independent implementation of JSON Schema, on manifests that are changed at random. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { bakeScene } from '../../lib/bake/bake';
import { EMITS, OWN_FILES } from '../../lib/bake/plan/options';
import { conforms } from '../../lib/format/conforms';
import { strictManifest } from '../../lib/format/strict-manifest';
import { creature } from '../bake/baked-scenes';

const { mutateJson, textOf } = require('../long/fuzz-gltf/mutate-json.cjs');
const { createRandom } = require('../long/sweep/random.cjs');

const schema = JSON.parse(readFileSync(join(__dirname, '../../lib/format/manifest.schema.json'), 'utf8'));
const ajv = new Ajv2020({ strictTypes: false, strictTuples: false, validateFormats: false });
const validate = ajv.compile(schema);
const emit = EMITS.filter((name) => !OWN_FILES.includes(name));

test('a manifest conforms where Ajv says so', async () => {
    const bakes = [
        await bakeScene(creature(2), { emit, clips: ['walk'], from: 0.1 }),
        await bakeScene(creature(1), { layout: 'mat3x4', end: 'fit' }),
    ];
    const texts = bakes.flatMap(({ outputs }) => outputs.map(({ json }) => json));
    const random = createRandom('conforms');
    const counts = { true: 0, false: 0 };
    for (let i = 0; i < 4000; i++) {
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

test('a strict manifest is the one text that is written, for a bin of its length', async () => {
    const { outputs } = await bakeScene(creature(1), { emit });
    const [{ json, bin, manifest }] = outputs as [(typeof outputs)[number]];
    expect(strictManifest(Buffer.from(json), bin.length)).toEqual({ json, manifest });
    for (const text of [`${json} `, json.trim(), `\ufeff${json}`, json.replace('{', '{"version":1,'), 'null', '']) {
        expect(() => strictManifest(Buffer.from(text), bin.length)).toThrow();
    }
    expect(() => strictManifest(Buffer.from(json), bin.length + 1)).toThrow();
    expect(() => strictManifest(Buffer.from(json.replace('"name"', '"\xff"'), 'latin1'), bin.length)).toThrow();
});
