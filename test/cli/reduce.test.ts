// SPDX-License-Identifier: MIT

import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lengthOf, linesOf } from '../../lib/cli/reduce-lines';
import { reduceFile } from '../../lib/reduce';
import { expectRun, filesIn, inNewFolder, printed, put, readGlb, readJson } from './command-line';
import { movingGltf } from './moving-gltf';

inNewFolder();
const HERO = 'in/hero.gltf';
beforeEach(() => {
    for (const path of ['in/hero.gltf', 'in/deep/orc.gltf']) put(path, movingGltf().text);
});

/** A `.gltf` with a channel that is ignored. */
function oddGltf(): string {
    const json = JSON.parse(movingGltf().text);
    json.animations[0].channels.push({ sampler: 0, target: { path: 'translation' } });
    return JSON.stringify(json);
}

/** Uses one thread, unless the line sets another number. */
const withThread = (line: string) => `reduce ${line}${line.includes(' -j ') ? '' : ' -j 1'}`;
const reduce = (line: string, expected?: Parameters<typeof expectRun>[1]) => expectRun(withThread(line), expected);
const told = (line: string) => printed(withThread(line));

const INPUTS = ['in/deep/orc.gltf', 'in/hero.gltf'];

const DONE = 'animations [\\d.]+ (KiB|bytes) to [\\d.]+ (KiB|bytes) gzipped \\(\\d+%\\)';
const OFF = `off by at most [\\d.]+ mm \\([\\d.]+% of the extent\\): clip #\\d '(Walk|Run)', node 'Hand', at [\\d.]+ s`;

