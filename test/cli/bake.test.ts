// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import type * as nodeFiles from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { evaluationOf } from '../../lib/cli/bake-lines';
import { createProgress } from '../../lib/cli/progress';
import type { IndexData } from '../../lib/report/data';
import { startStore } from '../cache/store-server';
import { readPage } from '../report/read-page';
import { CHARACTER } from '../support/models';
import {
    expectRun,
    filesIn,
    inNewFolder,
    type Outcome,
    poselane,
    printed,
    put,
    readGlb,
    readJson,
} from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();
beforeEach(() => put('small.gltf', smallGltf()));

const manifest = () => readJson('out/small.bake.json');
const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);

describe('poselane bake', () => {
    test('names can be as long as the file system allows', async () => {
        const stem = 'x'.repeat(255 - '.bake.json'.length);
        const report = 'r'.repeat(255);
        put(`${stem}.gltf`, smallGltf());
        await printed(`bake ${stem}.gltf -o out --report ${report}`);
        expect(filesIn('out')).toEqual([`${stem}.bake.bin`, `${stem}.bake.json`]);
        expect(readJson(report).baked).toBe(1);
    });

    test('writes the pair, and a summary on stdout; nothing on stderr', async () => {
        const lines = await printed('bake small.gltf -o out --fps 30 --verbose');
        expect(filesIn('out')).toEqual(['small.bake.bin', 'small.bake.json']);
        const [summary, playback, walk, run, evaluation] = lines.split('\n');
        expect(summary).toMatch(
            /^small\.gltf: 2 clips, 62 rows of 2 joints at 30 fps -> out\/small\.bake\.\{json,bin\}, [\d.]+ KiB, [\d,]+ ms$/,
        );
        expect(playback).toMatch(
            /^ {2}between rows off by at most [\d.]+% of the extent \([\d.e-]+\): clip #0 'Walk', joint 1 'knee' \(node 1\), at [\d.]+ s$/,
        );
        expect(walk).toBe("  clip #0 'Walk': 31 rows at 30 fps, off by at most 0.00000298% of the extent");
        expect(run).toBe("  clip #1 'Run': 31 rows at 30 fps, off by at most 0.00000298% of the extent");
        expect(evaluation).toMatch(
            /^ {2}evaluation (under 1 ms|[\d,]+ ms: [\d,]+ joint-frames\/s), backend (native|wasm|ts)$/,
        );
        expect((await printed('bake small.gltf -o out --fps 30')).split('\n')).toHaveLength(3);
        expect(manifest().binary.byteLength).toBe(62 * 2 * 64);
        expect(fs.statSync('out/small.bake.bin').size).toBe(62 * 2 * 64);
    });

    test('large error between rows: a warning with a better option, and the place', async () => {
        await expectRun(`bake ${CHARACTER.path} -o out --fps 30`, {
            stdout: /\n {2}between rows off by at most 1\.99% of the extent \(0\.0319\): clip #0 'Idle', joint 8 'Ear_L' \(node 10\), at 1\.4 s; jumps /,
            stderr: /^poselane: warning PLAYBACK_ERROR_LARGE: .+character\.glb#\/animations\/0: 2 of 3 clips are off by more than 1% of the extent between rows, clip #0 'Idle' by 1\.99%: fps 'auto' finds a rate for each clip\n$/,
        });
        const stderr = /PLAYBACK_ERROR_LARGE, an error with strict/;
        await expectRun(`bake ${CHARACTER.path} -o no --fps 30 --strict`, { code: 3, stderr });
        const advice = /\n {2}--fps auto: 278 KiB instead of 589 KiB at the same 1%\n$/;
        expect(await printed(`bake ${CHARACTER.path} -o out --fps 60`)).toMatch(advice);
    });

    test('the summary states how late jumps are, and where', async () => {
        expect(await printed('bake small.gltf -o out')).not.toContain('late');
        const gltf = JSON.parse(smallGltf());
        // The knee is scaled at 0.51 s, without transition: shown at 16/30 s.
        const bytes = Buffer.from(Float32Array.of(0, 0.51).buffer);
        const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
        gltf.buffers.push({ byteLength: 8, uri });
        gltf.bufferViews.push({ buffer: 1, byteLength: 8 });
        gltf.accessors.push({ ...gltf.accessors[0], bufferView: 2, max: [Math.fround(0.51)] });
        gltf.animations[1].samplers.push({ input: 2, output: 1, interpolation: 'STEP' });
        gltf.animations[1].channels.push({ sampler: 1, target: { node: 1, path: 'scale' } });
        put('small.gltf', JSON.stringify(gltf));
        expect(await printed('bake small.gltf -o out --fps 30')).toMatch(/; jumps up to 0\.0233 s late\n$/);
        expect(await printed('bake small.gltf -o out --fps 100')).not.toContain('late');
    });

    // Keys one second apart on a straight line.
    test.each<[string, [number, number], string[]]>([
        ['', [1, 1], ['Walk', 'Run']],
        [' --fps keys --clips Run', [24, 1], ['Run']],
        [' --fps 24000/1001 --clips Run,Walk', [24000, 1001], ['Walk', 'Run']],
        [' --fps 29.97 --clips Run --clips Walk', [2997, 100], ['Walk', 'Run']],
        [' --min-fps 0 --clips #1', [1, 1], ['Run']],
    ])('bake%s', async (options, fps, clips) => {
        expect((await poselane(`bake small.gltf -o out${options}`)).code).toBe(0);
        expect([manifest().recipe.fps, namesOf(manifest().clips)]).toEqual([fps, clips]);
    });

    test('several skins: a pair each; with --skin one pair', async () => {
        put('small.gltf', smallGltf({ skins: 2 }));
        const told = await printed('bake small.gltf -o out --fps 30');
        const kinds = ['skin0.bake.bin', 'skin0.bake.json', 'skin1.bake.bin', 'skin1.bake.json'];
        expect(filesIn('out')).toEqual(kinds.map((kind) => `small.${kind}`));
        expect(told).toContain('62 rows of 2 + 2 joints at 30 fps -> out/small.skin{0,1}.bake.{json,bin}, ');
        fs.rmSync('out', { recursive: true });
        await poselane('bake small.gltf -o out --skin 1');
        expect(filesIn('out')).toEqual(['small.bake.bin', 'small.bake.json']);
        expect(manifest().skin.index).toBe(1);
    });

    test('--emit glb: the whole file with dense keys, without or with the pair', async () => {
        const alone = await printed('bake small.gltf -o out --fps 30 --emit glb');
        expect(filesIn('out')).toEqual(['small.baked.glb']);
        expect(alone).toMatch(/: 2 clips, 62 rows -> .*small\.baked\.glb, [\d.]+ KiB, [\d,]+ ms\n$/);
        const both = await printed('bake small.gltf -o out --emit palette,glb');
        expect(filesIn('out')).toEqual(['small.bake.bin', 'small.bake.json', 'small.baked.glb']);
        expect(both).toContain('out/small.bake.{json,bin}, out/small.baked.glb, ');
    });

    test('--container glb: one file for each skin, with the reported size and name; other values of --emit get their own files', async () => {
        put('small.gltf', smallGltf({ skins: 2 }));
        const one = 'bake small.gltf -o out --container glb --report report.json';
        const told = await printed(`${one} --emit palette,glb`);
        const names = ['small.baked.glb', 'small.skin0.bake.glb', 'small.skin1.bake.glb'];
        expect(filesIn('out')).toEqual(names);
        expect(told).toContain(' -> out/small.skin{0,1}.bake.glb, out/small.baked.glb, ');
        const { outputs } = readJson('report.json').inputs[0];
        const sizes = outputs.map((output: Record<string, number>) => output.byteLength! + output.jsonByteLength!);
        expect(sizes).toEqual(names.slice(1).map((name) => fs.statSync(join('out', name)).size));
        expect(outputs.map(({ container }: { container: string }) => container)).toEqual(['glb', 'glb']);
        expect(await printed(`${one} --dry-run --skin 0`)).toContain(' -> out/small.bake.glb (dry run: not written), ');
        expect(filesIn('out')).toEqual(names);
    });

    test('warnings: one line each on stderr, with code and place', async () => {
        const gltf = JSON.parse(smallGltf());
        gltf.animations[1].channels[0].target.node = 2;
        gltf.nodes.push({ name: 'elsewhere' });
        put('small.gltf', JSON.stringify(gltf));
        await expectRun('bake small.gltf -o out', {
            stdout: null,
            stderr:
                'poselane: warning PARTS_NOT_BAKED: small.gltf: not in the bake: 1 animated node without a mesh or joint; ' +
                "emit 'glb' keeps them\n" +
                'poselane: warning CLIP_NOT_ANIMATED: small.gltf#/animations/1: ' +
                "clip #1 'Run' moves no node of skin 0: its rows are the rest pose; clips can leave it out\n",
        });
    });

    test('warnings with one code are one line, with a count', async () => {
        put('small.gltf', smallGltf({ clips: ['a', 'b', 'c'] }).replace('"joints":[0,1]', '"joints":[0]'));
        const stderr =
            /#\/animations\/0: clip #0 'a' moves no node of skin 0: its rows are the rest pose; clips can leave it out; and 2 more of these \(--report lists them\)\n/;
        await expectRun('bake small.gltf -o out', { stdout: null, stderr });
    });
});

