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

/** Bakes the input and returns the path of the manifest. */
async function bake(name: string, ...options: string[]): Promise<string> {
    await printed(['bake', input, '-o', name, '--fps', '60', ...options]);
    return join(name, options.includes('glb') ? 'small.bake.glb' : 'small.bake.json');
}

const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);

/** Adds to a number in a file of floats. */
function changeFloat(path: string, at: number, more: number): void {
    const bytes = readFileSync(path);
    const place = at < 0 ? bytes.length + at : at;
    bytes.writeFloatLE(bytes.readFloatLE(place) + more, place);
    writeFileSync(path, bytes);
}

describe('poselane inspect', () => {
    test('prints the content of a file, and a rate to bake it at, or advice if no rate meets every key', async () => {
        const told = await printed(`inspect ${input}`);
        const lines = told.split('\n');
        expect(lines[0]).toBe('small.gltf: 2 nodes, 1 skin, 2 clips');
        expect(lines[1]).toMatch(/^ {2}skin 0 '.*': 2 joints, 0 meshes, 0 vertices$/);
        expect(lines[2]).toMatch(/^ {2}clip #0 'Walk': 1 s, \d+ channels?, up to \d+ keys, at \d+ a second$/);
        expect(told).toMatch(/\n {2}--fps \d+ meets every key\n$/);
        expect(await printed(`inspect ${CHARACTER.path}`)).toMatch(
            /\n {2}bake: \d+ rows at 15 to \d+ fps, [\d.]+ KiB, off by at most 1%; with --layout qts16 about [\d.]+ KiB\n {2}no whole rate meets every key\n$/,
        );
        // Evenly spaced keys at a rate that is not an integer have one distance.
        put('slow.gltf', smallGltf({ duration: 1.25 }));
        const slow = "clip #0 'Walk': 1.25 s, 1 channel, up to 2 keys, 1.25 s apart\n";
        expect(await printed('inspect slow.gltf')).toContain(slow);
    });

    test('--json: the same as data', async () => {
        const [{ skins, clips, suggestedFps, bake, warnings }] = JSON.parse(await printed(`inspect ${input} --json`));
        expect(bake).toEqual({ rows: 4, fps: [1, 1], byteLength: 512, smaller: [] });
        expect(skins[0].joints.map(({ node }: { node: number }) => node)).toEqual([0, 1]);
        expect(namesOf(clips)).toEqual(['Walk', 'Run']);
        expect({ rate: clips[0].cadence.rate, suggestedFps, warnings }).toEqual({
            rate: 1,
            suggestedFps: 24,
            warnings: [],
        });
    });

    test('a bad file among others: exit 5; as the only input: exit 3', async () => {
        put('bad.gltf', smallGltf().replace('"joints":[0,1]', '"joints":[0,7]'));
        await expectRun('inspect bad.gltf', { code: 3, stderr: /#\/skins\/0\/joints\/1: .+\n$/ });
        const both = { code: 5, stdout: null, stderr: null };
        const { stdout } = await expectRun(`inspect bad.gltf ${input} --json`, both);
        expect(JSON.parse(stdout).map((one: object) => 'error' in one)).toEqual([true, false]);
    });
});

describe('poselane inspect of several files', () => {
    beforeEach(() => put('other.gltf', smallGltf({ duration: 2 })));

    test('a folder prints one line for each file, and totals; --verbose prints all', async () => {
        await expectRun('inspect .', {
            stdout:
                'other.gltf: 2 nodes, 1 skin, 2 clips; --fps 24 meets every key\n' +
                'small.gltf: 2 nodes, 1 skin, 2 clips; --fps 24 meets every key\n' +
                '2 files: 2 skins, 4 clips of 6 s together\n',
        });
        expect(await printed('inspect . --verbose')).toContain(await printed(`inspect ${input}`));
    });

    test('a shared warning is printed once, with the number of files; --verbose prints it for each', async () => {
        rmSync('other.gltf');
        const gltf = JSON.parse(smallGltf());
        gltf.animations[0].channels.push({ sampler: 0, target: { node: 0, path: 'unknown' } });
        for (const name of ['small', 'more']) put(`${name}.gltf`, JSON.stringify(gltf));
        await expectRun('inspect .', {
            stdout: null,
            stderr: /^poselane: warning CHANNEL_IGNORED: .*more\.gltf#.*; and 1 more of these, in 2 files \(-v and --json list them\)\n$/,
        });
        const { stderr } = await poselane('inspect . -v');
        expect(stderr.match(/warning CHANNEL_IGNORED/g)).toHaveLength(2);
    });

    test('--exclude, and a file that fails', async () => {
        put('bad.gltf', '{}');
        const stdout = /(^|\n)2 files: 1 skin, 2 clips of 2 s together; 1 failed\n$/;
        await expectRun('inspect . --exclude other.*', { code: 5, stdout, stderr: null });
        await expectRun('inspect . --exclude *', { code: 2, stderr: null });
    });
});

describe('poselane verify of several bakes', () => {
    /** Two files of the same name, with different clips. */
    beforeEach(async () => {
        put('models/a/hero.gltf', smallGltf({ skins: 2 }));
        put('models/b/hero.gltf', smallGltf({ duration: 0.5 }));
        await printed('bake models -o out --keep-tree --fps 30 -j 1');
    });

    test('finds each input by name and hash: a line for each, and totals', async () => {
        // The same folders in the other order.
        renameSync('out/a', 'out/c');
        renameSync('out/b', 'out/a');
        const lines = (await printed('verify models out')).trimEnd().split('\n');
        expect(lines).toHaveLength(4);
        expect(lines[0]).toMatch(
            /out\/a\/hero\.bake\.json: rows proved: 32 rows, off by at most [\d.e-]+ of the extent; playback: [\d.e-]+%$/,
        );
        expect(lines[3]).toMatch(/^3 bakes: 3 proved; 156 rows, [\d.]+ s$/);
    });

    test('some wrong, some unread: exit 5, and all are reported', async () => {
        changeFloat('out/b/hero.bake.bin', 12 * 4, 7);
        put('out/other.bake.json', '{}');
        const { stdout } = await expectRun('verify models out', {
            code: 5,
            stdout: /BINARY_DIFFERS .+b\/hero\.bake\.json#.+\nclip #0 'Walk' palette.+\n.+: WRONG: /,
            stderr: /^poselane: [^\n]+other\.bake\.json[^\n]+\nposelane: 2 of 4 bakes are not [^\n]+\n$/,
        });
        expect(stdout).toMatch(/\n4 bakes: 2 proved, 1 wrong, 1 not read; 156 rows, [\d.]+ s\n$/);
        const json = JSON.parse((await poselane('verify models out --json')).stdout);
        const invalid = { error: expect.objectContaining({ code: 'BAKE_INVALID' }) };
        expect(json).toMatchObject([{ ok: true }, { ok: true }, { ok: false }, invalid]);
        await printed('verify models out --exclude b --exclude other.*');
    });

    test('a changed input is the one in the same place; a missing one is reported', async () => {
        put('models/b/hero.gltf', smallGltf({ duration: 3 }));
        const { stdout } = await poselane('verify models out/**/*.bake.json --json');
        const problems = [expect.objectContaining({ code: 'SOURCE_DIFFERS' })];
        expect(JSON.parse(stdout)[2]).toMatchObject({ input: 'models/b/hero.gltf', problems });
        const stderr = /#\/source\/name: its input 'hero.gltf' is not among those of /;
        await expectRun('verify *.gltf out', { code: 5, stdout: null, stderr });
    });

    test('one input can be named for several bakes; a single bake gives its own exit code', async () => {
        const hero = 'models/a/hero.gltf';
        await printed(`verify ${hero} out/a/hero.skin0.bake.json out/a/hero.skin1.bake.json`);
        const { stdout } = await expectRun(`verify ${hero} out/b --json`, { code: 4, stdout: null, stderr: null });
        expect(JSON.parse(stdout)).toMatchObject([{ input: hero, ok: false }]);
    });
});

describe('poselane verify', () => {
    test('exit 0 for an unchanged bake', async () => {
        const manifest = await bake('out', '--emit', 'palette,hit,local');
        expect(await printed(`verify ${input} ${manifest}`)).toMatch(
            /small\.bake\.json: rows proved: 122 rows, extent .+; worst: clip #\d .+ of the extent .+\n.+small\.bake\.json: playback: between rows off by at most [\d.e-]+% of the extent/,
        );
    });

    test('a container file is proved; changed bytes or an early end are not', async () => {
        const glb = await bake('out', '--container', 'glb');
        await expectRun(['diff', await bake('pair'), glb], { stdout: 'equal, byte for byte\n' });
        expect(await printed(`verify ${input} ${glb}`)).toMatch(/small\.bake\.glb: rows proved: 122 rows, /);
        const bytes = readFileSync(glb);
        writeFileSync(glb, bytes.subarray(0, -4));
        const said = `the header states ${bytes.length} bytes, the file has ${bytes.length - 4} (4.4.2)`;
        const truncated = { code: 3, stderr: `poselane: ${glb}: truncated GLB: ${said}\n` };
        await expectRun(`verify ${input} ${glb}`, truncated);
        writeFileSync(glb, bytes);
        changeFloat(glb, -16, 0.01);
        await expectRun(`verify ${input} ${glb}`, {
            code: 4,
            stdout: /BINARY_DIFFERS out\/small\.bake\.glb#\/binary\/sha256: (.*\n)*clip #1 'Run' palette, .*joint.*, frame 60 /,
            stderr: null,
        });
    });

    test('a large playback error is printed, even with correct rows', async () => {
        await poselane(`bake ${CHARACTER.path} -o out --fps 30`);
        expect(await printed(`verify ${CHARACTER.path} out/character.bake.json`)).toMatch(
            /: rows proved: 140 rows, .+\n.+: playback POOR: .+ 1\.99% of the extent .+'Ear_L', at 1\.4 s; /,
        );
    });

    test('exit 4, and the place, for a changed bake', async () => {
        const manifest = await bake('out');
        // Clip 1, frame 7, joint 1, x.
        changeFloat('out/small.bake.bin', (61 + 7) * 2 * 64 + 64 + 12 * 4, 0.01);
        await expectRun(`verify ${input} ${manifest}`, {
            code: 4,
            stdout: /BINARY_DIFFERS (.*\n)*clip #1 'Run' palette, .*joint.*, frame 7 /,
            stderr: /^poselane: .+not the bake that .+ and its recipe give\n$/,
        });
        // A large tolerance accepts the value, but not the hash.
        const coarse = { code: 4, stdout: null, stderr: null };
        const { stdout } = await expectRun(`verify ${input} ${manifest} --tol 10 --json`, coarse);
        expect(JSON.parse(stdout).clips.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    });

    test('many problems: the first 20, and the number of others', async () => {
        input = CHARACTER.path;
        await bake('out');
        const manifest = 'out/character.bake.json';
        const json = readJson(manifest);
        for (const joint of json.skin.joints) joint.name = 'other';
        put(manifest, JSON.stringify(json));
        const { code, stdout } = await poselane(`verify ${input} ${manifest}`);
        const lines = stdout.split('\n').slice(0, 21);
        expect(code).toBe(4);
        expect(lines.pop()).toBe(`and ${json.skin.joints.length - 20} more problems`);
        expect(lines.filter((line) => !/^SKIN_DIFFERS .+#\/skin\/joints\/\d+\/name: /.test(line))).toEqual([]);
    });

    test("another file's bake: only that problem, without its consequences", async () => {
        const manifest = await bake('out');
        const { stdout } = await expectRun(`verify ${CHARACTER.path} ${manifest}`, {
            code: 4,
            stdout: /^SOURCE_DIFFERS .+: this is the bake of another input, or .+: it was 'small\.gltf' /,
            stderr: null,
        });
        expect(stdout.split('\n').slice(1)).toEqual([`${manifest}: WRONG: nothing was compared`, '']);
    });

    test('exit 3 for missing files, exit 2 for an invalid tolerance', async () => {
        const manifest = await bake('out');
        for (const [line, code] of [
            [`${input} no.json`, 3],
            [`no.glb ${manifest}`, 3],
            [`${input} ${manifest} --tol -1`, 2],
            [`${input} ${manifest} --oracle five`, 2],
        ] as const) {
            await expectRun(`verify ${line}`, { code, stderr: null });
        }
    });
});

describe('poselane diff', () => {
    test('exit 0 for equal bakes, exit 4 and the differences for others', async () => {
        const a = await bake('a');
        cpSync('a', 'b', { recursive: true });
        expect(await printed(`diff ${a} b/small.bake.json`)).toMatch(/equal/);
        const stdout = /^clip #1 'Run' is only in the first\nclip #0 'Walk': 60 fps -> 24 fps\n/;
        const other = await bake('other', '--clips', 'Walk', '--fps', '24');
        await expectRun(`diff ${a} ${other}`, { code: 4, stdout, stderr: null });
    });

    test('bakes at two rates: both are named, and no row counts as equal or within a tolerance', async () => {
        const [a, b] = [await bake('a'), await bake('b', '--fps', '30')];
        const stderr = `poselane: ${a} and ${b} differ\n`;
        const stdout = /^clip #0 'Walk' and 1 more: 60 fps -> 30 fps\npalette: rows that cannot be compared\n/;
        for (const options of ['', ' --tol 100'])
            await expectRun(`diff ${a} ${b}${options}`, { code: 4, stdout, stderr });
        const part = await bake('part', '--to', '0.5');
        expect((await poselane(`diff ${a} ${part}`)).stdout).toMatch(/^clip #0 'Walk' and 1 more: 61 frames -> 31\n/);
    });
});

test('poselane info: version, backend and every implementation, with the reason if it cannot run', async () => {
    const { version } = readJson(join(__dirname, '../../package.json'));
    const told = await printed('info');
    expect(told).toMatch(new RegExp(`^poselane ${version.replaceAll('.', '\\.')}, results strict@1\n`));
    expect(namesOf(JSON.parse(await printed('info --json')).implementations)).toEqual(namesOf([...implementations()]));
    for (const { name, available, reason } of implementations()) {
        expect(told).toContain(`  ${available ? 'yes' : 'no '}  ${name}${reason === undefined ? '' : ` (${reason})`}`);
    }
});

describe('poselane merge-reports', () => {
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    type Report = any;
    /** Writes a changed report. */
    function change(name: string, to: string, edit: (report: Report) => void): void {
        const report = readJson(name);
        edit(report);
        put(to, JSON.stringify(report));
    }
    const merge = (names: string, expected: Parameters<typeof expectRun>[1]) =>
        expectRun(`merge-reports ${names} -o all.json`, { stdout: null, ...expected });
    const report = (name: string, inputs: readonly string[], options = '') =>
        poselane(`bake ${inputs.join(' ')} -o out -j 1 --quiet --report ${name}${options}`);

    const INPUTS = ['e.gltf', 'd.gltf', 'c.gltf', 'b.gltf', 'a.gltf'];
    async function bakeShards(): Promise<void> {
        for (const name of INPUTS) if (!existsSync(name)) cpSync(input, name);
        for (const shard of [1, 2, 3]) await report(`s${shard}.json`, INPUTS, ` --shard ${shard}/3`);
    }
    /** The parts that do not depend on the machine. */
    const bare = (text: string) => text.replace(/"(\w*[mM]illiseconds)": [\d.]+/g, '"$1": 0');

    test('gives the report and the exit code of a single machine, in input order', async () => {
        await bakeShards();
        await report('one.json', INPUTS);
        const stdout = 'all.json: of 5 files 5 baked, 0 failed, 0 not begun\n';
        await merge('s3.json s1.json s2.json', { stdout });
        expect(bare(readFileSync('all.json', 'utf8'))).toBe(bare(readFileSync('one.json', 'utf8')));
        await merge('one.json', { stdout });
    });

    test('failed files: exit 5, or the code of the only one', async () => {
        put('d.gltf', '{}');
        await bakeShards();
        const stderr = 'poselane: 1 of 5 files could not be baked\n';
        await merge('s1.json s2.json s3.json', { code: 5, stderr });
        expect(readJson('all.json')).toMatchObject({ baked: 4, failed: 1, shard: null });
        expect((await report('only.json', ['d.gltf'])).code).toBe(3);
        await merge('only.json', { code: 3, stderr: null });
    });

    test('if a shard ran twice, its successful bakes are used', async () => {
        await bakeShards();
        const error = { message: 'interrupted', code: null, pointer: null, exitCode: 130 };
        change('s2.json', 'killed.json', ({ inputs }) => {
            Object.assign(inputs[0], { status: 'failed', outputs: [], error });
            Object.assign(inputs[1], { status: 'not-begun', outputs: [], error });
        });
        change('s2.json', 'slow.json', ({ inputs }) => void inputs[0].milliseconds++);
        await merge('s1.json killed.json s3.json', { code: 130, stderr: null });
        expect(readJson('all.json')).toMatchObject({ baked: 3, failed: 1, notBegun: 1 });
        for (const again of ['killed.json s2.json', 's2.json killed.json', 's2.json slow.json']) {
            await merge(`s1.json ${again} s3.json`, {});
            expect(readJson('all.json')).toMatchObject({ baked: 5, failed: 0, notBegun: 0 });
        }
    });

    test('mismatches are rejected with both sides, and nothing is written', async () => {
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
        const missing = /s1\.json: its batch has 5 inputs, these reports have 3; shards that are missing: 2\/3\n$/;
        const differs = /differs\.json#\/inputs\/1: '.*a\.gltf' has other outputs than in .*s2\.json\n$/;
        for (const [names, stderr] of [
            ['s1.json s3.json', missing],
            ['s1.json f30.json s3.json', /f30\.json: is of another batch than .*s1\.json: --fps "30" and "auto"\n$/],
            ['s1.json half.json', /half\.json: .*: --shard has parts of 2 and of 3\n$/],
            ['s1.json less.json s3.json', /less\.json: .*: 4 and 5 inputs\n$/],
            ['s1.json other.json s3.json', /other\.json: .*: inputs of other names\n$/],
            ['s1.json new.json s3.json', /new\.json: .*: poselane 9\.0\.0 and /],
            ['s1.json s2.json s3.json differs.json', differs],
            ['s1.json renamed.json s3.json', /the inputs of these reports are not those of the batch\n$/],
            ['s1.json cut.json s3.json', /cut\.json#\/inputs: needs 2 entries, those of shard 2\/3 of 5 inputs\n$/],
            ['s1.json odd.json s3.json', /odd\.json#\/inputs\/1: is not an entry of a report\n$/],
            ['s1.json shard.json s3.json', /shard\.json#\/shard: needs index and count, or null\n$/],
            ['no.json', /no\.json: no JSON: needs what --report of bake or reduce writes\n$/],
            ['manifest.json', /manifest\.json: needs a report of version 1/],
            ['gone.json', /gone\.json: cannot be read: /],
        ] as const) {
            await merge(names, { code: 3, stdout: '', stderr });
            expect(existsSync('all.json')).toBe(false);
        }
        const before = readFileSync('s1.json');
        await expectRun('merge-reports s?.json -o s1.json', { code: 2, stderr: /would overwrite/ });
        expect(readFileSync('s1.json')).toEqual(before);
    });
});
