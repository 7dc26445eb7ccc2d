// SPDX-License-Identifier: MIT

/** A mesh and clips of real models, parted and brought together again. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { verifyBake } from '../../../lib/verify';
import { CHARACTER, describeModel, KNIGHT, ROBOT, ROGUE } from '../../support/models';
import { clipsAlone, fileOf, meshAlone } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const ALL: BakeOptions = { fps: 24, emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'] };
const schema = JSON.parse(readFileSync(join(__dirname, '../../../lib/format/manifest.schema.json'), 'utf8'));
const isManifest = new Ajv2020({ strictTypes: false, strictTuples: false, validateFormats: false }).compile(schema);

for (const model of [CHARACTER, KNIGHT, ROBOT]) {
    describeModel(model, () => {
        test('parted and brought together again: the bytes of the whole', async () => {
            const hero = fileOf(folder(), basename(model.path), meshAlone(model.path));
            const clips = fileOf(folder(), `${model.name}-clips.glb`, clipsAlone(model.path));
            const options = { ...ALL, fps: model === CHARACTER ? 24 : 5 };
            const whole = await bakeFile(model.path, options);
            const parted = await bakeFile(hero, { ...options, animations: [clips] });
            expect(parted.outputs.length).toBe(whole.outputs.length);
            for (const [i, { bin, json }] of parted.outputs.entries()) {
                expect(Buffer.compare(bin, whole.outputs[i]!.bin)).toBe(0);
                const { source, ...rest } = JSON.parse(json);
                const { source: other, ...wanted } = JSON.parse(whole.outputs[i]!.json);
                expect(rest).toEqual(wanted);
                const [{ sha256 }] = source.animations;
                expect(source.animations).toEqual([{ name: basename(clips), sha256, clips: rest.clips.length }]);
                expect(new Set([sha256, source.sha256, other.sha256]).size).toBe(3);
                expect(isManifest(JSON.parse(json))).toBe(true);
            }
            expect(parted.inputs).toEqual([hero, clips]);
            const [written] = await writeBake(parted, join(folder(), model.name));
            expect(await verifyBake(hero, written!.json)).toMatchObject({ ok: true, problems: [] });
        });
    });
}

describeModel(ROGUE, () => {
    test("with Knight's clips it is as with its own, within 1e-6", async () => {
        const own = await bakeFile(ROGUE.path, { fps: 6 });
        const hero = fileOf(folder(), 'Rogue.glb', meshAlone(ROGUE.path));
        const { outputs, warnings } = await bakeFile(hero, { fps: 6, animations: [KNIGHT.path] });
        expect(warnings.map(({ code }) => code)).toEqual(own.warnings.map(({ code }) => code));
        const [a, b] = [own.outputs[0]!, outputs[0]!].map(({ bin, manifest }) => {
            const { byteOffset, byteLength } = manifest.arrays.palette!;
            return new Float32Array(bin.buffer, bin.byteOffset + byteOffset, byteLength / 4);
        }) as [Float32Array, Float32Array];
        expect(b.length).toBe(a.length);
        const off = a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i]!)), 0);
        expect(off).toBeLessThanOrEqual(1e-6);
        expect(off).toBeGreaterThan(0);
    });
});