describe('a batch', () => {
    /** Two files of the same name in different folders. */
    beforeEach(() => {
        for (const name of ['a', 'b']) put(`models/${name}/hero.gltf`, smallGltf());
    });
    const pairsOf = (...stems: string[]) => stems.flatMap((stem) => [`${stem}.bake.bin`, `${stem}.bake.json`]);

    test('--keep-tree: outputs, pages, lines and report keep the folders', async () => {
        await expectRun('bake models -o out', { code: 2, stderr: /, as --keep-tree does\n$/ });
        const argv = 'bake models -o out --keep-tree -j 1 --html pages/ --report';
        const told = await printed(`${argv} report.json`);
        expect(filesIn('out')).toEqual(pairsOf('a/hero', 'b/hero'));
        expect(told).toContain(' -> out/b/hero.bake.{json,bin}, pages/b/hero.html, ');
        const { inputs } = readJson('report.json');
        expect(inputs.map((one: { folder: string }) => one.folder)).toEqual(['out/a', 'out/b']);
        const index = readPage<IndexData>(fs.readFileSync('pages/index.html', 'utf8')).data;
        expect(index.entries.map(({ href }) => href)).toEqual(['a/hero.html', 'b/hero.html']);
        expect(readPage(fs.readFileSync('pages/a/hero.html', 'utf8')).data.index).toBe('../index.html');
        const stderr = /^poselane: --report: '.+' has the name of a bake\n$/;
        await expectRun(`${argv} out/a/hero.bake.json`, { code: 2, stderr });
    });

    test('a warning is printed once, with the worst of its files', async () => {
        for (const name of ['a', 'b', 'c']) fs.copyFileSync(CHARACTER.path, `models/${name}.glb`);
        const recipes = [{ files: 'models/b.glb', fps: 6 }];
        put('config.json', JSON.stringify({ inputs: 'models/?.glb', out: 'out', fps: 12, recipes }));
        const argv = 'bake --config config.json -j 1 --report report.json';
        const stderr =
            /^poselane: warning PLAYBACK_ERROR_LARGE: .+b\.glb#\/animations\/0: .+; and 2 more of these, in 3 files \(-v and --report list them\)\n$/;
        await expectRun(argv, { stdout: null, stderr });
        const { inputs } = readJson('report.json');
        expect(inputs.map(({ warnings }: { warnings: object[] }) => warnings.length)).toEqual([1, 1, 1]);
        const each = await poselane(`${argv} -v`);
        expect(each.stderr.match(/warning PLAYBACK_ERROR_LARGE: .+[abc]\.glb/g)).toHaveLength(3);
    });

    test('a subfolder that cannot be read is its own error, and other files do not get its name', async () => {
        const promises: typeof nodeFiles = require('node:fs/promises');
        const read = promises.readdir;
        const spy = jest.spyOn(promises, 'readdir').mockImplementation((async (path: string, ...more: []) => {
            if (path.endsWith('b')) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
            return read(path, ...more);
        }) as never);
        put('models/b.gltf', smallGltf());
        await expectRun('bake models -o out -j 1', {
            code: 5,
            stdout: /; 1 failed\n$/,
            stderr: /^poselane: models\/b: cannot read the file: .+\nposelane: 1 of 3 files could not be baked\n$/,
        }).finally(() => spy.mockRestore());
        expect(filesIn('out')).toEqual(pairsOf('b', 'hero'));
    });

    test('the last line has totals', async () => {
        put('models/bad.gltf', '{}');
        put('models/a/hero.gltf', smallGltf({ duration: 2 }));
        const argv = 'bake models -o out --keep-tree --fps 30 --cache cache';
        await poselane(`${argv} --exclude b`);
        const { code, stdout } = await poselane(argv);
        expect(code).toBe(5);
        const last = stdout.trimEnd().split('\n').at(-1);
        const bytes = filesIn('out').reduce((sum, name) => sum + fs.statSync(join('out', name)).size, 0);
        expect(last).toMatch(/^3 files: 4 clips, 184 rows, .+ KiB, [\d.]+ s; 1 failed, 1 from the cache$/);
        expect(last).toContain(`, ${Number((bytes / 1024).toPrecision(3))} KiB, `);
        expect((await poselane(`${argv} --quiet`)).stdout).toBe('');
    });

    test('--json: only the report on stdout', async () => {
        put('models/bad.gltf', '{}');
        const argv = 'bake models -o out --keep-tree --json --report report.json -j 1 --html pages/';
        const stderr = /^poselane: [^\n]+bad\.gltf#[^\n]+\nposelane: 1 of 3 files could not be baked\n$/;
        const { stdout } = await expectRun(argv, { code: 5, stdout: null, stderr });
        expect(stdout).toBe(fs.readFileSync('report.json', 'utf8'));
        expect(JSON.parse(stdout)).toMatchObject({ format: 'poselane-report', baked: 2, failed: 1, notBegun: 0 });
        const one = JSON.parse(await printed('bake small.gltf -o out --json'));
        expect(one.inputs[0].input).toBe('small.gltf');
    });

    // With threads: test/long/cli/process.test.ts.
    test('--fail-fast stops at the first failure; one input keeps its own exit code', async () => {
        put('bad.gltf', '{}');
        const argv = 'bake bad.gltf models -o out --keep-tree -j 1 --json --fail-fast';
        const stderr = /^poselane: bad\.gltf#[^\n]+\nposelane: --fail-fast: 'bad\.gltf' could not be baked\n$/;
        const { stdout } = await expectRun(argv, { code: 5, stdout: null, stderr });
        const { inputs, ...counts } = JSON.parse(stdout);
        expect(counts).toMatchObject({ baked: 0, failed: 1, notBegun: 2 });
        expect(inputs.map(({ error }: { error: { exitCode: number } }) => error.exitCode)).toEqual([3, 5, 5]);
        expect((await poselane('bake bad.gltf -o out --fail-fast')).code).toBe(3);
        expect(fs.existsSync('out')).toBe(false);
    });
});

