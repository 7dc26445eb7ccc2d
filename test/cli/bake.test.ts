// SPDX-License-Identifier: MIT

import {
    copyFileSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    utimesSync,
    writeFileSync,
} from 'node:fs';
import type * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { evaluationOf } from '../../lib/cli/bake-lines';
import type { Io } from '../../lib/cli/io';
import { run } from '../../lib/cli/main';
import { createProgress } from '../../lib/cli/progress';
import { startStore } from '../cache/store-server';
import { CHARACTER } from '../support/models';
import { smallGltf } from './small-gltf';

let folder: string;
let input: string;
let out: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-cli-'));
    input = join(folder, 'small.gltf');
    out = join(folder, 'out');
    writeFileSync(input, smallGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
    code: number;
    stdout: string;
    stderr: string;
}

interface Surroundings {
    isTTY?: boolean;
    signal?: AbortSignal;
    onProgress?(): void;
}

async function poselane(argv: string[], io: Surroundings = {}, command = run): Promise<Outcome> {
    const outcome = { code: -1, stdout: '', stderr: '' };
    const streams: Io = {
        stdout: {
            write: (text: string) => {
                outcome.stdout += text;
            },
        },
        stderr: {
            isTTY: io.isTTY,
            write: (text: string) => {
                outcome.stderr += text;
                io.onProgress?.();
            },
        },
        signal: io.signal,
    };
    outcome.code = await command(argv, streams);
    return outcome;
}

/** What is in the output folder; null where there is none. */
function outputs(): string[] | null {
    return statSync(out, { throwIfNoEntry: false }) === undefined ? null : readdirSync(out).sort();
}

const manifest = (name = 'small.bake.json') => JSON.parse(readFileSync(join(out, name), 'utf8'));

