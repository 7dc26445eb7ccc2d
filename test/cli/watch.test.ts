// SPDX-License-Identifier: MIT

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { run } from '../../lib/cli/main';
import { smallGltf } from './small-gltf';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-watch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const READY = /^poselane: watching (\d+) files? \(Ctrl-C ends\)\n/m;

/** A `bake --watch`. */
function started(...argv: string[]) {
    const controller = new AbortController();
    let said = '';
    let wake = () => {};
    const output = {
        write: (text: string) => {
            said += text.replaceAll(`${folder}${sep}`, '');
            wake();
        },
    };
    const ended = run(['bake', '--watch', ...argv], { stdout: output, stderr: output, signal: controller.signal });
    return {
        /** What is said up to a line that begins so; by default that all is done, and it waits again. */
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
            return ended;
        },
    };
}

/** The inputs that were baked, by the lines that tell so. */
const baked = (text: string) => [...text.matchAll(/^(\S+): \d+ clips?, /gm)].map(([, name]) => name);

/** A file with its buffer in another. */
function writeParted(name: string): void {
    const model = JSON.parse(smallGltf());
    const [, data] = /base64,(.*)$/.exec(model.buffers[0].uri)!;
    model.buffers[0].uri = `${name}.bin`;
    writeFileSync(at(`${name}.bin`), Buffer.from(data!, 'base64'));
    writeFileSync(at(`${name}.gltf`), JSON.stringify(model));
}

test('what changes is baked again, and nothing else; a failure does not end it, Ctrl-C does', async () => {
    writeParted('a');
    writeFileSync(at('b.gltf'), smallGltf());
    const config = (fps: number) =>
        JSON.stringify({ out: 'out', html: 'pages/', report: 'report.json', recipes: [{ files: 'b.gltf', fps }] });
    writeFileSync(at('config.json'), config(30));
    const watching = started(at('*.gltf'), '--config', at('config.json'));
    expect(baked(await watching.until())).toEqual(['a.gltf', 'b.gltf']);

    // A file that another refers to, and one that an editor replaces.
    const bytes = readFileSync(at('a.bin'));
    bytes.writeFloatLE(2, bytes.length - 8);
    writeFileSync(at('a.bin'), bytes);
    expect(baked(await watching.until())).toEqual(['a.gltf']);
    writeFileSync(at('new'), smallGltf({ clips: ['Jump'] }));
    renameSync(at('new'), at('b.gltf'));
    expect(await watching.until()).toMatch(/^b\.gltf: 1 clip, (.*\n)*.*index\.html: 2 files\n/);

    writeFileSync(at('c.gltf'), '{');
    const failed = await watching.until();
    expect([baked(failed), READY.exec(failed)?.[1]]).toEqual([[], '3']);
    expect(failed).toMatch(/^poselane: c\.gltf: must be a GLB file or JSON /m);
    writeFileSync(at('c.gltf'), smallGltf());
    expect(baked(await watching.until())).toEqual(['c.gltf']);

    // Of the recipes one changes.
    writeFileSync(at('config.json'), '{');
    expect(await watching.until(/not JSON/)).toMatch(/^poselane: config\.json: this is not JSON/);
    writeFileSync(at('config.json'), config(60));
    expect(baked(await watching.until())).toEqual(['b.gltf']);

    rmSync(at('c.gltf'));
    expect(await watching.until()).toMatch(/^\S+index\.html: 2 files\nposelane: watching 2 files/);
    const { inputs, ...counts } = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    expect([inputs.length, counts.baked, counts.failed]).toEqual([2, 2, 0]);
    expect(await watching.end()).toBe(130);
    expect(readdirSync(at('out')).filter((name) => !/^[abc]\.bake\.(json|bin)$/.test(name))).toEqual([]);
});

test('clips of other files are watched, and outputs are no inputs', async () => {
    writeFileSync(at('hero.gltf'), smallGltf({ clips: ['Walk'] }));
    writeFileSync(at('moves.txt'), smallGltf({ clips: ['Jump'] }));
    const argv = [at('*.gl{tf,b}'), '-o', folder, '--emit', 'glb', '--animations', at('moves.txt')];
    const watching = started(...argv);
    expect(baked(await watching.until())).toEqual(['hero.gltf']);
    writeFileSync(at('moves.txt'), smallGltf({ clips: ['Jump', 'Dance'] }));
    expect(await watching.until()).toMatch(/^hero\.gltf: 3 clips, /);
    rmSync(at('hero.gltf'));
    expect(await watching.until()).toMatch(
        /^poselane: \*\.gl\{tf,b\}: this finds only outputs of this bake; name the inputs\n/,
    );
    writeFileSync(at('hero.gltf'), smallGltf({ clips: ['Walk'] }));
    expect(baked(await watching.until())).toEqual(['hero.gltf']);
    expect(await watching.end()).toBe(130);
    expect(readdirSync(folder).sort()).toEqual(['hero.gltf', 'hero.resampled.glb', 'moves.txt']);
});

test('wrong use ends it', async () => {
    writeFileSync(at('hero.gltf'), smallGltf());
    const watching = started(at('hero.gltf'), '-o', at('out'), '--emit', 'pallete');
    expect(await watching.until()).toMatch(/^poselane: --emit has 'pallete'/);
    expect(await watching.end()).toBe(2);
});
