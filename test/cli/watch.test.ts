// SPDX-License-Identifier: MIT

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { filesIn, inNewFolder, poselane, readJson } from './command-line';
import { smallBytes, smallGltf } from './small-gltf';

inNewFolder();

const READY = /^poselane: watching (\d+) files? \(Ctrl-C ends\)\n/m;

/** A `bake --watch`. */
function started(...argv: string[]) {
    const controller = new AbortController();
    let said = '';
    let wake = () => {};
    const onText = (text: string) => {
        said += text;
        wake();
    };
    const ended = poselane(['bake', '--watch', ...argv], { signal: controller.signal, onText });
    return {
        /** Waits for a line with this start, by default the one after all bakes. Returns the output up to it. */
        async until(line = READY): Promise<string> {
            for (let done = false; !done; ) {
                if (line.test(said)) break;
                const more = new Promise<boolean>((resolve) => {
                    wake = () => resolve(false);
                });
                done = await Promise.race([more, ended.then(() => true)]);
            }
            const text = said;
            said = '';
            return text;
        },
        async end(): Promise<number> {
            controller.abort();
            return (await ended).code;
        },
    };
}

/** The baked inputs, from the lines that report them. */
const baked = (text: string) => [...text.matchAll(/^(\S+): \d+ clips?, /gm)].map(([, name]) => name);

test('bakes only what changes; a failure does not end it, Ctrl-C does', async () => {
    writeFileSync('a.bin', smallBytes());
    writeFileSync('a.gltf', smallGltf({ buffer: 'a.bin' }));
    writeFileSync('b.gltf', smallGltf());
    const config = (fps: number) =>
        JSON.stringify({ out: 'out', html: 'pages/', report: 'report.json', recipes: [{ files: 'b.gltf', fps }] });
    writeFileSync('config.json', config(30));
    const watching = started('*.gltf', '--config', 'config.json');
    expect(baked(await watching.until())).toEqual(['a.gltf', 'b.gltf']);

    // A file that another refers to, and one that an editor replaces.
    const bytes = readFileSync('a.bin');
    bytes.writeFloatLE(2, bytes.length - 8);
    writeFileSync('a.bin', bytes);
    expect(baked(await watching.until())).toEqual(['a.gltf']);
    writeFileSync('new', smallGltf({ clips: ['Jump'] }));
    renameSync('new', 'b.gltf');
    expect(await watching.until()).toMatch(/^b\.gltf: 1 clip, (.*\n)*.*index\.html: 2 files\n/);

    writeFileSync('c.gltf', '{');
    const failed = await watching.until();
    expect([baked(failed), READY.exec(failed)?.[1]]).toEqual([[], '3']);
    expect(failed).toMatch(/^poselane: c\.gltf: must be a GLB file or JSON /m);
    writeFileSync('c.gltf', smallGltf());
    expect(baked(await watching.until())).toEqual(['c.gltf']);

    // One of the recipes changes.
    writeFileSync('config.json', '{');
    expect(await watching.until(/not JSON/)).toMatch(/^poselane: config\.json: this is not JSON/);
    writeFileSync('config.json', config(60));
    expect(baked(await watching.until())).toEqual(['b.gltf']);

    rmSync('c.gltf');
    expect(await watching.until()).toMatch(/^\S+index\.html: 2 files\nposelane: watching 2 files/);
    const { inputs, ...counts } = readJson('report.json');
    expect([inputs.length, counts.baked, counts.failed]).toEqual([2, 2, 0]);
    expect(await watching.end()).toBe(130);
    expect(readdirSync('out').filter((name) => !/^[abc]\.bake\.(json|bin)$/.test(name))).toEqual([]);
});

test('clips of other files are watched, and outputs are not inputs', async () => {
    writeFileSync('hero.gltf', smallGltf({ clips: ['Walk'] }));
    writeFileSync('moves.txt', smallGltf({ clips: ['Jump'] }));
    const argv = ['*.gl{tf,b}', '-o', '.', '--emit', 'glb', '--animations', 'moves.txt'];
    const watching = started(...argv);
    expect(baked(await watching.until())).toEqual(['hero.gltf']);
    writeFileSync('moves.txt', smallGltf({ clips: ['Jump', 'Dance'] }));
    expect(await watching.until()).toMatch(/^hero\.gltf: 3 clips, /);
    rmSync('hero.gltf');
    expect(await watching.until()).toMatch(
        /^poselane: \*\.gl\{tf,b\}: this finds only outputs of this bake; name the inputs\n/,
    );
    writeFileSync('hero.gltf', smallGltf({ clips: ['Walk'] }));
    expect(baked(await watching.until())).toEqual(['hero.gltf']);
    expect(await watching.end()).toBe(130);
    expect(filesIn()).toEqual(['hero.baked.glb', 'hero.gltf', 'moves.txt']);
});

test('wrong use ends it', async () => {
    writeFileSync('hero.gltf', smallGltf());
    const watching = started('hero.gltf', '-o', 'out', '--emit', 'pallete');
    expect(await watching.until()).toMatch(/^poselane: --emit has 'pallete'/);
    expect(await watching.end()).toBe(2);
});