describe('poselane bake', () => {
    test('names may be as long as the file system allows', async () => {
        const stem = 'x'.repeat(255 - '.bake.json'.length);
        const report = join(folder, 'r'.repeat(255));
        writeFileSync(join(folder, `${stem}.gltf`), smallGltf());
        const outcome = await poselane(['bake', join(folder, `${stem}.gltf`), '-o', out, '--report', report]);
        expect(outcome).toMatchObject({ code: 0, stderr: '' });
        expect(outputs()).toEqual([`${stem}.bake.bin`, `${stem}.bake.json`]);
        expect(JSON.parse(readFileSync(report, 'utf8')).baked).toBe(1);
    });

    test('writes the pair and ends with a summary on stdout; nothing on stderr', async () => {
        const { code, stdout, stderr } = await poselane(['bake', input, '-o', out, '--fps', '30']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(outputs()).toEqual(['small.bake.bin', 'small.bake.json']);
        expect(stdout).toMatch(
            new RegExp(
                `^${folder}/small\\.gltf: 2 clips, 62 rows of 2 joints at 30 fps -> ${out}/small\\.bake\\.\\{json,bin\\}, ` +
                    '[\\d.]+ KiB, [\\d,]+ ms\\n  between rows off by at most [\\d.]+% of the extent \\([\\d.e-]+\\): ' +
                    "clip #0 'Walk', joint 1 'knee' \\(node 1\\), at [\\d.]+ s\\n$",
            ),
        );
        expect(manifest().binary.byteLength).toBe(62 * 2 * 64);
        expect(statSync(join(out, 'small.bake.bin')).size).toBe(62 * 2 * 64);
    });

    test('--verbose: each clip, and how fast it was', async () => {
        const { stdout } = await poselane(['bake', input, '-o', out, '--fps', '30', '--verbose']);
        const [, , walk, run, evaluation] = stdout.split('\n');
        expect(walk).toBe("  clip #0 'Walk': 31 rows at 30 fps, off by at most 0.00000298% of the extent");
        expect(run).toBe("  clip #1 'Run': 31 rows at 30 fps, off by at most 0.00000298% of the extent");
        const speed = 'evaluation (under 1 ms|[\\d,]+ ms: [\\d,]+ joint-frames/s), backend (native|wasm|ts)';
        expect(evaluation).toMatch(new RegExp(`^  ${speed}$`));
    });

    test('by default at a rate that meets the keys', async () => {
        // Keys a second apart: the lowest multiple from 24 up.
        await poselane(['bake', input, '-o', out]);
        expect(manifest().recipe.fps).toEqual([24, 1]);
        await poselane(['bake', input, '-o', out, '--fps', 'keys', '--clips', 'Run']);
        expect(manifest().recipe.fps).toEqual([24, 1]);
    });

    test('far off between rows: a warning with what would be better, and the place', async () => {
        const { code, stdout, stderr } = await poselane(['bake', CHARACTER.path, '-o', out, '--fps', '30']);
        expect(code).toBe(0);
        expect(stdout).toMatch(
            /\n {2}between rows off by at most 1\.99% of the extent \(0\.0319\): clip #0 'Idle', joint 8 'Ear_L' \(node 10\), at 1\.4 s; jumps /,
        );
        expect(stderr).toMatch(
            /^poselane: warning PLAYBACK_ERROR_LARGE: .+character\.glb#\/animations\/0: 2 of 3 clips are off by more than 1% of the extent between rows, clip #0 'Idle' by 1\.99%: fps 'auto' finds a rate for each clip\n$/,
        );
        const strict = await poselane(['bake', CHARACTER.path, '-o', join(out, 'no'), '--fps', '30', '--strict']);
        expect(strict.code).toBe(3);
        expect(strict.stderr).toContain('PLAYBACK_ERROR_LARGE, an error with strict');
        expect((await poselane(['bake', CHARACTER.path, '-o', out, '--fps', '60'])).stderr).toBe('');
    });

    test('the summary tells how late jumps are, where they are', async () => {
        expect((await poselane(['bake', input, '-o', out])).stdout).not.toContain('late');
        const gltf = JSON.parse(smallGltf());
        // The knee is scaled at once, at 0.51 s: shown at 16/30 s.
        const bytes = Buffer.from(Float32Array.of(0, 0.51).buffer);
        const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
        gltf.buffers.push({ byteLength: 8, uri });
        gltf.bufferViews.push({ buffer: 1, byteLength: 8 });
        gltf.accessors.push({ ...gltf.accessors[0], bufferView: 2, max: [Math.fround(0.51)] });
        gltf.animations[1].samplers.push({ input: 2, output: 1, interpolation: 'STEP' });
        gltf.animations[1].channels.push({ sampler: 1, target: { node: 1, path: 'scale' } });
        writeFileSync(input, JSON.stringify(gltf));
        const { stdout } = await poselane(['bake', input, '-o', out, '--fps', '30']);
        expect(stdout).toMatch(/; jumps up to 0\.0233 s late\n$/);
        expect((await poselane(['bake', input, '-o', out, '--fps', '100'])).stdout).not.toContain('late');
    });

    test.each([
        ['30', [30, 1], 31],
        ['29.97', [2997, 100], 31],
        ['24000/1001', [24000, 1001], 25],
    ])('--fps %s', async (fps, rate, frames) => {
        const { code } = await poselane(['bake', input, '-o', out, '--fps', fps, '--clips', 'Run']);
        expect(code).toBe(0);
        expect(manifest().recipe.fps).toEqual(rate);
        expect(manifest().clips[0].frameCount).toBe(frames);
    });

    test.each([
        [['--clips', 'Run'], ['Run']],
        [
            ['--clips', 'Run,Walk'],
            ['Walk', 'Run'],
        ],
        [
            ['--clips', 'Run', '--clips', 'Walk'],
            ['Walk', 'Run'],
        ],
        [['--clips', '#1'], ['Run']],
        [[], ['Walk', 'Run']],
    ])('%p bakes %p', async (options, names) => {
        await poselane(['bake', input, '-o', out, ...options]);
        expect(manifest().clips.map(({ name }: { name: string }) => name)).toEqual(names);
    });

    test('several skins: a pair each; with --skin one pair', async () => {
        writeFileSync(input, smallGltf({ skins: 2 }));
        const { stdout } = await poselane(['bake', input, '-o', out, '--fps', '30']);
        expect(outputs()).toEqual([
            'small.skin0.bake.bin',
            'small.skin0.bake.json',
            'small.skin1.bake.bin',
            'small.skin1.bake.json',
        ]);
        expect(stdout).toContain(
            `62 rows of 2 + 2 joints at 30 fps -> ${join(out, 'small.skin{0,1}.bake.{json,bin}')}, `,
        );
        rmSync(out, { recursive: true });
        await poselane(['bake', input, '-o', out, '--skin', '1']);
        expect(outputs()).toEqual(['small.bake.bin', 'small.bake.json']);
        expect(manifest().skin.index).toBe(1);
    });

    test('--emit glb: the whole file with dense keys, alone or beside the pair', async () => {
        const alone = await poselane(['bake', input, '-o', out, '--fps', '30', '--emit', 'glb']);
        expect({ code: alone.code, stderr: alone.stderr }).toEqual({ code: 0, stderr: '' });
        expect(outputs()).toEqual(['small.resampled.glb']);
        expect(alone.stdout).toMatch(/: 2 clips, 62 rows -> .*small\.resampled\.glb, [\d.]+ KiB, [\d,]+ ms\n$/);
        const both = await poselane(['bake', input, '-o', out, '--emit', 'palette,glb']);
        expect(outputs()).toEqual(['small.bake.bin', 'small.bake.json', 'small.resampled.glb']);
        expect(both.stdout).toContain(`${join(out, 'small.bake.{json,bin}')}, ${join(out, 'small.resampled.glb')}, `);
    });

    test('--container glb: one file for each skin, of the size and name that are told; beside it what else --emit names', async () => {
        writeFileSync(input, smallGltf({ skins: 2 }));
        const report = join(folder, 'report.json');
        const one = ['bake', input, '-o', out, '--container', 'glb', '--report', report];
        const { code, stdout, stderr } = await poselane([...one, '--emit', 'palette,glb']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const names = ['small.resampled.glb', 'small.skin0.bake.glb', 'small.skin1.bake.glb'];
        expect(outputs()).toEqual(names);
        const [line] = stdout.split('\n');
        expect(line).toContain(` -> ${join(out, 'small.skin{0,1}.bake.glb')}, ${join(out, 'small.resampled.glb')}, `);
        const [told] = JSON.parse(readFileSync(report, 'utf8')).inputs;
        const sizes = told.outputs.map((output: Record<string, number>) => output.byteLength! + output.jsonByteLength!);
        expect(sizes).toEqual(names.slice(1).map((name) => statSync(join(out, name)).size));
        expect(told.outputs.map(({ container }: { container: string }) => container)).toEqual(['glb', 'glb']);
        const again = await poselane([...one, '--dry-run', '--skin', '0']);
        expect(again.stdout).toContain(` -> ${join(out, 'small.bake.glb')} (dry run: not written), `);
        expect(outputs()).toEqual(names);
    });

    test('--container for what has no arrays is refused, and so are other containers', async () => {
        for (const [options, message] of [
            [
                ['glb', '--emit', 'glb'],
                "poselane: --container has no effect: '--emit glb' has no arrays; leave it out\n",
            ],
            [['zip'], /'zip' is invalid\. Allowed choices are files, glb\.\n$/],
        ] as const) {
            const refused = await poselane(['bake', input, '-o', out, '--container', ...options]);
            expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
        }
        expect(outputs()).toBe(null);
    });

    test('warnings: one line each on stderr, with code and place', async () => {
        const gltf = JSON.parse(smallGltf());
        gltf.animations[1].channels[0].target.node = 2;
        gltf.nodes.push({ name: 'elsewhere' });
        writeFileSync(input, JSON.stringify(gltf));
        const { code, stderr } = await poselane(['bake', input, '-o', out]);
        expect(code).toBe(0);
        expect(stderr).toBe(
            `poselane: warning PARTS_NOT_BAKED: ${input}: not in the bake: 1 animated node without a mesh or joint\n` +
                `poselane: warning CLIP_NOT_ANIMATED: ${input}#/animations/1: ` +
                "clip #1 'Run' moves no node of skin 0: its rows are the rest pose\n",
        );
    });

    test('names cannot break a line or steer the terminal', async () => {
        const { stderr } = await poselane(['bake', input, '-o', out, '--clips', 'a\nb\u001b[31m\u009b']);
        expect(stderr).toContain("no clip 'a\\u000ab\\u001b[31m\\u009b'");
        expect(stderr.split('\n').length).toBe(2);
    });
});

describe('a batch', () => {
    /** Two of a name in different folders. */
    beforeEach(() => {
        for (const name of ['a', 'b']) {
            mkdirSync(join(folder, 'models', name), { recursive: true });
            writeFileSync(join(folder, 'models', name, 'hero.gltf'), smallGltf());
        }
    });
    const models = () => join(folder, 'models');
    const bad = (name: string) => writeFileSync(join(models(), name), '{}');
    const files = () =>
        ((outputs() && readdirSync(out, { recursive: true })) ?? [])
            .map(String)
            .filter((name) => /\.\w+$/.test(name))
            .sort();

    test('--keep-tree: outputs, pages, lines and report keep the folders', async () => {
        const refused = await poselane(['bake', models(), '-o', out]);
        expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/, as --keep-tree does\n$/)]);
        const report = join(folder, 'report.json');
        const pages = join(folder, 'pages');
        const argv = ['bake', models(), '-o', out, '--keep-tree', '--report', report, '-j', '1', '--html', `${pages}/`];
        const { code, stdout } = await poselane(argv);
        expect(code).toBe(0);
        const pairs = ['a', 'b'].flatMap((name) => ['bin', 'json'].map((kind) => `${name}/hero.bake.${kind}`));
        expect(files()).toEqual(pairs);
        expect(stdout).toContain(` -> ${join(out, 'b/hero.bake.{json,bin}')}, ${join(pages, 'b/hero.html')}, `);
        const { inputs } = JSON.parse(readFileSync(report, 'utf8'));
        expect(inputs.map((one: { folder: string }) => one.folder)).toEqual([join(out, 'a'), join(out, 'b')]);
        const links = readFileSync(join(pages, 'index.html'), 'utf8').matchAll(/<a href="([^"]*)">/g);
        expect([...links].map(([, href]) => href)).toEqual(['a/hero.html', 'b/hero.html']);
        const over = [...argv.slice(0, 6), join(out, 'a/hero.bake.json')];
        expect((await poselane(over)).stderr).toMatch(/^poselane: --report: '.+' has the name of a bake\n$/);
    });

    test('a warning is told once, with the worst of the files that have it', async () => {
        for (const name of ['a', 'b', 'c']) copyFileSync(CHARACTER.path, join(models(), `${name}.glb`));
        const config = join(folder, 'config.json');
        const recipes = [{ files: 'models/b.glb', fps: 6 }];
        writeFileSync(config, JSON.stringify({ inputs: 'models/?.glb', out: 'out', fps: 12, recipes }));
        const report = join(folder, 'report.json');
        const argv = ['bake', '--config', config, '-j', '1', '--report', report];
        const { code, stderr } = await poselane(argv);
        expect(code).toBe(0);
        expect(stderr).toMatch(
            /^poselane: warning PLAYBACK_ERROR_LARGE: .+b\.glb#\/animations\/0: .+; and 2 more of these, in 3 files \(-v and --report list them\)\n$/,
        );
        const { inputs } = JSON.parse(readFileSync(report, 'utf8'));
        expect(inputs.map(({ warnings }: { warnings: object[] }) => warnings.length)).toEqual([1, 1, 1]);
        const each = await poselane([...argv, '-v']);
        expect(each.stderr.match(/warning PLAYBACK_ERROR_LARGE: .+[abc]\.glb/g)).toHaveLength(3);
    });

    test("a folder inside that cannot be read is an error of its own, and its name is nobody else's", async () => {
        const promises: typeof nodeFiles = require('node:fs/promises');
        const read = promises.readdir;
        const spy = jest.spyOn(promises, 'readdir').mockImplementation((async (path: string, ...more: []) => {
            if (path.endsWith('b')) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
            return read(path, ...more);
        }) as never);
        writeFileSync(join(models(), 'b.gltf'), smallGltf());
        const { code, stdout, stderr } = await poselane(['bake', models(), '-o', out, '-j', '1']);
        spy.mockRestore();
        expect([code, files()]).toEqual([5, ['b.bake.bin', 'b.bake.json', 'hero.bake.bin', 'hero.bake.json']]);
        expect(stderr).toMatch(
            /^poselane: .+\/models\/b: cannot read the file: .+\nposelane: 1 of 3 files could not be baked\n$/,
        );
        expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/; 1 failed$/);
    });

    test('the last line has totals', async () => {
        bad('bad.gltf');
        writeFileSync(join(models(), 'a/hero.gltf'), smallGltf({ duration: 2 }));
        const argv = ['bake', models(), '-o', out, '--keep-tree', '--fps', '30', '--cache', join(folder, 'cache')];
        await poselane([...argv, '--exclude', 'b']);
        const { code, stdout } = await poselane(argv);
        expect(code).toBe(5);
        const last = stdout.trimEnd().split('\n').at(-1);
        const bytes = files().reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
        const size = `${Number((bytes / 1024).toPrecision(3))} KiB`;
        expect(last).toMatch(/^3 files: 4 clips, 184 rows, .+ KiB, [\d.]+ s; 1 failed, 1 from the cache$/);
        expect(last).toContain(`, ${size}, `);
        expect((await poselane([...argv, '--quiet'])).stdout).toBe('');
    });

    test('--json: the report on stdout, and nothing else there', async () => {
        bad('bad.gltf');
        const report = join(folder, 'report.json');
        const argv = ['bake', models(), '-o', out, '--keep-tree', '--json', '--report', report, '-j', '1'];
        const { code, stdout, stderr } = await poselane([...argv, '--html', `${folder}/pages/`]);
        expect(code).toBe(5);
        expect(stdout).toBe(readFileSync(report, 'utf8'));
        expect(JSON.parse(stdout)).toMatchObject({ format: 'poselane-report', baked: 2, failed: 1, notBegun: 0 });
        expect(stderr).toMatch(/^poselane: [^\n]+bad\.gltf#[^\n]+\nposelane: 1 of 3 files could not be baked\n$/);
        const one = await poselane(['bake', input, '-o', out, '--json']);
        expect([one.code, JSON.parse(one.stdout).inputs[0].input]).toEqual([0, input]);
    });

    // With threads: test/cli/process.test.ts.
    test('--fail-fast ends it with the first failure', async () => {
        bad('bad.gltf');
        const argv = ['bake', join(models(), 'bad.gltf'), models(), '-o', out, '--keep-tree', '-j', '1', '--json'];
        const { code, stdout, stderr } = await poselane([...argv, '--fail-fast']);
        expect(code).toBe(5);
        expect(stderr).toMatch(
            /^poselane: [^\n]+bad\.gltf#[^\n]+\nposelane: --fail-fast: '[^\n]+bad\.gltf' could not be baked\n$/,
        );
        const { inputs, ...counts } = JSON.parse(stdout);
        expect(counts).toMatchObject({ baked: 0, failed: 1, notBegun: 2 });
        expect(inputs.map(({ error }: { error: { exitCode: number } }) => error.exitCode)).toEqual([3, 5, 5]);
        expect(outputs()).toBeNull();
    });

    test('--fail-fast leaves one input its own exit code', async () => {
        bad('bad.gltf');
        const argv = ['bake', join(models(), 'bad.gltf'), '-o', out, '--fail-fast'];
        expect((await poselane(argv)).code).toBe(3);
        expect(outputs()).toBeNull();
    });
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
    test('shows which rate is tried while one is searched for', async () => {
        let now = 0;
        const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
            now += 100;
            return now;
        });
        try {
            const argv = ['bake', CHARACTER.path, '-o', out, '--fps', 'auto', '--max-error', '0.02', '--clips', 'Walk'];
            const { code, stderr } = await poselane(argv, { isTTY: true });
            expect(code).toBe(0);
            // Frames are not counted yet.
            const shown = stderr.split('\u001b').map((text) => text.replace(/^\[\d?[A-Z]/, ''));
            const bars = shown.filter((text) => text.startsWith('character.glb'));
            expect(bars[0]).toMatch(/\[-+\] trying 1 frames\/s$/);
            expect(bars.at(-1)).toMatch(/\[=+\] 11 frames \| \d+ frames\/s \| \w+ left$/);
        } finally {
            clock.mockRestore();
        }
    });

    test('counts frames while another file searches', () => {
        let written = '';
        const write = (text: string) => {
            written += text;
        };
        const progress = createProgress({ isTTY: true, write }, '', 2);
        progress.update(62, 1, 37);
        progress.stop();
        expect(written).toMatch(/\[=+-+\] 1\/2 files \| 62 frames \| [\d,]+ frames\/s \| trying 37 frames\/s/);
    });

    test('counts clips, of which no rate is told', () => {
        let written = '';
        const write = (text: string) => {
            written += text;
        };
        const progress = createProgress({ isTTY: true, write }, 'hero.glb', 1, 'clips');
        progress.update(3, 0.5);
        progress.stop();
        expect(written).toMatch(/hero\.glb \[=+-+\] 3 clips/);
        expect(written).not.toContain('/s');
    });

    test('tells what is left only where it is known', async () => {
        let written = '';
        const write = (text: string) => {
            written += text;
        };
        const progress = createProgress({ isTTY: true, write }, '', 2);
        for (const [frames, files] of [
            [0, 0],
            [0, 0],
            [0, 1], // a file that failed
            [40, 1.5],
        ] as const) {
            progress.update(frames, files);
            await setTimeout(250); // the bar is drawn ten times a second
        }
        progress.stop();
        const shown = written.split('\u001b').map((text) => text.replace(/^\[\d?[A-Z]/, ''));
        const told = shown.filter((text) => /^\[[-=]+\]/.test(text)).map((text) => text.replace(/^\S+ /, ''));
        expect(told[0]).toBe('0/2 files | 0 frames');
        expect(told).toContain('1/2 files | 0 frames');
        expect(told.at(-1)).toMatch(/^1\/2 files \| 40 frames \| \d+ frames\/s \| \w+ left$/);
        expect(told.join()).not.toMatch(/NULL|INF|LLs|NFs/);
    });

    test('is shown where stderr is a terminal, and wiped off', async () => {
        const { code, stdout, stderr } = await poselane(['bake', input, '-o', out, '--fps', '30'], { isTTY: true });
        expect(code).toBe(0);
        expect(stderr).toContain('small.gltf [');
        expect(stderr).toMatch(/ 62 frames \| [\d,]+ frames\/s/);
        // ANSI: erase the line, after the bar's last appearance.
        expect(stderr.slice(stderr.lastIndexOf('frames'))).toContain('\u001b[2K');
        expect(stdout).not.toContain('[');
    });
});

