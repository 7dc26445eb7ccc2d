// SPDX-License-Identifier: MIT

import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    truncateSync,
    writeFileSync,
} from 'node:fs';
import type * as nodeFiles from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { lengthOf, linesOf } from '../../lib/cli/reduce-lines';
import { reduceFile } from '../../lib/reduce';
import { movingGltf } from './moving-gltf';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-reduce-'));
    for (const name of ['in', 'in/deep']) mkdirSync(join(folder, name));
    for (const name of ['hero', 'deep/orc']) writeFileSync(at(`in/${name}.gltf`), movingGltf().text);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);
const hero = () => at('in/hero.gltf');

/** The JSON of a GLB. */
function jsonOf(glb: Buffer) {
    return JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
}

interface Outcome {
    code: number;
    stdout: string;
    stderr: string;
}

/** A `.gltf` with a channel that is left out. */
function oddGltf(): string {
    const json = JSON.parse(movingGltf().text);
    json.animations[0].channels.push({ sampler: 0, target: { path: 'translation' } });
    return JSON.stringify(json);
}

/** Runs the command; names in what it says are from the folder on. */
async function reduce(argv: readonly string[], signal?: AbortSignal, command = 'reduce'): Promise<Outcome> {
    const outcome = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof outcome) => ({ write: (text: string) => (outcome[name] += text) });
    const code = await run([command, ...argv], { stdout: stream('stdout'), stderr: stream('stderr'), signal });
    const local = (text: string) => text.replaceAll(`${folder}/`, '');
    return { code, stdout: local(outcome.stdout), stderr: local(outcome.stderr) };
}

const files = (name = '.') =>
    (readdirSync(at(name), { recursive: true, withFileTypes: true }) as { name: string; parentPath: string }[])
        .flatMap((entry) => (existsSync(join(entry.parentPath, entry.name)) ? join(entry.parentPath, entry.name) : []))
        .map((path) => path.slice(folder.length + 1))
        .filter((path) => /\.\w+$/.test(path))
        .sort();
const INPUTS = ['in/deep/orc.gltf', 'in/hero.gltf'];

const DONE = 'animations [\\d.]+ (KiB|bytes) to [\\d.]+ (KiB|bytes) gzipped \\(\\d+%\\)';
const OFF = `off by at most [\\d.]+ mm \\([\\d.]+% of the extent\\): clip #\\d '(Walk|Run)', node 'Hand', at [\\d.]+ s`;