test.each(['glb', 'palette,glb'])('--emit %s: -v prints the indexes of clips that change', async (emit) => {
    const all = 'Idle,Walk,Run,Jump';
    put('hero.gltf', smallGltf({ clips: all.split(',') }));
    const bake = (clips: string) => printed(`bake hero.gltf -o . -j 1 --emit ${emit} --clips ${clips} -v`);
    const told = /hero\.baked\.glb has these clips only, with other numbers: #1 is #0, #3 is #1\n/;
    expect(await bake('Jump,Walk')).toMatch(told);
    expect(namesOf(readGlb('hero.baked.glb').animations)).toEqual(['Walk', 'Jump']);
    for (const clips of ['Idle,Walk', all]) expect(await bake(clips)).not.toMatch(/other numbers/);
});

test('an error in a model without an extent is a distance, not 0% of it', async () => {
    // Both joints are at the origin at rest.
    const told = await printed('bake small.gltf -o . --clips Walk --fps 0.7 --end clamp -v');
    expect(told).toMatch(/between rows off by at most /);
    expect(told).not.toMatch(/ 0% of the extent \([^0]/);
});

test.each([
    [0, 'under 1 ms'],
    [0.3, 'under 1 ms'],
    [NaN, 'under 1 ms'],
    [1, '1 ms: 12,345,000 joint-frames/s'],
    [2000, '2,000 ms: 6,173 joint-frames/s'],
])('an evaluation of %p ms: %s', (evaluationMilliseconds, text) => {
    expect(evaluationOf({ jointFrames: 12_345, evaluationMilliseconds })).toBe(text);
});

describe('progress', () => {
    /** The drawn text, without the codes that move the cursor. */
    const withoutCodes = (text: string) => text.split('\u001b').map((part) => part.replace(/^\[\d?[A-Z]/, ''));

    test('shows the rate that the search tries', async () => {
        let now = 0;
        const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
            now += 100;
            return now;
        });
        try {
            const argv = `bake ${CHARACTER.path} -o out --fps auto --max-error 0.02 --clips Walk`;
            const { code, stderr } = await poselane(argv, { isTTY: true });
            expect(code).toBe(0);
            // Frames are not counted yet.
            const bars = withoutCodes(stderr).filter((text) => text.startsWith('character.glb'));
            expect(bars[0]).toMatch(/\[-+\] trying 15 frames\/s$/);
            expect(bars.at(-1)).toMatch(/\[=+\] 16 frames \| \d+ frames\/s \| \w+ left$/);
        } finally {
            clock.mockRestore();
        }
    });

    function drawn() {
        const texts: string[] = [];
        return { texts, output: { isTTY: true, write: (text: string) => texts.push(text) } };
    }

    // Frames are counted while another file searches; clips report no rate.
    test.each<[string, number, 'frames' | 'clips', number[], RegExp]>([
        ['', 2, 'frames', [62, 1, 37], /\[=+-+\] 1\/2 files \| 62 frames \| [\d,]+ frames\/s \| trying 37 frames\/s/],
        ['hero.glb', 1, 'clips', [3, 0.5], /hero\.glb \[=+-+\] 3 clips(?!.*\/s)/],
    ])('counts: %j, %i files, %s', (title, files, unit, [count, done, rate], shown) => {
        const { texts, output } = drawn();
        const progress = createProgress(output, title, files, unit);
        progress.update(count!, done!, rate);
        progress.stop();
        expect(texts.join('')).toMatch(shown);
    });

    test('prints the remaining time only if it is known', async () => {
        const { texts, output } = drawn();
        const progress = createProgress(output, '', 2);
        for (const [frames, files] of [
            [0, 0],
            [0, 0],
            [0, 1], // a file that failed
            [40, 1.5],
        ] as const) {
            progress.update(frames, files);
            await setTimeout(150); // the bar is drawn ten times a second
        }
        progress.stop();
        const bars = withoutCodes(texts.join('')).filter((text) => /^\[[-=]+\]/.test(text));
        const told = bars.map((text) => text.replace(/^\S+ /, ''));
        expect(told[0]).toBe('0/2 files | 0 frames');
        expect(told).toContain('1/2 files | 0 frames');
        expect(told.at(-1)).toMatch(/^1\/2 files \| 40 frames \| \d+ frames\/s \| \w+ left$/);
        expect(told.join()).not.toMatch(/NULL|INF|LLs|NFs/);
    });

    test('is shown if stderr is a terminal, and erased at the end', async () => {
        const { code, stdout, stderr } = await poselane('bake small.gltf -o out --fps 30', { isTTY: true });
        expect(code).toBe(0);
        expect(stderr).toContain('small.gltf [');
        expect(stderr).toMatch(/ 62 frames \| [\d,]+ frames\/s/);
        // ANSI: erase the line, after the last bar.
        expect(stderr.slice(stderr.lastIndexOf('frames'))).toContain('\u001b[2K');
        expect(stdout).not.toContain('[');
    });
});