describe('wrong use: exit 2, one line, no work done', () => {
    test.each([
        [['bake', 'INPUT'], /^poselane: required option '-o, --out <folder>' not specified\n$/],
        [['bake', '-o', 'OUT'], /^poselane: missing required argument 'inputs'\n$/],
        [['bake', 'INPUT', 'elsewhere/small.glb', '-o', 'OUT'], /^poselane: .* would write the same files.*\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--jobs', '0'], /^poselane: .*'0' is invalid.*\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--shard', '3/2'], /^poselane: .*'3\/2' is invalid.*\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--emit', 'pallete'], /^poselane: --emit has 'pallete'; .*\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--layout', 'mat3'], /^poselane: .*'mat3' is invalid.*\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--from', '-1'], /^poselane: .*'-1' is invalid.*\n$/],
        [
            ['bake', 'INPUT', '-o', 'OUT', '--from', '2', '--to', '1'],
            /^poselane: --to is 1; it must be greater than --from, 2\n$/,
        ],
        [
            ['bake', 'INPUT', '-o', 'OUT', '--fsp', '30'],
            /^poselane: unknown option '--fsp' \(Did you mean --fps\?\)\n$/,
        ],
        [['bake', 'INPUT', '-o', 'OUT', '--fps', 'fast'], /^poselane: --fps: 'fast' is not a frame rate: .+\n$/],
        [
            ['bake', 'INPUT', '-o', 'OUT', '--skin', 'x'],
            /^poselane: option '--skin <number>' argument 'x' is invalid.+\n$/,
        ],
        [['bake', 'INPUT', '-o', 'OUT', '--skin', '1'], /^poselane: .*small\.gltf: no skin 1, has only 0\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--clips', 'Wlak'], /^poselane: .*: no clip 'Wlak', has 'Walk', 'Run'\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--clips', 'Walk,'], /^poselane: .*: no clip '', has 'Walk', 'Run'\n$/],
        [['bake', 'INPUT', '-o', 'OUT', '--clips', '#2'], /^poselane: .*: no clip #2, has #0 to #1\n$/],
        [['bake', 'INPUT', '-o', 'INPUT'], /^poselane: --out: '.*small\.gltf' is not a folder\n$/],
        [['bkae', 'INPUT'], /^poselane: unknown command 'bkae' \(Did you mean bake\?\)\n$/],
    ])('%p', async (argv, message) => {
        const replaced = argv.map((argument) => ({ INPUT: input, OUT: out })[argument] ?? argument);
        const { code, stdout, stderr } = await poselane(replaced);
        expect(stderr).toMatch(message);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(outputs()).toBeNull();
    });

    test('a POSELANE_BACKEND that does not exist', async () => {
        const report = join(folder, 'report.json');
        const before = process.env.POSELANE_BACKEND;
        process.env.POSELANE_BACKEND = 'abacus';
        try {
            await jest.isolateModulesAsync(async () => {
                const fresh: typeof import('../../lib/cli/main') = require('../../lib/cli/main');
                const { code, stderr } = await poselane(['bake', input, '-o', out, '--report', report], {}, fresh.run);
                expect(stderr).toMatch(/^poselane: POSELANE_BACKEND must be .*paper\/typescript.*"abacus"\n$/);
                expect(code).toBe(2);
                const { inputs, ...counts } = JSON.parse(readFileSync(report, 'utf8'));
                expect(counts).toMatchObject({ baked: 0, failed: 0, notBegun: 1 });
                const message = `not begun: ${stderr.slice('poselane: '.length, -1)}`;
                expect(inputs[0]).toMatchObject({ error: { code: 'NOT_BEGUN', exitCode: 2, message } });
            });
        } finally {
            if (before === undefined) delete process.env.POSELANE_BACKEND;
            else process.env.POSELANE_BACKEND = before;
        }
        expect(outputs()).toBeNull();
    });

    test('no command: the help on stderr', async () => {
        const { code, stdout, stderr } = await poselane([]);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain('Usage: poselane');
    });
});