describe('one file', () => {
    test('to a file: the bytes of the library, and a line with keys, sizes, the error and its place', async () => {
        const { code, stdout, stderr } = await reduce([hero(), '-o', at('small.glb'), '--max-error', '2mm', '-j', '1']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(
            new RegExp(`^in/hero\\.gltf -> small\\.glb: 244 keys to \\d{2}, ${DONE}; ${OFF}; [\\d.]+ s\\n$`),
        );
        const { bytes, after, clips } = await reduceFile(hero(), { maxError: '2mm' });
        expect(readFileSync(at('small.glb')).equals(bytes)).toBe(true);
        expect(stdout).toContain(` to ${after.keys}, `);
        expect(Math.max(...clips.map(({ error }) => error))).toBeLessThanOrEqual(0.002);
        expect(files()).toEqual([...INPUTS, 'small.glb']);
    });

    test('to a folder, which is made: under its own name', async () => {
        const { code } = await reduce([hero(), '-o', at('new/out'), '-j', '1', '--quiet']);
        expect(code).toBe(0);
        expect(files('new')).toEqual(['new/out/hero.glb']);
    });

    test('a .vrm, which is a GLB, is a file to read, to write, and a name that the output keeps in a folder', async () => {
        const { bytes } = await reduceFile(hero());
        writeFileSync(at('in/deep/hero.VRM'), bytes);
        expect((await reduce([hero(), '-o', at('small.vrm'), '--quiet'])).code).toBe(0);
        expect(readFileSync(at('small.vrm')).equals(bytes)).toBe(true);
        expect((await reduce([at('in/deep/hero.VRM'), '-o', at('in/deep/hero.glb'), '--quiet'])).code).toBe(0);
        expect((await reduce([at('in/deep/hero.VRM'), '-o', at('out'), '--quiet'])).code).toBe(0);
        expect(files('out')).toEqual(['out/hero.vrm']);
        const over = await reduce([at('in/deep/hero.VRM'), '-o', at('in/deep'), '--quiet']);
        expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('hero.VRM') });
    });

    test('a folder may be called as a file is', async () => {
        mkdirSync(at('small.glb'));
        expect((await reduce([hero(), '-o', at('small.glb'), '--quiet'])).code).toBe(0);
        expect(files('small.glb')).toEqual(['small.glb/hero.glb']);
    });

    test('--verbose: a line for each clip', async () => {
        const { stdout } = await reduce([hero(), '-o', at('out'), '-v', '-j', '2']);
        const [, walk, runs] = stdout.split('\n');
        const clip = (name: string) =>
            new RegExp(`^  clip #\\d '${name}': 122 keys to \\d{2}, off by at most [\\d.]+ mm `);
        expect(walk).toMatch(clip('Walk'));
        expect(runs).toMatch(clip('Run'));
    });

    test('clips whose keys all stay are told', () => {
        const sizes = { keys: 244, bytes: 3000, gzip: 1000 };
        const clip = { keysBefore: 122, keysAfter: 122, error: 0, worst: null, kept: true, dropped: 0 };
        const clips = ['Walk', 'Run'].map((name, animation) => ({ ...clip, name, animation }));
        const reduction = { extent: 1, maxError: 0.001, clips, before: sizes, after: sizes };
        const report = { input: 'in.glb', milliseconds: 100, cache: null, reduction };
        const [line, ...others] = linesOf(report as never, { path: 'out.glb', verbose: true } as never);
        expect(line).toMatch(
            /: 244 keys to 244, .*; all clips keep all keys: none in fewer bytes was proved to keep to the bound; /,
        );
        expect(others).toEqual(["  clip #0 'Walk': 122 keys, all kept", "  clip #1 'Run': 122 keys, all kept"]);
    });

    test('of a clip the proved bound is told, with no place where nothing was found to be off', () => {
        const sizes = { keys: 10, bytes: 300, gzip: 100 };
        const clip = { keysBefore: 5, keysAfter: 5, worst: null, kept: false, dropped: 0 };
        const clips = [0, 0.004].map((error, animation) => ({ ...clip, error, name: `C${animation}`, animation }));
        const told = (some: typeof clips) => {
            const reduction = { extent: 1, maxError: 0.001, clips: some, before: sizes, after: sizes };
            const report = { input: 'in.glb', milliseconds: 100, cache: null, reduction };
            return linesOf(report as never, { path: 'out.glb', verbose: true } as never);
        };
        const [line, still, off] = told(clips);
        expect(line).toMatch(
            / 100 bytes to 100 bytes gzipped .*; off by at most 4 mm \(0\.4% of the extent\): clip #1 'C1'; /,
        );
        expect(still).toBe("  clip #0 'C0': 5 keys to 5, nothing is off");
        expect(off).toBe("  clip #1 'C1': 5 keys to 5, off by at most 4 mm (0.4% of the extent)");
        expect(told(clips.slice(0, 1))[0]).toMatch(/; nothing is off; /);
    });

    test('--drop-rest: channels at rest are left out, and counted; without it they keep a key', async () => {
        const model = JSON.parse(movingGltf().text);
        // No bufferView: zeros, as at rest.
        const output = model.accessors.push({ componentType: 5126, count: 61, type: 'VEC3' }) - 1;
        for (const { samplers, channels } of model.animations) {
            const sampler = samplers.push({ input: 1, output }) - 1;
            channels.push({ sampler, target: { node: 1, path: 'translation' } });
        }
        writeFileSync(hero(), JSON.stringify(model));
        const channelsWith = async (...argv: string[]) => {
            const { code, stdout } = await reduce([hero(), '-o', at('out'), ...argv]);
            expect(code).toBe(0);
            const { animations } = jsonOf(readFileSync(at('out/hero.glb')));
            return { stdout, counts: animations.map(({ channels }: { channels: unknown[] }) => channels.length) };
        };
        const kept = await channelsWith();
        expect(kept.counts).toEqual([3, 3]);
        expect(kept.stdout).not.toContain('left out');
        const dropped = await channelsWith('--drop-rest');
        expect(dropped.counts).toEqual([2, 2]);
        expect(dropped.stdout).toContain('; 2 channels at rest left out; ');
    });

    test('of other clips than --clips names the keys stay', async () => {
        const model = JSON.parse(movingGltf().text);
        // Of clips with the same keys one would have more bytes than both.
        for (const [i, animation] of model.animations.entries()) {
            animation.samplers = [animation.samplers[1 - i]];
            animation.channels = [{ ...animation.channels[1 - i], sampler: 0 }];
        }
        writeFileSync(hero(), JSON.stringify(model));
        const { code, stdout } = await reduce([hero(), '-o', at('out'), '--clips', 'Run']);
        expect(code).toBe(0);
        expect(stdout).toMatch(/: 122 keys to \d\d, /);
        const json = jsonOf(readFileSync(at('out/hero.glb')));
        const countOf = (animation: number) => json.accessors[json.animations[animation].samplers[0].input].count;
        expect([countOf(0), countOf(1) < 61]).toEqual([61, true]);
    });

    test('without animations it passes through, and that is told', async () => {
        writeFileSync(hero(), movingGltf({ clips: [] }).text);
        const { code, stdout, stderr } = await reduce([hero(), '-o', at('out')]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(/^in\/hero\.gltf -> out\/hero\.glb: no animations; [\d.e-]+ s\n$/);
        expect(jsonOf(readFileSync(at('out/hero.glb'))).nodes).toHaveLength(2);
    });

    test('--dry-run writes nothing, and says so', async () => {
        const { code, stdout } = await reduce([hero(), '-o', at('out'), '--dry-run', '--cache', at('cache')]);
        expect(code).toBe(0);
        expect(stdout).toMatch(/^in\/hero\.gltf -> out\/hero\.glb \(dry run: not written\): 244 keys /);
        expect(files()).toEqual(INPUTS);
    });

    test('--no-quantize: floats alone; --compress meshopt: by the extension', async () => {
        const outputsOf = async (...options: string[]) => {
            expect((await reduce([hero(), '-o', at('out'), '--quiet', ...options])).code).toBe(0);
            const json = jsonOf(readFileSync(at('out/hero.glb')));
            const types = json.animations[0].samplers.map(
                ({ output }: { output: number }) => json.accessors[output].componentType,
            );
            return { types: new Set(types), used: json.extensionsUsed ?? [] };
        };
        expect(await outputsOf('--no-quantize')).toEqual({ types: new Set([5126]), used: [] });
        expect((await outputsOf()).types).not.toEqual(new Set([5126]));
        // Of few keys the JSON of a compressed view takes more than it saves.
        writeFileSync(hero(), movingGltf({ keys: 600, clips: ['Walk'] }).text);
        const packed = await outputsOf('--compress', 'meshopt', '--max-error', '0.1mm');
        expect(packed.used).toEqual(['EXT_meshopt_compression']);
    });
});