// Values of options: test/cli/flags.test.ts.
describe('wrong use: exit 2, one line, no work done', () => {
    test.each<[string, RegExp]>([
        ['small.gltf', /^required option '-o, --out <folder>' not specified$/],
        ['-o out', /^missing required argument 'inputs'$/],
        ['small.gltf elsewhere/small.glb -o out', / would write the same files/],
        ['small.gltf -o small.gltf', /^--out: '.*small\.gltf' is not a folder$/],
        ['small.gltf -o small.gltf/out', /^--out: .+/],
        ['missing.glb -o -', /^--out: .+/],
        ['small.gltf -o out --jobs 0', /'0' is invalid/],
        ['small.gltf -o out --shard 3/2', /'3\/2' is invalid/],
        ['small.gltf -o out --from -1', /'-1' is invalid/],
        ['small.gltf -o out --fsp 30', /^unknown option '--fsp' \(Did you mean --fps\?\)$/],
        ['small.gltf -o out --clips Walk,', /: no clip '', has 'Walk', 'Run'$/],
        ['small.gltf -o out --clips #2', /: no clip #2, has #0 to #1$/],
        ['small.gltf -o out --container glb --emit glb', /^--container has no effect: .* has no arrays; leave it out$/],
        ['small.gltf -o out --container zip', /'zip' is invalid\. Allowed choices are files, glb\.$/],
        ['small.gltf -o out --cache http://cache.example', /: name an https: URL, or allow it by --cache-insecure$/],
        [
            'small.gltf -o out --cache s3://me:secret@cache',
            /^cache: 's3:' is not supported: name a folder .*, or an http:/,
        ],
        [
            'small.gltf -o out --cache https://me:secret@c.example',
            /^cache: the URL of c\.example has a user's name in it: use/,
        ],
        ['small.gltf -o out --cache small.gltf', /^--cache: '.*small\.gltf' is not a folder$/],
    ])('bake %s', async (line, message) => {
        const { stderr } = await expectRun(`bake ${line}`, { code: 2, stderr: /^poselane: [^\n]+\n$/ });
        expect(stderr.slice('poselane: '.length, -1)).toMatch(message);
        expect(stderr).not.toContain('secret');
        expect(fs.existsSync('out')).toBe(false);
    });

    test('an unknown command', async () => {
        const stderr = "poselane: unknown command 'bkae' (Did you mean bake?)\n";
        await expectRun('bkae small.gltf', { code: 2, stderr });
    });

    test('an unknown POSELANE_BACKEND', async () => {
        const before = process.env.POSELANE_BACKEND;
        process.env.POSELANE_BACKEND = 'abacus';
        try {
            await jest.isolateModulesAsync(async () => {
                const { run: command }: typeof import('../../lib/cli/main') = require('../../lib/cli/main');
                const { code, stderr } = await poselane('bake small.gltf -o out --report report.json', { command });
                expect(stderr).toMatch(/^poselane: POSELANE_BACKEND must be .*paper\/typescript.*"abacus"\n$/);
                expect(code).toBe(2);
                const { inputs, ...counts } = readJson('report.json');
                expect(counts).toMatchObject({ baked: 0, failed: 0, notBegun: 1 });
                const message = `not begun: ${stderr.slice('poselane: '.length, -1)}`;
                expect(inputs[0]).toMatchObject({ error: { code: 'NOT_BEGUN', exitCode: 2, message } });
            });
        } finally {
            if (before === undefined) delete process.env.POSELANE_BACKEND;
            else process.env.POSELANE_BACKEND = before;
        }
        expect(fs.existsSync('out')).toBe(false);
    });

    test('no command: the help on stderr', async () => {
        await expectRun([], { code: 2, stderr: /Usage: poselane/ });
    });
});

test('a system failure: exit 1, one line, no partial files', async () => {
    // A folder in place of the manifest: as root, missing permissions have no effect.
    fs.mkdirSync('out/small.bake.json', { recursive: true });
    const stderr = /^poselane: EISDIR: .*small\.bake\.json'; move it away, or choose another folder\n$/;
    await expectRun('bake small.gltf -o out', { code: 1, stderr });
    expect(fs.readdirSync('out')).toEqual(['small.bake.json']);
});

describe('--cache', () => {
    const bake = (more = '') => poselane(`bake small.gltf -o out --cache cache${more}`);
    /** Output without times. */
    const lineOf = ({ stdout }: Outcome) => stdout.replace(/[\d,]+ ms/, '* ms');
    const read = () => filesIn('out').map((name) => [name, fs.readFileSync(join('out', name))] as const);

    test('the second run gives the same files and messages, except their origin', async () => {
        const first = await bake();
        const files = read();
        fs.rmSync('out', { recursive: true });
        const second = await bake(' --report report.json');
        expect([first.code, second.code]).toEqual([0, 0]);
        expect(read()).toEqual(files);
        expect(lineOf(second)).toBe(lineOf(first).replace('* ms', '* ms, from the cache'));
        expect(second.stderr).toBe(first.stderr);
        const [entry] = readJson('report.json').inputs;
        expect([entry.status, entry.cache]).toEqual(['baked', { hit: true, warnings: [] }]);
    });

    test('a result larger than --cache-max-entry is not kept', async () => {
        for (const size of ['1kB', '1MB']) expect((await bake(` --cache-max-entry ${size}`)).code).toBe(0);
        expect((await bake()).stdout).toContain('from the cache');
        expect((await bake(' --cache-max-entry 1kB')).stdout).not.toContain('from the cache');
    });

    test('output files with the same bytes are not fetched; they get a new time, and keep their blob in use', async () => {
        const first = await bake();
        const files = read();
        const blobs = filesIn('cache/cas').flatMap((name) => (name.length > 60 ? join('cache/cas', name) : []));
        const all = [...blobs, ...files.map(([name]) => join('out', name))];
        for (const damage of ['none', 'all blobs']) {
            if (damage !== 'none') for (const blob of blobs) fs.writeFileSync(blob, '');
            for (const path of all) fs.utimesSync(path, 1, 1);
            const second = await bake();
            expect(second.stderr).toBe(first.stderr);
            expect(lineOf(second)).toBe(lineOf(first).replace('* ms', '* ms, from the cache'));
            expect(read()).toEqual(files);
            for (const path of all) expect(fs.statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
        }
        // With one changed byte all are fetched. The blobs are damaged, so they are baked again.
        const [name, bytes] = files[0]!;
        const changed = Buffer.from(bytes);
        changed[changed.length - 1]! ^= 1;
        fs.writeFileSync(join('out', name), changed);
        expect((await bake()).stderr).toContain('; made again');
        expect(read()).toEqual(files);
    });

    test('a batch takes existing results and bakes the rest, reported in input order', async () => {
        const inputs = Array.from({ length: 9 }, (_, i) => `model-${i}.gltf`);
        for (const [i, path] of inputs.entries()) put(path, smallGltf({ duration: i + 1 }));
        const bakeAll = (names: string[], jobs: number) =>
            poselane(`bake ${names.join(' ')} -o out --cache cache -j ${jobs}`);
        const sources = ({ stdout }: Outcome) =>
            [...stdout.matchAll(/^(.+?): 2 clips.*/gm)].map(([line, input]) => [
                input,
                line.includes('from the cache'),
            ]);
        await bakeAll(inputs.slice(2, 7), 1);
        const some = await bakeAll(inputs, 1);
        expect([some.code, sources(some)]).toEqual([0, inputs.map((input, i) => [input, i >= 2 && i < 7])]);
        const rest = await bakeAll(inputs, 2);
        expect([rest.code, sources(rest)]).toEqual([0, inputs.map((input) => [input, true])]);
        expect(filesIn('out')).toHaveLength(18);
    });

    test('also for a page', async () => {
        await bake(' --html one.html');
        expect((await bake(' --html two.html')).stdout).toContain(', from the cache');
        expect(fs.readFileSync('two.html', 'utf8')).toBe(fs.readFileSync('one.html', 'utf8'));
    });

    test('--cache-read-only and --dry-run write nothing to it', async () => {
        for (const flag of [' --cache-read-only', ' --dry-run']) expect((await bake(flag)).code).toBe(0);
        expect(fs.existsSync('cache')).toBe(false);
    });

    test('a server that is down: one warning for any -j, and the bakes', async () => {
        put('second.gltf', smallGltf());
        await expectRun('bake small.gltf second.gltf -o out -j 2 --strict --cache http://127.0.0.1:2', {
            stdout: null,
            stderr: /^poselane: warning CACHE_LEFT_OUT: the cache 'http:\/\/127\.0\.0\.1:2' is left out now: .*ECONNREFUSED.*\n$/,
        });
        expect(filesIn('out')).toHaveLength(4);
    });

    test('a server that rejects writes, in any way: one warning for any -j', async () => {
        const server = await startStore();
        let refused = 0;
        server.fault = ({ method, socket }, response) => {
            if (method !== 'PUT') return false;
            if (refused++ === 0) response.writeHead(403).end();
            else socket.destroy();
            return true;
        };
        for (let i = 0; i < 8; i++) put(`in/model-${i}.gltf`, smallGltf());
        await expectRun(`bake in -o out -j 2 --cache ${server.url}`, {
            stdout: null,
            stderr: /^poselane: warning CACHE_READ_ONLY: the cache 'http:\/\/127\.0\.0\.1:\d+' is only read now: .+\n$/,
        }).finally(() => server.close());
        // Once for each thread, and once more for reused connections.
        expect([1, 2, 3]).toContain(refused);
    });

    test.each<[string, number, RegExp]>([
        ['cache --max-size 1GB', 0, /removed 0 files \(0 bytes\), kept 3 files /],
        ['cache --max-size 0.5kB', 0, /: removed ([23] files|1 file) /],
        ['cache --max-size 10', 2, /Needs a size in kB, MB, GB or TB/],
        ['none --max-size 1GB', 2, /^poselane: folder: 'none' does not exist$/m],
        ['small.gltf --max-size 1GB', 2, /^poselane: folder: 'small\.gltf' is not a folder$/m],
    ])('cache prune %s', async (options, exit, message) => {
        await bake();
        const { code, stdout, stderr } = await poselane(`cache prune ${options}`);
        expect({ code, text: stdout + stderr }).toEqual({ code: exit, text: expect.stringMatching(message) });
    });
});

describe('interrupted: exit 130, no output', () => {
    test('before the start', async () => {
        const interrupted = { code: 130, stderr: 'poselane: interrupted\n' };
        await expectRun('bake small.gltf -o out', interrupted, { signal: AbortSignal.abort() });
        expect(fs.existsSync('out')).toBe(false);
    });

    test('while it evaluates', async () => {
        const controller = new AbortController();
        const how = { isTTY: true, signal: controller.signal, onText: () => controller.abort() };
        await expectRun('bake small.gltf -o out', { code: 130, stderr: /poselane: interrupted\n$/ }, how);
        expect(fs.existsSync('out')).toBe(false);
    });
});

test.each<[string, RegExp]>([
    ['--version', new RegExp(`^${readJson(join(__dirname, '../../package.json')).version}\n$`)],
    ['--help', /Commands:\s+inspect .+\s+bake .+\s+verify /s],
    ['help', /Commands:\s+inspect .+\s+bake .+\s+verify /s],
    ['bake --help', /--out.+--fps.+--clips.+--skin.+Examples:.+--fps 60 --clips Walk,Run/s],
    ['help bake', /--out.+--fps.+--clips.+--skin.+Examples:.+--fps 60 --clips Walk,Run/s],
])('%s: exit 0, on stdout', async (line, stdout) => {
    await expectRun(line, { stdout });
});
