// SPDX-License-Identifier: MIT

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expandInputs, refuseCollisions, takeShard } from '../../lib/cli/inputs';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-inputs-'));
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    for (const name of ['b.glb', 'a.glb', 'B.gltf', 'x[1].glb', 'deep/c.glb', 'deep/er/d.glb', 'notes.txt']) {
        writeFileSync(join(folder, name), '');
    }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => names.map((name) => join(folder, name));

describe('expandInputs', () => {
    test.each([
        ['*.glb', ['a.glb', 'b.glb', 'x[1].glb']],
        ['**/*.glb', ['a.glb', 'b.glb', 'deep/c.glb', 'deep/er/d.glb', 'x[1].glb']],
        ['*.{glb,gltf}', ['B.gltf', 'a.glb', 'b.glb', 'x[1].glb']],
        ['deep/?.glb', ['deep/c.glb']],
    ])('%s, sorted by code units', async (pattern, found) => {
        expect(await expandInputs(at(pattern))).toEqual(at(...found));
    });

    test('a file that exists is no pattern, whatever its name', async () => {
        expect(await expandInputs(at('x[1].glb'))).toEqual(at('x[1].glb'));
    });

    test('the order of arguments stays, and each file comes once', async () => {
        expect(await expandInputs(at('b.glb', '*.glb', 'deep/../a.glb'))).toEqual(at('b.glb', 'a.glb', 'x[1].glb'));
    });

    test('a plain path that does not exist stays, to be reported where it is read', async () => {
        expect(await expandInputs(at('missing.glb'))).toEqual(at('missing.glb'));
    });

    test('a pattern that nothing matches is an InputError', async () => {
        await expect(expandInputs(at('*.fbx'))).rejects.toMatchObject({
            name: 'InputError',
            code: 'FILE_UNREADABLE',
            message: expect.stringContaining('no file matches'),
        });
    });
});

describe('refuseCollisions', () => {
    test.each([
        [['a/hero.glb', 'b/hero.glb']],
        [['hero.glb', 'hero.gltf']],
        [['hero.glb', 'other.glb', 'Hero.glb']],
        [['hero.glb', 'hero.skin0.glb']],
        [['hero.skin1.glb', 'hero.glb']],
    ])('%p', (inputs) => {
        expect(() => refuseCollisions(inputs)).toThrow(/would write the same files/);
    });

    test.each([[['hero.glb', 'hero2.glb', 'skin0.glb']], [['hero.skin0.glb', 'hero.skin1.glb']]])(
        '%p may be baked together',
        (inputs) => {
            expect(() => refuseCollisions(inputs)).not.toThrow();
        },
    );
});

test('shards: n processes take each input once', () => {
    const inputs = Array.from({ length: 10 }, (_, i) => `${i}.glb`);
    for (const count of [1, 2, 3, 7, 10, 12]) {
        const shards = Array.from({ length: count }, (_, i) => takeShard(inputs, { index: i + 1, count }));
        expect(shards.flat().sort()).toEqual(inputs);
        const sizes = shards.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
});