describe('an input that cannot be baked: exit 3, one line, no output', () => {
    test.each<[string, string | Buffer | null, RegExp]>([
        ['missing', null, /cannot read the file: ENOENT: there is no such file; check its name and folder\n/],
        ['empty', '', /./],
        ['not a glTF', 'Once upon a time', /./],
        ['another version', JSON.stringify({ asset: { version: '1.0' } }), /version/],
        ['cut short', Buffer.concat([Buffer.from('glTF'), Buffer.alloc(4)]), /./],
        [
            'without animation',
            smallGltf({ clips: [] }),
            /no animation to bake: clips of other files come by --animations$/m,
        ],
        ['without skin', smallGltf({ skins: 0 }), /no skin/],
        [
            'a joint that does not exist',
            smallGltf().replace('"joints":[0,1]', '"joints":[0,7]'),
            /#\/skins\/0\/joints\/1: /,
        ],
    ])('%s', async (_, contents, message) => {
        if (contents === null) rmSync(input);
        else writeFileSync(input, contents);
        const { code, stdout, stderr } = await poselane(['bake', input, '-o', out]);
        expect(stderr).toMatch(/^poselane: [^\n]+\n$/);
        expect(stderr).toContain(input);
        expect(stderr).toMatch(message);
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
        expect(outputs()).toBeNull();
    });

    test('too large an output', async () => {
        const { code, stderr } = await poselane(['bake', input, '-o', out, '--fps', '60000000']);
        expect(code).toBe(3);
        expect(stderr).toMatch(/^poselane: .*more than 2 GiB.*\n$/);
        expect(outputs()).toBeNull();
    });
});