describe('several files', () => {
    test('as <name>.glb, with a line for all together', async () => {
        const { code, stdout } = await reduce([at('in'), '-o', at('out'), '-j', '1']);
        expect(code).toBe(0);
        expect(files('out')).toEqual(['out/hero.glb', 'out/orc.glb']);
        expect(stdout.split('\n')[2]).toMatch(new RegExp(`^2 files: 488 keys to \\d+, ${DONE}, [\\d.]+ s$`));
    });

    test('--keep-tree and --exclude', async () => {
        await reduce([at('in'), '-o', at('out'), '--keep-tree', '--quiet']);
        expect(files('out')).toEqual(['out/deep/orc.glb', 'out/hero.glb']);
        await reduce([at('in'), '-o', at('less'), '--exclude', 'deep', '--quiet']);
        expect(files('less')).toEqual(['less/hero.glb']);
    });

    test('one that fails does not keep the others from being reduced; --fail-fast does', async () => {
        writeFileSync(at('in/bad.gltf'), '{');
        const all = await reduce([at('in'), '-o', at('out'), '-j', '1', '--quiet']);
        expect(all).toMatchObject({ code: 5, stdout: '' });
        expect(all.stderr).toMatch(/^poselane: in\/bad\.gltf: .+\nposelane: 1 of 3 files could not be reduced\n$/);
        expect(files('out')).toEqual(['out/hero.glb', 'out/orc.glb']);
        const fast = await reduce([at('in'), '-o', at('fast'), '-j', '1', '--fail-fast']);
        expect(fast).toMatchObject({ code: 5 });
        expect(fast.stderr).toContain("--fail-fast: 'in/bad.gltf' could not be reduced");
        expect(existsSync(at('fast'))).toBe(false);
    });

    test('a warning is told once, with how many files have it; by --verbose for each', async () => {
        for (const name of ['deep/orc', 'hero']) writeFileSync(at(`in/${name}.gltf`), oddGltf());
        const argv = [at('in'), '-o', at('out'), '-j', '1'];
        expect((await reduce(argv)).stderr).toMatch(
            /^poselane: warning CHANNEL_IGNORED: in\/deep\/orc\.gltf#.+; and 1 more of these, in 2 files \(-v and --report list them\)\n$/,
        );
        expect(
            (await reduce([...argv, '-v'])).stderr.match(/warning CHANNEL_IGNORED: in\/(deep\/orc|hero)/g),
        ).toHaveLength(2);
    });

    test('a folder inside that cannot be read is an error of its own', async () => {
        const promises: typeof nodeFiles = require('node:fs/promises');
        const read = promises.readdir;
        const spy = jest.spyOn(promises, 'readdir').mockImplementation((async (path: string, ...more: []) => {
            if (path.endsWith('orc')) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
            return read(path, ...more);
        }) as never);
        mkdirSync(at('in/orc'));
        const { code, stderr } = await reduce([at('in'), '-o', at('out'), '-j', '1', '--quiet']);
        spy.mockRestore();
        expect([code, files('out')]).toEqual([5, ['out/hero.glb', 'out/orc.glb']]);
        expect(stderr).toMatch(
            /^poselane: in\/orc: cannot read the file: .+\nposelane: 1 of 3 files could not be reduced\n$/,
        );
    });

    test('--report of shards, joined, is that of one command', async () => {
        const [one, two, all] = ['1.json', '2.json', 'all.json'].map(at) as [string, string, string];
        const what = [at('in'), '-o', at('out'), '--quiet', '-j', '1', '--max-error', '1mm', '--max-slide', 'none'];
        for (const [i, report] of [one, two].entries()) {
            expect((await reduce([...what, '--shard', `${i + 1}/2`, '--report', report])).code).toBe(0);
        }
        const whole = await reduce([...what, '--json', '--report', at('whole.json')]);
        expect(whole.stdout).toBe(readFileSync(at('whole.json'), 'utf8').replaceAll(`${folder}/`, ''));
        const merged = await reduce([one, two, '-o', all], undefined, 'merge-reports');
        expect(merged).toMatchObject({ code: 0, stdout: 'all.json: of 2 files 2 reduced, 0 failed, 0 not begun\n' });
        const timeless = (path: string) => {
            const { inputs, ...rest } = readReport(path);
            return { ...rest, inputs: inputs.map((entry) => ({ ...entry, milliseconds: 0 })) };
        };
        expect(timeless(all)).toEqual(timeless(at('whole.json')));
        const { reduced, batch, inputs } = readReport(all);
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

interface ReadReport {
    readonly reduced: number;
    readonly batch: unknown;
    readonly inputs: readonly Record<string, unknown>[];
}

function readReport(path: string): ReadReport {
    return JSON.parse(readFileSync(path, 'utf8'));
}

describe('--cache', () => {
    const cached = (...options: string[]) => reduce([hero(), '-o', at('out'), '--cache', at('cache'), ...options]);

    test('the second time the same bytes and words, from the cache; with other options anew', async () => {
        const first = await cached();
        const bytes = readFileSync(at('out/hero.glb'));
        rmSync(at('out'), { recursive: true });
        const second = await cached();
        const timeless = ({ stdout }: Outcome) => stdout.replace(/[\d.e-]+ s(?=,|\n)/g, '');
        expect(timeless(second)).toBe(timeless(first).replace(/\n$/, ', from the cache\n'));
        expect(readFileSync(at('out/hero.glb')).equals(bytes)).toBe(true);
        expect((await cached('--max-error', '3mm')).stdout).not.toContain('from the cache');
        expect((await cached('--max-slide', 'none')).stdout).not.toContain('from the cache');
    });

    test('of a batch what is there is taken and the rest reduced, told in the order of the inputs', async () => {
        await cached();
        const all = async (jobs: string) => {
            const { stdout } = await reduce([at('in'), '-o', at('out'), '--cache', at('cache'), '-j', jobs]);
            return stdout.split('\n').map((line) => [line.split(/ |: /)[0], line.includes('from the cache')]);
        };
        const total = ['2', true];
        expect(await all('1')).toEqual([['in/deep/orc.gltf', false], ['in/hero.gltf', true], total, ['', false]]);
        expect(await all('2')).toEqual([['in/deep/orc.gltf', true], ['in/hero.gltf', true], total, ['', false]]);
        expect(files('out')).toEqual(['out/hero.glb', 'out/orc.glb']);
    });

    test('a file beside it counts', async () => {
        const { text, bytes } = movingGltf({ buffer: 'data.bin' });
        writeFileSync(hero(), text);
        writeFileSync(at('in/data.bin'), bytes);
        await cached();
        expect((await cached()).stdout).toContain('from the cache');
        bytes.writeFloatLE(0.75, 12);
        writeFileSync(at('in/data.bin'), bytes);
        expect((await cached()).stdout).not.toContain('from the cache');
    });

    test('a damaged entry costs a warning; --cache-read-only writes nothing', async () => {
        expect((await cached('--cache-read-only')).code).toBe(0);
        expect(existsSync(at('cache'))).toBe(false);
        await cached();
        const blobs = readdirSync(at('cache/cas'), { recursive: true, encoding: 'utf8' });
        truncateSync(join(at('cache/cas'), blobs.find((name) => name.length > 60)!), 5);
        rmSync(at('out'), { recursive: true }); // what is in place is not fetched
        const { code, stdout, stderr } = await cached();
        expect(code).toBe(0);
        expect(stderr).toMatch(
            /^poselane: warning CACHE_ENTRY_INVALID: the cache 'cache': it has other bytes .*; made again\n$/,
        );
        expect(stdout).not.toContain('from the cache');
    });
});

describe('nothing is written over an input, or twice', () => {
    const cases: readonly [what: string, make: () => void, argv: () => string[], message: string][] = [
        [
            'the same file',
            () => writeFileSync(at('in/a.glb'), movingGltf().text),
            () => [at('in/a.glb'), '-o', at('in/a.glb')],
            "reducing 'in/a.glb' would overwrite the input 'in/a.glb': choose another folder by --out",
        ],
        [
            'its own folder',
            () => writeFileSync(at('in/a.glb'), movingGltf().text),
            () => [at('in/a.glb'), '-o', at('in')],
            "reducing 'in/a.glb' would overwrite the input 'in/a.glb': choose another folder by --out",
        ],
        [
            'another input, by a link',
            () => {
                mkdirSync(at('out'));
                symlinkSync('../in/deep/orc.gltf', at('out/hero.glb'));
            },
            () => [at('in'), '-o', at('out')],
            "reducing 'in/hero.gltf' would overwrite the input 'in/deep/orc.gltf' (the same file as 'out/hero.glb'): choose another folder by --out",
        ],
        [
            'its buffer',
            () => {
                const { text, bytes } = movingGltf({ buffer: 'hero.glb' });
                writeFileSync(hero(), text);
                writeFileSync(at('in/hero.glb'), bytes);
            },
            () => [hero(), '-o', at('in')],
            "reducing 'in/hero.gltf' would overwrite 'in/hero.glb', which the input 'in/hero.gltf' refers to: choose another folder by --out",
        ],
        [
            'two inputs of one name',
            () => writeFileSync(at('in/deep/Hero.glb'), movingGltf().text),
            () => [at('in'), '-o', at('out')],
            "'in/deep/Hero.glb' and 'in/hero.gltf' would write the same files: reduce them into different folders, as --keep-tree does",
        ],
        [
            'several inputs, one file',
            () => {},
            () => [at('in'), '-o', at('small.glb')],
            "--out: 'small.glb' is one file: several inputs need a folder",
        ],
        [
            'standard output',
            () => {},
            () => [hero(), '-o', '-'],
            "--out: standard output has the results: name a file or a folder ('./-')",
        ],
        [
            'the report',
            () => {},
            () => [hero(), '-o', at('out'), '--report', at('out/hero.glb')],
            "--report: 'out/hero.glb' is what 'in/hero.gltf' is reduced to",
        ],
        [
            'the report, by a link to the folder',
            () => {
                mkdirSync(at('out'));
                symlinkSync('out', at('link'));
            },
            () => [hero(), '-o', at('out'), '--report', at('link/hero.glb')],
            "--report: 'link/hero.glb' is what 'in/hero.gltf' is reduced to",
        ],
        [
            'a file that is all extension',
            () => writeFileSync(at('in/.glb'), movingGltf().text),
            () => [at('in/.glb'), '-o', at('in/.glb')],
            "reducing 'in/.glb' would overwrite the input 'in/.glb': choose another folder by --out",
        ],
    ];
    test.each(cases)('%s: exit 2', async (_, make, argv, message) => {
        make();
        const before = files().map((name) => readFileSync(at(name), 'latin1'));
        expect(await reduce(argv())).toEqual({ code: 2, stdout: '', stderr: `poselane: ${message}\n` });
        expect(files().map((name) => readFileSync(at(name), 'latin1'))).toEqual(before);
    });

    test('names that bakes of several skins have may be beside one another', async () => {
        writeFileSync(at('in/hero.skin0.gltf'), movingGltf().text);
        expect((await reduce([at('in'), '-o', at('out'), '--quiet', '-j', '1'])).code).toBe(0);
        expect(files('out')).toContain('out/hero.skin0.glb');
    });
});

test.each<[string[], number, string]>([
    [
        ['--max-error', 'much'],
        2,
        "--max-error is 'much'; it must be a number in the model's units, or one with mm, cm, m or % of the extent",
    ],
    [['--max-slide', '0'], 2, '--max-slide is 0; it must be greater than 0'],
    [['--max-angle', '120'], 2, '--max-angle is 120; it must be above 0 and at most 90 degrees'],
    [['--keep-joints', '('], 2, "--keep-joints is '(', which is not a regular expression: "],
    [['--keep-joints', 'Hnad'], 2, "in/hero.gltf: --keep-joints: no node matches 'Hnad', has 'Body', 'Hand'"],
    [['--compress', 'zip'], 2, "option '--compress <how>' argument 'zip' is invalid. "],
    [['--cache-read-only'], 2, '--cache-read-only has no effect without --cache; add it, or leave this out'],
    [['--clips', 'Jump'], 2, "in/hero.gltf: no clip 'Jump', has 'Walk', 'Run'"],
    [['--max-error', '1e-9m'], 4, 'in/hero.gltf: a bound of 1e-9 is less than float32 can tell in a model of '],
])('%p', async (options, exit, start) => {
    const { code, stdout, stderr } = await reduce([hero(), '-o', at('out'), ...options]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr.slice(0, 'poselane: '.length + start.length)).toBe(`poselane: ${start}`);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(existsSync(at('out'))).toBe(false);
});

test('a missing file: exit 3', async () => {
    expect(await reduce([at('none.glb'), '-o', at('out')])).toMatchObject({ code: 3, stdout: '' });
});

test('--strict: a warning is an error', async () => {
    writeFileSync(hero(), oddGltf());
    const { code, stderr } = await reduce([hero(), '-o', at('out')]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^poselane: warning CHANNEL_IGNORED: in\/hero\.gltf#\/animations\/0\/channels\/2\/target: /);
    expect((await reduce([hero(), '-o', at('out'), '--strict'])).code).toBe(3);
});

test('interrupted: exit 130, and nothing is left', async () => {
    const controller = new AbortController();
    const running = reduce([at('in'), '-o', at('out'), '-j', '1'], controller.signal);
    controller.abort(new Error('interrupted'));
    expect(await running).toEqual({ code: 130, stdout: '', stderr: 'poselane: interrupted\n' });
    expect(files()).toEqual(INPUTS);
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
