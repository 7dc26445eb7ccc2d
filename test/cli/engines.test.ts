// SPDX-License-Identifier: MIT

/** Folders for engines on the command line: output, proof, cache and errors. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { wholeScene } from '../support/whole-scene';
import { inNewFolder, poselane } from './command-line';

inNewFolder();
beforeEach(() => writeFileSync('hero.glb', wholeScene().toGlb()));

const INFO = 'out/hero_vat/hero-remap_info.json';

test('a bake, its line, and its proof by folder and by file', async () => {
    const { code, stdout } = await poselane('bake hero.glb -o out --emit openvat,godot --fps 10');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hero\.glb: 2 clips, 22 rows .* -> out\/hero_vat\/, out\/hero_godot\/, /);
    for (const folder of ['hero_vat', 'hero_godot']) {
        const off = '[\\d.]+% of the extent \\([\\d.e-]+\\)';
        expect(stdout).toMatch(
            new RegExp(`\n  ${folder}: vertices off by at most ${off} between frames, ${off} in frames\n`),
        );
    }
    expect(readdirSync('out/hero_vat').sort()).toEqual(['hero-remap_info.json', 'hero.glb', 'hero_vat.exr']);
    expect(readdirSync('out/hero_godot').sort()).toEqual(['hero.gd', 'hero.gdshader', 'hero.glb', 'hero_palette.exr']);
    for (const named of ['out/hero_vat/', 'out', INFO]) {
        const proved = await poselane(`verify hero.glb ${named}`);
        expect([named, proved.code]).toEqual([named, 0]);
        expect(proved.stdout).toContain(`${INFO}: vertices proved: 22 frames of 240 vertices; off by at most `);
    }
    const godot = await poselane('verify hero.glb out/hero_godot/');
    expect([godot.code, godot.stdout]).toEqual([
        0,
        expect.stringContaining('palette.exr: vertices proved: 22 frames of '),
    ]);
    expect(godot.stdout).toMatch(/palette\.exr: normals: off by [\d.]+ degrees, [\d.]+ allowed there: clip #/);
    const { stdout: json } = await poselane(`verify hero.glb ${INFO} --json`);
    expect(JSON.parse(json)).toMatchObject({ ok: true, rows: 22, vertices: 240 });
});

test('a changed folder is reported as wrong', async () => {
    await poselane('bake hero.glb -o out --emit openvat --openvat png --fps 10');
    const info = JSON.parse(readFileSync(INFO, 'utf8'));
    info['os-remap'].Min[0] -= 0.1;
    writeFileSync(INFO, JSON.stringify(info));
    const { code, stdout, stderr } = await poselane('verify hero.glb out/hero_vat');
    expect(code).toBe(4);
    expect(stdout).toMatch(/: WRONG: 22 frames of 240 vertices; off by at most .*: clip #\d '.*', frame \d+, node \d+/);
    expect(stderr).toContain('not the bake that hero.glb and its recipe give');
    writeFileSync(INFO, '{}');
    expect((await poselane('verify hero.glb out/hero_vat')).code).toBe(3);
});

test('the cache restores the same folders', async () => {
    const line = 'bake hero.glb -o out --emit openvat,godot --fps 10 --cache cache';
    await poselane(line);
    const bytes = readFileSync('out/hero_vat/hero_vat.exr');
    writeFileSync('out/hero_vat/hero_vat.exr', '');
    const { stdout, stderr } = await poselane(line);
    expect(stdout).toContain('from the cache');
    expect(stderr).not.toContain('CACHE');
    expect(readFileSync('out/hero_vat/hero_vat.exr')).toEqual(bytes);
});

test('an input in an output folder is rejected', async () => {
    mkdirSync('out/hero_vat', { recursive: true });
    writeFileSync('out/hero_vat/hero.glb', wholeScene().toGlb());
    const { code, stderr } = await poselane(
        'bake hero.glb out/hero_vat/hero.glb -o out --keep-tree --emit openvat --fps 10',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('hero.glb')]);
    expect(existsSync(INFO)).toBe(false);
});

test('too many frames: an error with the numbers and a fix', async () => {
    const { code, stderr } = await poselane('bake hero.glb -o out --emit openvat --fps 2100');
    expect(code).toBe(3);
    expect(stderr).toMatch(/4202 frames.*4095.*choose clips by --clips, a lower --fps, or emit 'godot'/);
    expect(existsSync('out/hero_vat')).toBe(false);
});