test('a failure of the system: exit 1, one line, no partial files', async () => {
    // A folder in the way of the manifest; being root, a test cannot rely on missing permissions.
    await poselane(['bake', input, '-o', out]);
    rmSync(join(out, 'small.bake.json'));
    rmSync(join(out, 'small.bake.bin'));
    const { mkdirSync } = require('node:fs');
    mkdirSync(join(out, 'small.bake.json'));
    const { code, stdout, stderr } = await poselane(['bake', input, '-o', out]);
    expect(stderr).toMatch(/^poselane: EISDIR: .*small\.bake\.json'; move it away, or choose another folder\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(outputs()).toEqual(['small.bake.json']);
});

test('warnings of one code are one line, with a count', async () => {
    writeFileSync(input, smallGltf({ clips: ['a', 'b', 'c'] }).replace('"joints":[0,1]', '"joints":[0]'));
    const { code, stderr } = await poselane(['bake', input, '-o', out]);
    expect(code).toBe(0);
    const warning = `warning CLIP_NOT_ANIMATED: ${input}#/animations/0: clip #0 'a' moves no node of skin 0: its rows are the rest pose`;
    expect(stderr).toContain(`poselane: ${warning}; and 2 more of these (--report lists them)\n`);
});

describe('--cache', () => {
    let cache: string;
    beforeEach(() => {
        cache = join(folder, 'cache');
    });
    const bake = (...more: string[]) => poselane(['bake', input, '-o', out, '--cache', cache, ...more]);
    /** Times apart. */
    const lineOf = ({ stdout }: Outcome) => stdout.replace(/[\d,]+ ms/, '* ms');

    test('the second time the same files, and the same words but for where they come from', async () => {
        const report = join(folder, 'report.json');
        const first = await bake();
        const files = outputs()!.map((name) => [name, readFileSync(join(out, name))]);
        rmSync(out, { recursive: true });
        const second = await bake('--report', report);
        expect([first.code, second.code]).toEqual([0, 0]);
        expect(outputs()!.map((name) => [name, readFileSync(join(out, name))])).toEqual(files);
        expect(lineOf(second)).toBe(lineOf(first).replace('* ms', '* ms, from the cache'));
        expect(second.stderr).toBe(first.stderr);
        const [entry] = JSON.parse(readFileSync(report, 'utf8')).inputs;
        expect([entry.status, entry.cache]).toEqual(['baked', { hit: true, warnings: [] }]);
    });

    test('a result above --cache-max-entry is not kept', async () => {
        for (const size of ['1kB', '1MB']) expect((await bake('--cache-max-entry', size)).code).toBe(0);
        expect((await bake()).stdout).toContain('from the cache');
        expect((await bake('--cache-max-entry', '1kB')).stdout).not.toContain('from the cache');
    });

    test('what lies there with its bytes is not fetched, counts as written now, and keeps its blob in use', async () => {
        const first = await bake();
        const read = () => outputs()!.map((name) => readFileSync(join(out, name)));
        const files = read();
        const blobs = readdirSync(join(cache, 'cas'), { recursive: true, encoding: 'utf8' })
            .filter((name) => name.length > 60)
            .map((name) => join(cache, 'cas', name));
        const all = [...blobs, ...outputs()!.map((name) => join(out, name))];
        for (const damage of ['none', 'all blobs']) {
            if (damage !== 'none') for (const blob of blobs) writeFileSync(blob, '');
            for (const path of all) utimesSync(path, 1, 1);
            const second = await bake();
            expect([second.stderr, lineOf(second)]).toEqual([
                first.stderr,
                lineOf(first).replace('* ms', '* ms, from the cache'),
            ]);
            expect(read()).toEqual(files);
            for (const path of all) expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
        }
        // One byte of one of them: all are fetched, and as the blobs are not what they should be, made again.
        const changed = Buffer.from(files[0]!);
        changed[changed.length - 1]! ^= 1;
        writeFileSync(join(out, outputs()![0]!), changed);
        expect((await bake()).stderr).toContain('; made again');
        expect(read()).toEqual(files);
    });

    test('of a batch what is there is taken and the rest baked, told in the order of the inputs', async () => {
        const inputs = Array.from({ length: 9 }, (_, i) => {
            const path = join(folder, `model-${i}.gltf`);
            writeFileSync(path, smallGltf({ duration: i + 1 }));
            return path;
        });
        const all = (...more: string[]) => poselane(['bake', ...inputs, '-o', out, '--cache', cache, ...more]);
        const sources = ({ stdout }: Outcome) =>
            stdout.split('\n').flatMap((line) => {
                const [, input] = /^(.+?): 2 clips/.exec(line) ?? [];
                return input === undefined ? [] : [[input, line.includes('from the cache')]];
            });
        await poselane(['bake', ...inputs.slice(2, 7), '-o', out, '--cache', cache, '-j', '1']);
        const some = await all('-j', '1');
        expect([some.code, sources(some)]).toEqual([0, inputs.map((input, i) => [input, i >= 2 && i < 7])]);
        const rest = await all('-j', '2');
        expect([rest.code, sources(rest)]).toEqual([0, inputs.map((input) => [input, true])]);
        expect(outputs()).toHaveLength(18);
    });

    test('for a page, too', async () => {
        await bake('--html', join(folder, 'one.html'));
        const second = await bake('--html', join(folder, 'two.html'));
        expect(second.stdout).toContain(', from the cache');
        const [one, two] = ['one', 'two'].map((name) => readFileSync(join(folder, `${name}.html`), 'utf8'));
        expect(two).toBe(one);
    });

    test('--cache-read-only and --dry-run leave nothing in it', async () => {
        for (const flag of ['--cache-read-only', '--dry-run']) expect((await bake(flag)).code).toBe(0);
        expect(statSync(cache, { throwIfNoEntry: false })).toBeUndefined();
    });

    test('a server that is down: one warning, whatever -j is, and the bakes', async () => {
        const second = join(folder, 'second.gltf');
        writeFileSync(second, smallGltf());
        const argv = ['bake', input, second, '-o', out, '-j', '2', '--strict', '--cache', 'http://127.0.0.1:2'];
        const { code, stderr } = await poselane(argv);
        expect(code).toBe(0);
        expect(stderr).toMatch(
            /^poselane: warning CACHE_LEFT_OUT: the cache 'http:\/\/127\.0\.0\.1:2' is left out now: .*ECONNREFUSED.*\n$/,
        );
        expect(outputs()).toHaveLength(4);
    });

    test('a server that lets nobody write, however it says so: one warning, whatever -j is', async () => {
        const server = await startStore();
        let refused = 0;
        server.fault = ({ method, socket }, response) => {
            if (method !== 'PUT') return false;
            if (refused++ === 0) response.writeHead(403).end();
            else socket.destroy();
            return true;
        };
        const inputs = Array.from({ length: 8 }, (_, i) => join(folder, `model-${i}.gltf`));
        for (const path of inputs) writeFileSync(path, smallGltf());
        const { code, stderr } = await poselane(['bake', ...inputs, '-o', out, '-j', '2', '--cache', server.url]);
        await server.close();
        expect(code).toBe(0);
        expect(stderr).toMatch(
            /^poselane: warning CACHE_READ_ONLY: the cache 'http:\/\/127\.0\.0\.1:\d+' is only read now: .+\n$/,
        );
        // Once a thread, and once more where the connection had been used before.
        expect([1, 2, 3]).toContain(refused);
    });

    test.each([
        ['http://cache.example', /: name an https: URL, or allow it by --cache-insecure$/],
        [
            's3://me:secret@cache',
            /^poselane: cache: 's3:' is not supported: name a folder .*, or an http: or https: URL$/,
        ],
        [
            'https://me:secret@cache.example',
            /^poselane: cache: the URL of cache\.example has a user's name in it: use a token$/,
        ],
        ['small.gltf', /^poselane: --cache: '.*small\.gltf' is not a folder$/],
    ])('%s is refused before any work', async (place, message) => {
        cache = place.includes(':') ? place : join(folder, place);
        const { code, stderr } = await bake();
        expect([code, stderr.trimEnd()]).toEqual([2, expect.stringMatching(message)]);
        expect(outputs()).toBeNull();
    });

    test('cache prune keeps to a size', async () => {
        await bake();
        const all = await poselane(['cache', 'prune', cache, '--max-size', '1GB']);
        expect(all).toEqual({
            code: 0,
            stdout: expect.stringMatching(/removed 0 files \(0 bytes\), kept 3 files /),
            stderr: '',
        });
        const none = await poselane(['cache', 'prune', cache, '--max-size', '0.5kB']);
        expect(none.stdout).toMatch(/: removed ([23] files|1 file) /);
        const wrong = await poselane(['cache', 'prune', cache, '--max-size', '10']);
        expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Needs a size in kB, MB, GB or TB')]);
        const lost = await poselane(['cache', 'prune', join(folder, 'none'), '--max-size', '1GB']);
        expect([lost.code, lost.stderr]).toEqual([
            2,
            expect.stringMatching(/^poselane: folder: '.*none' does not exist$/m),
        ]);
        const file = await poselane(['cache', 'prune', input, '--max-size', '1GB']);
        expect([file.code, file.stderr]).toEqual([
            2,
            expect.stringMatching(/^poselane: folder: '.*' is not a folder$/m),
        ]);
    });
});

describe('interrupted: exit 130, no output', () => {
    test('before the start', async () => {
        const { code, stdout, stderr } = await poselane(['bake', input, '-o', out], { signal: AbortSignal.abort() });
        expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: 'poselane: interrupted\n' });
        expect(outputs()).toBeNull();
    });

    test('while it evaluates', async () => {
        const controller = new AbortController();
        const outcome = await poselane(['bake', input, '-o', out], {
            isTTY: true,
            signal: controller.signal,
            onProgress: () => controller.abort(),
        });
        expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 130, stdout: '' });
        expect(outcome.stderr).toMatch(/poselane: interrupted\n$/);
        expect(outputs()).toBeNull();
    });
});

describe('information: exit 0, on stdout', () => {
    test('--version', async () => {
        const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
        expect(await poselane(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    test.each([[['--help']], [['help']]])('%p lists the commands', async (argv) => {
        const { code, stdout, stderr } = await poselane(argv);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(/Commands:\s+inspect .+\s+bake .+\s+verify /s);
    });

    test.each([[['bake', '--help']], [['help', 'bake']]])('%p shows the options and examples', async (argv) => {
        const { code, stdout, stderr } = await poselane(argv);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        for (const text of ['--out', '--fps', '--clips', '--skin', 'Examples:', '--fps 60 --clips Walk,Run']) {
            expect(stdout).toContain(text);
        }
    });
});
