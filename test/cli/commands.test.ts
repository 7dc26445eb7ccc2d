// SPDX-License-Identifier: MIT

import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { implementations } from '../../lib';
import { CHARACTER } from '../support/models';
import { expectRun, inNewFolder, poselane, printed, put, readJson } from './command-line';
import { smallGltf } from './small-gltf';

// `inspect`, `verify`, `diff`, `merge-reports` and `info` in this process.

let input: string;
inNewFolder();
beforeEach(() => {
    input = 'small.gltf';
    put(input, smallGltf());
});

/** Bakes the input and gives the manifest's path. */
async function bake(name: string, ...options: string[]): Promise<string> {
    const { code, stderr } = await poselane(['bake', input, '-o', name, '--fps', '60', ...options]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return join(name, options.includes('glb') ? 'small.bake.glb' : 'small.bake.json');
}

describe('poselane inspect', () => {
    test('says what is in a file, and a rate to bake it at', async () => {
        const stdout = await printed(`inspect ${input}`);
        const lines = stdout.split('\n');
        expect(lines[0]).toBe(`${input}: 2 nodes, 1 skin, 2 clips`);
        expect(lines[1]).toMatch(/^ {2}skin 0 '.*': 2 joints, 0 meshes, 0 vertices$/);
        expect(lines[2]).toMatch(/^ {2}clip #0 'Walk': 1 s, \d+ channels?, up to \d+ keys, at \d+ a second$/);
        expect(stdout).toMatch(/\n {2}--fps \d+ meets every key\n$/);
    });

    test('where no rate meets every key, says what to do', async () => {
        const { stdout } = await poselane(`inspect ${CHARACTER.path}`);
        expect(stdout).toMatch(/\n {2}no whole rate meets every key: --fps auto finds one for each clip\n$/);
    });

    test('keys that are evenly apart, but on no whole rate, have one distance', async () => {
        const gltf = JSON.parse(smallGltf());
        const floats = Float32Array.of(0, 1.25, 0, 0, 0, 0, 1, 0);
        gltf.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(floats.buffer).toString('base64')}`;
        gltf.accessors[0].max = [1.25];
        const slow = 'slow.gltf';
        writeFileSync(slow, JSON.stringify(gltf));
        const { stdout } = await poselane(`inspect ${slow}`);
        expect(stdout).toContain("clip #0 'Walk': 1.25 s, 1 channel, up to 2 keys, 1.25 s apart\n");
    });

    test('--json: the same as data', async () => {
        const { code, stdout } = await poselane(`inspect ${input} --json`);
        const [file] = JSON.parse(stdout);
        expect(code).toBe(0);
        expect(file.skins[0].joints.map(({ node }: { node: number }) => node)).toEqual([0, 1]);
        expect(file.clips.map(({ name }: { name: string }) => name)).toEqual(['Walk', 'Run']);
        expect(file.clips[0].cadence.rate).toBe(1);
        expect(file.suggestedFps).toBe(24);
        expect(file.warnings).toEqual([]);
    });

    test('a bad file among others: exit 5; alone: exit 3', async () => {
        const bad = 'bad.gltf';
        writeFileSync(bad, smallGltf().replace('"joints":[0,1]', '"joints":[0,7]'));
        const alone = await poselane(`inspect ${bad}`);
        expect(alone.code).toBe(3);
        expect(alone.stderr).toMatch(/#\/skins\/0\/joints\/1: .+\n$/);
        const both = await poselane(`inspect ${bad} ${input} --json`);
        expect(both.code).toBe(5);
        expect(JSON.parse(both.stdout).map(({ error }: { error?: object }) => error !== undefined)).toEqual([
            true,
            false,
        ]);
    });
});

describe('poselane inspect of several files', () => {
    beforeEach(() => writeFileSync('other.gltf', smallGltf({ duration: 2 })));

    test('of a folder a line for each, and totals; with --verbose all', async () => {
        const stdout = await printed('inspect .');
        expect(stdout).toBe(
            `${'other.gltf'}: 2 nodes, 1 skin, 2 clips; --fps 24 meets every key\n` +
                `${input}: 2 nodes, 1 skin, 2 clips; --fps 24 meets every key\n` +
                '2 files: 2 skins, 4 clips of 6 s together\n',
        );
        const verbose = await poselane('inspect . --verbose');
        expect(verbose.stdout).toContain((await poselane(`inspect ${input}`)).stdout);
    });

    test('a warning of several once, with how many have it; with --verbose of each', async () => {
        rmSync('other.gltf');
        for (const name of ['small', 'more']) {
            const gltf = JSON.parse(smallGltf());
            gltf.animations[0].channels.push({ sampler: 0, target: { node: 0, path: 'unknown' } });
            writeFileSync(`${name}.gltf`, JSON.stringify(gltf));
        }
        const { stderr } = await poselane('inspect .');
        expect(stderr).toMatch(
            /^poselane: warning CHANNEL_IGNORED: .*more\.gltf#.*; and 1 more of these, in 2 files \(-v and --json list them\)\n$/,
        );
        const verbose = await poselane('inspect . -v');
        expect(verbose.stderr.match(/warning CHANNEL_IGNORED/g)).toHaveLength(2);
    });

    test('--exclude, and a file that fails', async () => {
        writeFileSync('bad.gltf', '{}');
        const { code, stdout } = await poselane('inspect . --exclude other.*');
        expect(code).toBe(5);
        expect(stdout.split('\n').at(-2)).toBe('2 files: 1 skin, 2 clips of 2 s together; 1 failed');
        expect((await poselane('inspect . --exclude *')).code).toBe(2);
    });
});

describe('poselane verify of several bakes', () => {
    /** Two of a name, with other clips. */
    beforeEach(async () => {
        for (const [name, duration] of [
            ['a', 1],
            ['b', 0.5],
        ] as const) {
            put(`models/${name}/hero.gltf`, smallGltf({ duration, skins: duration > 0.5 ? 2 : 1 }));
        }
        const { code } = await poselane('bake models -o out --keep-tree --fps 30 -j 1');
        expect(code).toBe(0);
    });

    test('finds the input of each by name and hash: a line for each, and totals', async () => {
        // The same folders, the other way round.
        renameSync('out/a', 'out/c');
        renameSync('out/b', 'out/a');
        const stdout = await printed('verify models out');
        const lines = stdout.trimEnd().split('\n');
        expect(lines).toHaveLength(4);
        expect(lines[0]).toMatch(
            /out\/a\/hero\.bake\.json: rows proved: 32 rows, off by at most [\d.e-]+ of the extent; playback: [\d.e-]+%$/,
        );
        expect(lines[3]).toMatch(/^3 bakes: 3 proved; 156 rows, [\d.]+ s$/);
    });

    test('some wrong, some unread: exit 5, and all of them are told', async () => {
        const bin = 'out/b/hero.bake.bin';
        const bytes = readFileSync(bin);
        bytes.writeFloatLE(7, 12 * 4);
        writeFileSync(bin, bytes);
        writeFileSync('out/other.bake.json', '{}');
        const { code, stdout, stderr } = await poselane('verify models out');
        expect(code).toBe(5);
        expect(stdout).toMatch(/BINARY_DIFFERS .+b\/hero\.bake\.json#.+\nclip #0 'Walk' palette.+\n.+: WRONG: /);
        expect(stdout).toMatch(/\n4 bakes: 2 proved, 1 wrong, 1 not read; 156 rows, [\d.]+ s\n$/);
        expect(stderr).toMatch(/^poselane: [^\n]+other\.bake\.json[^\n]+\nposelane: 2 of 4 bakes are not [^\n]+\n$/);
        const json = await poselane('verify models out --json');
        expect(JSON.parse(json.stdout).map(({ ok, error }: { ok?: boolean; error?: object }) => error ?? ok)).toEqual([
            true,
            true,
            false,
            expect.objectContaining({ code: 'BAKE_INVALID' }),
        ]);
        const left = await poselane('verify models out --exclude b --exclude other.*');
        expect(left.code).toBe(0);
    });

    test('an input that changed is the one in the same place; one that is gone is told', async () => {
        writeFileSync('models/b/hero.gltf', smallGltf({ duration: 3 }));
        const changed = await poselane('verify models out/**/*.bake.json --json');
        const [, , last] = JSON.parse(changed.stdout);
        expect([last.input, last.problems[0].code]).toEqual(['models/b/hero.gltf', 'SOURCE_DIFFERS']);
        const gone = await poselane('verify *.gltf out');
        expect(gone.code).toBe(5);
        expect(gone.stderr).toContain("#/source/name: its input 'hero.gltf' is not among those of ");
    });

    test('one input may be named for several bakes; one bake alone gives its own exit code', async () => {
        const bakes = [0, 1].map((skin) => `out/a/hero.skin${skin}.bake.json`);
        const hero = 'models/a/hero.gltf';
        expect((await poselane(['verify', hero, ...bakes])).code).toBe(0);
        const { code, stdout } = await poselane(`verify ${hero} out/b --json`);
        expect(code).toBe(4);
        expect(JSON.parse(stdout)).toMatchObject([{ input: hero, ok: false }]);
    });
});

describe('poselane verify', () => {
    test('exit 0 for a bake as it was made', async () => {
        const manifest = await bake('out', '--emit', 'palette,hit,local');
        const stdout = await printed(`verify ${input} ${manifest}`);
        expect(stdout).toMatch(
            /small\.bake\.json: rows proved: 122 rows, extent .+; worst: clip #\d .+ of the extent .+\n.+small\.bake\.json: playback: between rows off by at most [\d.e-]+% of the extent/,
        );
    });

    test('one file that has both: proved, and not where its bytes were changed, nor where it ends too soon', async () => {
        const glb = await bake('out', '--container', 'glb');
        expect(await poselane(['diff', await bake('pair'), glb])).toMatchObject({
            code: 0,
            stdout: 'equal, byte for byte\n',
        });
        const stdout = await printed(`verify ${input} ${glb}`);
        expect(stdout).toMatch(/small\.bake\.glb: rows proved: 122 rows, /);
        const bytes = readFileSync(glb);
        writeFileSync(glb, bytes.subarray(0, -4));
        expect(await poselane(`verify ${input} ${glb}`)).toEqual({
            code: 3,
            stdout: '',
            stderr: `poselane: ${glb}: truncated GLB: the header states ${bytes.length} bytes, the file has ${bytes.length - 4} (4.4.2)\n`,
        });
        bytes.writeFloatLE(bytes.readFloatLE(bytes.length - 16) + 0.01, bytes.length - 16);
        writeFileSync(glb, bytes);
        const changed = await poselane(`verify ${input} ${glb}`);
        expect(changed.code).toBe(4);
        expect(changed.stdout).toContain(`BINARY_DIFFERS ${glb}#/binary/sha256: `);
        expect(changed.stdout).toMatch(/clip #1 'Run' palette, .*joint.*, frame 60 /);
    });

    test('playback that is far off is told, whatever the rows', async () => {
        expect((await poselane(`bake ${CHARACTER.path} -o out --fps 30`)).code).toBe(0);
        const stdout = await printed(`verify ${CHARACTER.path} out/character.bake.json`);
        expect(stdout).toMatch(
            /: rows proved: 140 rows, .+\n.+: playback POOR: .+ 1\.99% of the extent .+'Ear_L', at 1\.4 s; /,
        );
    });

    test('exit 4, and the place, for one that was changed', async () => {
        const manifest = await bake('out');
        const bin = manifest.replace('.json', '.bin');
        const bytes = readFileSync(bin);
        const at = (61 + 7) * 2 * 64 + 64 + 12 * 4; // clip 1, frame 7, joint 1, x
        bytes.writeFloatLE(bytes.readFloatLE(at) + 0.01, at);
        writeFileSync(bin, bytes);
        const { code, stdout, stderr } = await poselane(`verify ${input} ${manifest}`);
        expect(code).toBe(4);
        expect(stdout).toContain('BINARY_DIFFERS');
        expect(stdout).toMatch(/clip #1 'Run' palette, .*joint.*, frame 7 /);
        expect(stderr).toMatch(/^poselane: .+not the bake that .+ and its recipe give\n$/);
        // Coarse enough a tolerance lets the value pass, but not the hash.
        const coarse = await poselane(`verify ${input} ${manifest} --tol 10 --json`);
        expect(coarse.code).toBe(4);
        expect(JSON.parse(coarse.stdout).clips.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    });

    test('many problems: the first 20, and how many more there are', async () => {
        input = CHARACTER.path;
        await bake('out');
        const manifest = 'out/character.bake.json';
        const json = readJson(manifest);
        for (const joint of json.skin.joints) joint.name = 'other';
        writeFileSync(manifest, JSON.stringify(json));
        const { code, stdout } = await poselane(`verify ${input} ${manifest}`);
        const lines = stdout.split('\n');
        expect(code).toBe(4);
        expect(lines.slice(0, 20).every((line) => /^SKIN_DIFFERS .+#\/skin\/joints\/\d+\/name: /.test(line))).toBe(
            true,
        );
        expect(lines[20]).toBe(`and ${json.skin.joints.length - 20} more problems`);
    });

    test("another file's bake: that alone, and nothing that follows from it", async () => {
        const manifest = await bake('out');
        const { code, stdout } = await poselane(`verify ${CHARACTER.path} ${manifest}`);
        const [problem, verdict, ...others] = stdout.split('\n');
        expect(code).toBe(4);
        expect(problem).toMatch(/^SOURCE_DIFFERS .+: this is the bake of another input, or .+: it was 'small\.gltf' /);
        expect({ verdict, others }).toEqual({ verdict: `${manifest}: WRONG: nothing was compared`, others: [''] });
    });

    test('exit 3 for files that are not there, exit 2 for a tolerance that is none', async () => {
        const manifest = await bake('out');
        expect((await poselane(`verify ${input} no.json`)).code).toBe(3);
        expect((await poselane(`verify no.glb ${manifest}`)).code).toBe(3);
        expect((await poselane(`verify ${input} ${manifest} --tol -1`)).code).toBe(2);
        expect((await poselane(`verify ${input} ${manifest} --oracle five`)).code).toBe(2);
    });
});

describe('poselane diff', () => {
    test('exit 0 for equal bakes', async () => {
        const a = await bake('a');
        cpSync('a', 'b', { recursive: true });
        const stdout = await printed(`diff ${a} b/small.bake.json`);
        expect(stdout).toMatch(/equal/);
    });

    test('exit 4, and what differs', async () => {
        const a = await bake('a');
        const b = await bake('b', '--clips', 'Walk', '--fps', '24');
        await expectRun(`diff ${a} ${b}`, {
            code: 4,
            stdout: /^clip #1 'Run' is only in the first\nclip #0 'Walk': 60 fps -> 24 fps\n/,
            stderr: null,
        });
    });

    test('of bakes at two rates: both are named, and no row counts as the same, or within a tolerance', async () => {
        const [a, b] = [await bake('a'), await bake('b', '--fps', '30')];
        const { code, stdout, stderr } = await poselane(`diff ${a} ${b}`);
        expect({ code, stderr }).toEqual({ code: 4, stderr: `poselane: ${a} and ${b} differ\n` });
        expect(stdout).toMatch(/^clip #0 'Walk' and 1 more: 60 fps -> 30 fps\npalette: rows that cannot be compared\n/);
        expect((await poselane(`diff ${a} ${b} --tol 100`)).code).toBe(4);
        const part = await bake('part', '--to', '0.5');
        expect((await poselane(`diff ${a} ${part}`)).stdout).toMatch(/^clip #0 'Walk' and 1 more: 61 frames -> 31\n/);
    });
});

describe('poselane info', () => {
    test('version, backend and every implementation, with the reason where one cannot run', async () => {
        const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
        const stdout = await printed('info');
        expect(stdout).toMatch(new RegExp(`^poselane ${version.replaceAll('.', '\\.')}, results strict@1\n`));
        const { stdout: json } = await poselane('info --json');
        const info = JSON.parse(json);
        expect(info.implementations.map(({ name }: { name: string }) => name)).toEqual(
            implementations().map(({ name }) => name),
        );
        for (const { name, available, reason } of implementations()) {
            expect(stdout).toContain(
                `  ${available ? 'yes' : 'no '}  ${name}${reason === undefined ? '' : ` (${reason})`}`,
            );
        }
    });
});

describe('poselane merge-reports', () => {
    // biome-ignore lint/suspicious/noExplicitAny: whatever was written
    type Report = any;
    /** Writes a report with something changed. */
    function change(name: string, to: string, edit: (report: Report) => void): void {
        const report = readJson(name);
        edit(report);
        put(to, JSON.stringify(report));
    }
    const merge = (names: string) => poselane(`merge-reports ${names} -o all.json`);
    const report = (name: string, inputs: readonly string[], options = '') =>
        poselane(`bake ${inputs.join(' ')} -o out -j 1 --quiet --report ${name}${options}`);

    const INPUTS = ['e.gltf', 'd.gltf', 'c.gltf', 'b.gltf', 'a.gltf'];
    async function bakeShards(): Promise<void> {
        for (const name of INPUTS) if (!existsSync(name)) cpSync(input, name);
        for (const shard of [1, 2, 3]) await report(`s${shard}.json`, INPUTS, ` --shard ${shard}/3`);
    }
    /** Whatever is not of the machine. */
    const bare = (text: string) => text.replace(/"(\w*[mM]illiseconds)": [\d.]+/g, '"$1": 0');

    test('gives the report and the exit code of one machine, in the order of the inputs', async () => {
        await bakeShards();
        await report('one.json', INPUTS);
        const { code, stdout, stderr } = await merge('s3.json s1.json s2.json');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toBe(`all.json: of 5 files 5 baked, 0 failed, 0 not begun\n`);
        expect(bare(readFileSync('all.json', 'utf8'))).toBe(bare(readFileSync('one.json', 'utf8')));
        expect((await merge('one.json')).code).toBe(0);
    });

    test('files that failed: exit 5, or the code of the only one', async () => {
        put('d.gltf', '{}');
        await bakeShards();
        const stderr = 'poselane: 1 of 5 files could not be baked\n';
        expect(await merge('s1.json s2.json s3.json')).toMatchObject({ code: 5, stderr });
        expect(readJson('all.json')).toMatchObject({ baked: 4, failed: 1, shard: null });
        expect((await report('only.json', ['d.gltf'])).code).toBe(3);
        expect((await merge('only.json')).code).toBe(3);
    });

    test('of a shard that was run again, what was baked counts', async () => {
        await bakeShards();
        const error = { message: 'interrupted', code: null, pointer: null, exitCode: 130 };
        change('s2.json', 'killed.json', ({ inputs }) => {
            Object.assign(inputs[0], { status: 'failed', outputs: [], error });
            Object.assign(inputs[1], { status: 'not-begun', outputs: [], error });
        });
        expect(await merge('s1.json killed.json s3.json')).toMatchObject({ code: 130 });
        expect(readJson('all.json')).toMatchObject({ baked: 3, failed: 1, notBegun: 1 });
        for (const order of ['killed.json s2.json', 's2.json killed.json']) {
            expect((await merge(`s1.json ${order} s3.json`)).code).toBe(0);
            expect(readJson('all.json')).toMatchObject({ baked: 5, failed: 0, notBegun: 0 });
        }
        change('s2.json', 'slow.json', ({ inputs }) => void inputs[0].milliseconds++);
        expect((await merge('s1.json s2.json s3.json slow.json')).code).toBe(0);
    });

    test('what does not fit is refused with both sides, and nothing is written', async () => {
        await bakeShards();
        await report('f30.json', INPUTS, ' --shard 2/3 --fps 30');
        await report('half.json', INPUTS, ' --shard 2/2');
        await report('less.json', INPUTS.slice(1), ' --shard 2/3');
        await report('other.json', [...INPUTS.slice(1), 'e.gltf'], ' --shard 2/3');
        const changes: [string, (report: Report) => void][] = [
            ['new.json', ({ batch }) => Object.assign(batch, { poselane: '9.0.0' })],
            ['differs.json', ({ inputs }) => Object.assign(inputs[1].outputs[0], { sha256: '0' })],
            ['renamed.json', ({ inputs }) => Object.assign(inputs[1], { input: 'x.gltf' })],
            ['cut.json', ({ inputs }) => inputs.pop()],
            ['odd.json', ({ inputs }) => Object.assign(inputs[1], { status: 'done' })],
            ['shard.json', ({ shard }) => Object.assign(shard, { index: 0 })],
        ];
        for (const [name, edit] of changes) change('s2.json', name, edit);
        put('no.json', '[');
        put('manifest.json', '{"format":"poselane-bake"}');
        for (const [names, message] of [
            [
                's1.json s3.json',
                /s1\.json: its batch has 5 inputs, these reports have 3; shards that are missing: 2\/3$/,
            ],
            ['s1.json f30.json s3.json', /f30\.json: is of another batch than .*s1\.json: --fps "30" and "keys"$/],
            ['s1.json half.json', /half\.json: .*: --shard has parts of 2 and of 3$/],
            ['s1.json less.json s3.json', /less\.json: .*: 4 and 5 inputs$/],
            ['s1.json other.json s3.json', /other\.json: .*: inputs of other names$/],
            ['s1.json new.json s3.json', /new\.json: .*: poselane 9\.0\.0 and /],
            [
                's1.json s2.json s3.json differs.json',
                /differs\.json#\/inputs\/1: '.*a\.gltf' has other outputs than in .*s2\.json$/,
            ],
            ['s1.json renamed.json s3.json', /the inputs of these reports are not those of the batch$/],
            ['s1.json cut.json s3.json', /cut\.json#\/inputs: needs 2 entries, those of shard 2\/3 of 5 inputs$/],
            ['s1.json odd.json s3.json', /odd\.json#\/inputs\/1: is not an entry of a report$/],
            ['s1.json shard.json s3.json', /shard\.json#\/shard: needs index and count, or null$/],
            ['no.json', /no\.json: no JSON: needs what --report of bake or reduce writes$/],
            ['manifest.json', /manifest\.json: needs a report of version 1/],
            ['gone.json', /gone\.json: cannot be read: /],
        ] as const) {
            const { code, stdout, stderr } = await merge(names);
            expect(stderr.trimEnd()).toMatch(message);
            expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
            expect(existsSync('all.json')).toBe(false);
        }
        const before = readFileSync('s1.json');
        const over = await poselane('merge-reports s?.json -o s1.json');
        expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('would overwrite') });
        expect(readFileSync('s1.json')).toEqual(before);
    });
});
