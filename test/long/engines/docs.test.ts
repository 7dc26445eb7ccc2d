// SPDX-License-Identifier: MIT

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandsOf, runPoselane } from '../../support/documents';
import { CHARACTER } from '../../support/models';

const at = mkdtempSync(join(__dirname, '../../../build/engines-docs-'));
afterAll(() => rmSync(at, { recursive: true, force: true }));

test('every command of docs/engines.md runs, and writes what the page names', () => {
    copyFileSync(CHARACTER.path, join(at, 'hero.glb'));
    const all = commandsOf('docs/engines.md');
    expect(all).toHaveLength(5);
    // The command warns of the example's jumps.
    expect(all.map(({ line }) => runPoselane(line, at).status)).toEqual([0, 0, 0, 0, 0]);
    const godot = ['game/.gdshader', 'game3/.shader'].flatMap((shader) => {
        const [folder, ending] = shader.split('/');
        return ['.glb', '_palette.exr', '.gd', ending].map((end) => `${folder}/hero_godot/hero${end}`);
    });
    const vat = ['hero.glb', 'hero_vat.exr', 'hero-remap_info.json'].map((name) => `out/hero_vat/${name}`);
    expect([...godot, ...vat].filter((name) => !existsSync(join(at, name)))).toEqual([]);
});
