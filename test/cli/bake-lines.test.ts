// SPDX-License-Identifier: MIT

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { smallGltf } from './small-gltf';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function bake(clips: string[], ...argv: string[]): Promise<string> {
    const input = join(folder, 'hero.gltf');
    writeFileSync(input, smallGltf({ clips }));
    const texts: string[] = [];
    const output = { write: (text: string) => texts.push(text) };
    expect(await run(['bake', input, '-o', folder, '-j', '1', ...argv], { stdout: output, stderr: output })).toBe(0);
    return texts.join('');
}

const CLIPS = ['Idle', 'Walk', 'Run', 'Jump'];

test.each([['glb'], ['palette,glb']])('--emit %s: the numbers of clips that change are told with -v', async (emit) => {
    const told = /hero\.resampled\.glb has these clips only, with other numbers: #1 is #0, #3 is #1\n/;
    expect(await bake(CLIPS, '--emit', emit, '--clips', 'Jump,Walk', '-v')).toMatch(told);
    const glb = readFileSync(join(folder, 'hero.resampled.glb'));
    const { animations } = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
    expect(animations.map(({ name }: { name: string }) => name)).toEqual(['Walk', 'Jump']);
    for (const clips of ['Idle,Walk', CLIPS.join()]) {
        expect(await bake(CLIPS, '--emit', emit, '--clips', clips, '-v')).not.toMatch(/other numbers/);
    }
});

test('an error in a model without an extent is a distance, and not 0% of it', async () => {
    // Both joints are at the origin at rest.
    const text = await bake(['Walk'], '--fps', '0.7', '--end', 'clamp', '-v');
    expect(text).toMatch(/between rows off by at most /);
    expect(text).not.toMatch(/ 0% of the extent \([^0]/);
});