describe('one file', () => {
    test('to a file: the bytes of the library, and a line with keys, sizes, the error and its place', async () => {
        const stdout = await told('in/hero.gltf -o small.glb --max-error 2mm');
        expect(stdout).toMatch(
            new RegExp(`^in/hero\\.gltf -> small\\.glb: 244 keys to \\d{2}, ${DONE}; ${OFF}; [\\d.]+ s\\n$`),
        );
        const { bytes, after, clips } = await reduceFile(HERO, { maxError: '2mm' });
        expect(readFileSync('small.glb').equals(bytes)).toBe(true);
        expect(stdout).toContain(` to ${after.keys}, `);
        expect(Math.max(...clips.map(({ error }) => error))).toBeLessThanOrEqual(0.002);
        expect(filesIn()).toEqual([...INPUTS, 'small.glb']);
    });

    test("to a new folder, also one with a file's name: under the input's name", async () => {
        mkdirSync('small.glb');
        for (const out of ['new/out', 'small.glb']) {
            await reduce(`in/hero.gltf -o ${out} --quiet`);
            expect(filesIn(out)).toEqual(['hero.glb']);
        }
    });

    test('a .vrm, which is a GLB, can be read and written, and keeps its name in a folder', async () => {
        const { bytes } = await reduceFile(HERO);
        writeFileSync('in/deep/hero.VRM', bytes);
        await reduce('in/hero.gltf -o small.vrm --quiet');
        expect(readFileSync('small.vrm').equals(bytes)).toBe(true);
        await reduce('in/deep/hero.VRM -o in/deep/hero.glb --quiet');
        await reduce('in/deep/hero.VRM -o out --quiet');
        expect(filesIn('out')).toEqual(['hero.vrm']);
        await reduce('in/deep/hero.VRM -o in/deep --quiet', { code: 2, stderr: /hero\.VRM/ });
    });

    test('--verbose: a line for each clip', async () => {
        const lines = (await told('in/hero.gltf -o out -v -j 2')).split('\n');
        for (const [i, name] of ['Walk', 'Run'].entries()) {
            const clip = new RegExp(`^  clip #\\d '${name}': 122 keys to \\d{2}, off by at most [\\d.]+ mm `);
            expect(lines[i + 1]).toMatch(clip);
        }
    });

    /** The report of clips with 5 keys before and after. */
    function linesFor(...clips: object[]): string[] {
        const sizes = { keys: 10, bytes: 300, gzip: 100 };
        const whole = clips.map((clip, animation) => {
            return { name: `C${animation}`, animation, keysBefore: 5, keysAfter: 5, worst: null, dropped: 0, ...clip };
        });
        const reduction = { extent: 1, maxError: 0.001, clips: whole, before: sizes, after: sizes };
        const report = { input: 'in.glb', milliseconds: 100, cache: null, reduction };
        return linesOf(report as never, { path: 'out.glb', verbose: true } as never);
    }

    test('clips that keep all keys are reported', () => {
        const [line, ...others] = linesFor({ error: 0, kept: true }, { error: 0, kept: true });
        expect(line).toMatch(
            /: 10 keys to 10, .*; all clips keep all keys: nothing smaller was proved to be within the bound; /,
        );
        expect(others).toEqual(["  clip #0 'C0': 5 keys, all kept", "  clip #1 'C1': 5 keys, all kept"]);
    });

    test('a clip reports its proved bound, without a place if no error was found', () => {
        const [still, off] = [
            { error: 0, kept: false },
            { error: 0.004, kept: false },
        ];
        const [line, ...others] = linesFor(still, off);
        expect(line).toMatch(
            / 100 bytes to 100 bytes gzipped .*; off by at most 4 mm \(0\.4% of the extent\): clip #1 'C1'; /,
        );
        expect(others).toEqual([
            "  clip #0 'C0': 5 keys to 5, nothing is off",
            "  clip #1 'C1': 5 keys to 5, off by at most 4 mm (0.4% of the extent)",
        ]);
        expect(linesFor(still)[0]).toMatch(/; nothing is off; /);
    });

    test('--drop-rest: channels at rest are dropped and counted; without it they keep a key', async () => {
        const model = JSON.parse(movingGltf().text);
        // Without a bufferView: zeros, as at rest.
        const output = model.accessors.push({ componentType: 5126, count: 61, type: 'VEC3' }) - 1;
        for (const { samplers, channels } of model.animations) {
            const sampler = samplers.push({ input: 1, output }) - 1;
            channels.push({ sampler, target: { node: 1, path: 'translation' } });
        }
        writeFileSync(HERO, JSON.stringify(model));
        const counts = () =>
            readGlb('out/hero.glb').animations.map((one: { channels: unknown[] }) => one.channels.length);
        expect(await told('in/hero.gltf -o out')).not.toContain('left out');
        expect(counts()).toEqual([3, 3]);
        expect(await told('in/hero.gltf -o out --drop-rest')).toContain('; 2 channels at rest left out; ');
        expect(counts()).toEqual([2, 2]);
    });

    test('clips not named by --clips keep their keys', async () => {
        const model = JSON.parse(movingGltf().text);
        // If clips share keys, one would take more bytes than both.
        for (const [i, animation] of model.animations.entries()) {
            animation.samplers = [animation.samplers[1 - i]];
            animation.channels = [{ ...animation.channels[1 - i], sampler: 0 }];
        }
        writeFileSync(HERO, JSON.stringify(model));
        expect(await told('in/hero.gltf -o out --clips Run')).toMatch(/: 122 keys to \d\d, /);
        const json = readGlb('out/hero.glb');
        const countOf = (animation: number) => json.accessors[json.animations[animation].samplers[0].input].count;
        expect([countOf(0), countOf(1) < 61]).toEqual([61, true]);
    });

    test('a file without animations passes through, with a note', async () => {
        writeFileSync(HERO, movingGltf({ clips: [] }).text);
        const stdout = /^in\/hero\.gltf -> out\/hero\.glb: no animations; [\d.e-]+ s\n$/;
        await reduce('in/hero.gltf -o out', { stdout });
        expect(readGlb('out/hero.glb').nodes).toHaveLength(2);
    });

    test('--dry-run writes nothing, and says so', async () => {
        const stdout = /^in\/hero\.gltf -> out\/hero\.glb \(dry run: not written\): 244 keys /;
        await reduce('in/hero.gltf -o out --dry-run --cache cache', { stdout });
        expect(filesIn()).toEqual(INPUTS);
    });

    test('--no-quantize: only floats; --compress meshopt: by the extension', async () => {
        const outputsOf = async (options = '') => {
            await reduce(`in/hero.gltf -o out --quiet${options}`);
            const json = readGlb('out/hero.glb');
            const types = json.animations[0].samplers.map(
                ({ output }: { output: number }) => json.accessors[output].componentType,
            );
            return { types: new Set(types), used: json.extensionsUsed ?? [] };
        };
        expect(await outputsOf(' --no-quantize')).toEqual({ types: new Set([5126]), used: [] });
        expect((await outputsOf()).types).not.toEqual(new Set([5126]));
        // For few keys the JSON of a compressed view takes more than it saves.
        writeFileSync(HERO, movingGltf({ keys: 600, clips: ['Walk'] }).text);
        const packed = await outputsOf(' --compress meshopt --max-error 0.1mm');
        expect(packed.used).toEqual(['EXT_meshopt_compression']);
    });
});

