// SPDX-License-Identifier: MIT

import { inNewFolder, printed, put, readGlb } from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();

async function bake(clips: string[], options: string): Promise<string> {
    put('hero.gltf', smallGltf({ clips }));
    const stdout = await printed(`bake hero.gltf -o . -j 1 ${options}`);
    return stdout;
}

const CLIPS = ['Idle', 'Walk', 'Run', 'Jump'];

test.each([['glb'], ['palette,glb']])('--emit %s: the numbers of clips that change are told with -v', async (emit) => {
    const told = /hero\.baked\.glb has these clips only, with other numbers: #1 is #0, #3 is #1\n/;
    expect(await bake(CLIPS, `--emit ${emit} --clips Jump,Walk -v`)).toMatch(told);
    const { animations } = readGlb('hero.baked.glb');
    expect(animations.map(({ name }: { name: string }) => name)).toEqual(['Walk', 'Jump']);
    for (const clips of ['Idle,Walk', CLIPS.join()]) {
        expect(await bake(CLIPS, `--emit ${emit} --clips ${clips} -v`)).not.toMatch(/other numbers/);
    }
});

test('an error in a model without an extent is a distance, and not 0% of it', async () => {
    // Both joints are at the origin at rest.
    const text = await bake(['Walk'], '--fps 0.7 --end clamp -v');
    expect(text).toMatch(/between rows off by at most /);
    expect(text).not.toMatch(/ 0% of the extent \([^0]/);
});