// Features shared with bake, such as warnings and cache: test/cli/bake.test.ts.
describe('several files', () => {
    test('as <name>.glb, with a summary line', async () => {
        const stdout = await told('in -o out');
        expect(filesIn('out')).toEqual(['hero.glb', 'orc.glb']);
        expect(stdout.split('\n')[2]).toMatch(new RegExp(`^2 files: 488 keys to \\d+, ${DONE}, [\\d.]+ s$`));
    });

    test('--keep-tree and --exclude', async () => {
        await reduce('in -o out --keep-tree --quiet');
        expect(filesIn('out')).toEqual(['deep/orc.glb', 'hero.glb']);
        await reduce('in -o less --exclude deep --quiet');
        expect(filesIn('less')).toEqual(['hero.glb']);
    });

    test('a failing file does not stop the others; with --fail-fast it does', async () => {
        writeFileSync('in/bad.gltf', '{');
        await reduce('in -o out --quiet', {
            code: 5,
            stderr: /^poselane: in\/bad\.gltf: .+\nposelane: 1 of 3 files could not be reduced\n$/,
        });
        expect(filesIn('out')).toEqual(['hero.glb', 'orc.glb']);
        const stderr = /--fail-fast: 'in\/bad\.gltf' could not be reduced/;
        await reduce('in -o fast --fail-fast', { code: 5, stdout: null, stderr });
        expect(existsSync('fast')).toBe(false);
    });

    test('merged --report files of shards equal the report of one command', async () => {
        const options = 'in -o out --quiet -j 1 --max-error 1mm --max-slide none';
        for (const shard of [1, 2]) await reduce(`${options} --shard ${shard}/2 --report ${shard}.json`);
        expect(await told(`${options} --json --report whole.json`)).toBe(readFileSync('whole.json', 'utf8'));
        const stdout = 'all.json: of 2 files 2 reduced, 0 failed, 0 not begun\n';
        await expectRun('merge-reports 1.json 2.json -o all.json', { stdout });
        const timeless = (path: string) => {
            const { inputs, ...rest } = readJson(path);
            return { ...rest, inputs: inputs.map((entry: object) => ({ ...entry, milliseconds: 0 })) };
        };
        expect(timeless('all.json')).toEqual(timeless('whole.json'));
        const { reduced, batch, inputs } = readJson('all.json');
        expect(reduced).toBe(2);
        expect(batch).toMatchObject({ command: 'reduce', options: { maxError: '1mm', maxSlide: 'none' } });
        expect(inputs[1]).toMatchObject({
            status: 'reduced',
            files: [{ name: 'hero.glb' }],
            reduction: {
                maxError: 0.001,
                before: { keys: 244 },
                clips: [{ name: 'Walk', worst: { name: 'Hand' } }, {}],
            },
            error: null,
        });
    });
});

describe('--cache', () => {
    const cached = (options = '') => told(`in/hero.gltf -o out --cache cache${options}`);

    test('the second run gives the same bytes and text, from the cache; other options run again', async () => {
        const first = await cached();
        const bytes = readFileSync('out/hero.glb');
        rmSync('out', { recursive: true });
        const second = await cached();
        const timeless = (text: string) => text.replace(/[\d.e-]+ s(?=,|\n)/g, '');
        expect(timeless(second)).toBe(timeless(first).replace(/\n$/, ', from the cache\n'));
        expect(readFileSync('out/hero.glb').equals(bytes)).toBe(true);
        expect(await cached(' --max-error 3mm')).not.toContain('from the cache');
        expect(await cached(' --max-slide none')).not.toContain('from the cache');
    });

    test('a buffer file is part of the key', async () => {
        const { text, bytes } = movingGltf({ buffer: 'data.bin' });
        put(HERO, text);
        put('in/data.bin', bytes);
        await cached();
        expect(await cached()).toContain('from the cache');
        bytes.writeFloatLE(0.75, 12);
        put('in/data.bin', bytes);
        expect(await cached()).not.toContain('from the cache');
    });

    test('a damaged entry gives a warning; --cache-read-only writes nothing', async () => {
        await cached(' --cache-read-only');
        expect(existsSync('cache')).toBe(false);
        await cached();
        truncateSync(join('cache/cas', filesIn('cache/cas').find((name) => name.length > 60)!), 5);
        rmSync('out', { recursive: true }); // an output that is up to date is not fetched
        const stderr =
            /^poselane: warning CACHE_ENTRY_INVALID: the cache 'cache': it has other bytes .*; made again\n$/;
        await reduce('in/hero.gltf -o out --cache cache', { stdout: /^(?!.*from the cache)/, stderr });
    });
});

// Other names of a file: test/cli/overwriting.test.ts.
const ORC = movingGltf().text;
const PARTED = movingGltf({ buffer: 'hero.glb' });
test.each<[what: string, files: Record<string, string | Uint8Array>, argv: string, message: string]>([
    [
        'its own folder',
        { 'in/a.glb': ORC },
        'in/a.glb -o in',
        "reducing 'in/a.glb' would overwrite the input 'in/a.glb': choose another folder by --out",
    ],
    [
        'its buffer',
        { 'in/hero.gltf': PARTED.text, 'in/hero.glb': PARTED.bytes },
        'in/hero.gltf -o in',
        "reducing 'in/hero.gltf' would overwrite 'in/hero.glb', which the input 'in/hero.gltf' refers to: choose another folder by --out",
    ],
    [
        'two inputs of the same name',
        { 'in/deep/Hero.glb': ORC },
        'in -o out',
        "'in/deep/Hero.glb' and 'in/hero.gltf' would write the same files: reduce them into different folders, as --keep-tree does",
    ],
    ['several inputs, one file', {}, 'in -o small.glb', "--out: 'small.glb' is one file: several inputs need a folder"],
    [
        'standard output',
        {},
        'in/hero.gltf -o -',
        "--out: standard output has the results: name a file or a folder ('./-')",
    ],
    [
        'the report',
        {},
        'in/hero.gltf -o out --report out/hero.glb',
        "--report: 'out/hero.glb' is what 'in/hero.gltf' is reduced to",
    ],
    [
        'a file whose name is only the extension',
        { 'in/.glb': ORC },
        'in/.glb -o in/.glb',
        "reducing 'in/.glb' would overwrite the input 'in/.glb': choose another folder by --out",
    ],
])('nothing overwrites %s, or is written twice: exit 2', async (_, parts, argv, message) => {
    for (const [path, contents] of Object.entries(parts)) put(path, contents);
    const contents = () => filesIn().map((name) => [name, readFileSync(name, 'latin1')]);
    const before = contents();
    await reduce(argv, { code: 2, stderr: `poselane: ${message}\n` });
    expect(contents()).toEqual(before);
});

test('names that look like bakes of several skins can be together', async () => {
    put('in/hero.skin0.gltf', ORC);
    await reduce('in -o out --quiet');
    expect(filesIn('out')).toContain('hero.skin0.glb');
});

test.each<[string, number, string]>([
    [
        '--max-error much',
        2,
        "--max-error is 'much'; it must be a number in the model's units, or one with mm, cm, m or % of the extent",
    ],
    ['--max-slide 0', 2, '--max-slide is 0; it must be greater than 0'],
    ['--max-angle 120', 2, '--max-angle is 120; it must be above 0'],
    ['--keep-joints (', 2, "--keep-joints is '(', which is not a regular expression: "],
    ['--keep-joints Hnad', 2, "in/hero.gltf: --keep-joints: no node matches 'Hnad', has 'Body', 'Hand'"],
    ['--compress zip', 2, "option '--compress <how>' argument 'zip' is invalid. "],
    ['--cache-read-only', 2, '--cache-read-only has no effect without --cache; add it, or leave'],
    ['--clips Jump', 2, "in/hero.gltf: no clip 'Jump', has 'Walk', 'Run'"],
    ['--max-error 1e-9m', 4, 'in/hero.gltf: a bound of 1e-9 is less than float32 can tell in a model of '],
])('%s', async (options, exit, start) => {
    const { stderr } = await reduce(`in/hero.gltf -o out ${options}`, { code: exit, stderr: /^[^\n]+\n$/ });
    expect(stderr.slice(0, 'poselane: '.length + start.length)).toBe(`poselane: ${start}`);
    expect(existsSync('out')).toBe(false);
});

test('a missing file: exit 3', async () => {
    await reduce('none.glb -o out', { code: 3, stderr: null });
});

test('--strict: a warning is an error', async () => {
    writeFileSync(HERO, oddGltf());
    const stderr = /^poselane: warning CHANNEL_IGNORED: in\/hero\.gltf#\/animations\/0\/channels\/2\/target: /;
    await reduce('in/hero.gltf -o out', { stdout: null, stderr });
    await reduce('in/hero.gltf -o out --strict', { code: 3, stderr: null });
});

test('interrupted: exit 130, and nothing is left', async () => {
    const controller = new AbortController();
    const interrupted = { code: 130, stderr: 'poselane: interrupted\n' };
    const running = expectRun('reduce in -o out -j 1', interrupted, { signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await running;
    expect(filesIn()).toEqual(INPUTS);
});

test.each([
    [0.0005, '0.5 mm'],
    [0.0000123, '0.0123 mm'],
    [0.01234, '1.23 cm'],
    [1.5, '1.5 m'],
    [0, '0 mm'],
])('%p m is %s', (metres, text) => {
    expect(lengthOf(metres)).toBe(text);
});
