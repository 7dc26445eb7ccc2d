// SPDX-License-Identifier: MIT

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expectRun, inNewFolder, type Outcome, poselane as poselaneHere, readJson } from '../../cli/command-line';
import { smallGltf } from '../../cli/small-gltf';
import { CHARACTER } from '../../support/models';
import { runNode, runProgram, startNode } from '../../support/processes';
import { rounds } from '../../support/rounds';
import { NOT_POSIX, testUnless } from '../../support/unless';

// The built command in its own process: its threads run what was built.
const MAIN = join(__dirname, '../../../dist/cli/main.js');

inNewFolder();
beforeEach(() => mkdirSync('in'));

function start(argv: string[]): { child: ChildProcess; outcome: Promise<Outcome> } {
    const child = startNode([MAIN, ...argv]);
    const outcome = { stdout: '', stderr: '' };
    child.stdout!.on('data', (text) => {
        outcome.stdout += text;
    });
    child.stderr!.on('data', (text) => {
        outcome.stderr += text;
    });
    return {
        child,
        outcome: new Promise((done) => child.on('close', (code) => done({ code: code ?? -1, ...outcome }))),
    };
}

const poselane = (...argv: string[]): Promise<Outcome> => start(argv).outcome;

/** The same built command several times in one process, one call after the other: each start takes longer than its work. */
function inTurn(...calls: string[][]): Outcome[] {
    const program = `
        const { run } = require(${JSON.stringify(MAIN)});
        (async () => {
            const outcomes = [];
            for (const argv of ${JSON.stringify(calls)}) {
                const outcome = { code: null, stdout: '', stderr: '' };
                const stream = (name) => ({ write: (text) => { outcome[name] += text; } });
                outcome.code = await run(argv, { stdout: stream('stdout'), stderr: stream('stderr') });
                outcomes.push(outcome);
            }
            process.stdout.write(JSON.stringify(outcomes));
        })();`;
    const { stdout, stderr } = runNode(['-e', program]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
}

/** Files that differ. */
function writeInputs(count: number): void {
    for (let i = 0; i < count; i++) {
        writeFileSync(`in/f${i}.gltf`, smallGltf({ skins: 1 + (i % 2) }).replace('"Walk"', `"Walk ${i}"`));
    }
}

/** Every file in a folder, with its bytes. */
function filesOf(folder: string): Record<string, string> {
    const names = readdirSync(folder).sort();
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

test('the same bytes with one thread, with eight, and by shards', async () => {
    writeInputs(7);
    const eight = await poselane('bake', 'in/*.gltf', '-o', 'eight', '-j', '8');
    const others = inTurn(
        ['bake', 'in/*.gltf', '-o', 'one', '-j', '1'],
        ...['1/3', '2/3', '3/3'].map((shard) => ['bake', 'in/*.gltf', '-o', 'shards', '-j', '2', '--shard', shard]),
    );
    expect([eight, ...others].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(Object.keys(filesOf('one'))).toHaveLength(4 * 2 + 3 * 4);
    expect(filesOf('eight')).toEqual(filesOf('one'));
    expect(filesOf('shards')).toEqual(filesOf('one'));
    // One line for each file, in the files' order, then the totals.
    const lines = eight.stdout.trim().split('\n');
    expect(lines.pop()).toMatch(/^7 files: /);
    expect(lines.map((line) => line.slice(0, 'in/f0.gltf'.length))).toEqual(
        Array.from({ length: 7 }, (_, i) => `in/f${i}.gltf`),
    );
});

test('the same pages with one thread and with three', async () => {
    writeFileSync('a.gltf', smallGltf());
    writeFileSync('b.gltf', smallGltf({ duration: 2 }));
    const pages = async (jobs: string) => {
        const out = ['-o', `out${jobs}`, '--html', `pages${jobs}`, '-j', jobs];
        const { code } = await poselane('bake', 'a.gltf', 'b.gltf', 'gone.glb', CHARACTER.path, ...out);
        expect(code).toBe(5);
        return filesOf(`pages${jobs}`);
    };
    const alone = await pages('1');
    expect(Object.keys(alone)).toEqual(['a.html', 'b.html', 'character.html', 'index.html']);
    expect(await pages('3')).toEqual(alone);
});

test('one bad file does not stop the rest: exit 5, and the report has the result of each', async () => {
    writeInputs(3);
    writeFileSync('in/f1.gltf', smallGltf().replace('"joints":[0,1]', '"joints":[0,7]'));
    for (const threads of ['1', '2']) {
        const out = `out${threads}`;
        const report = `report${threads}.json`;
        const { code, stdout, stderr } = await poselane('bake', 'in/*', '-o', out, '-j', threads, '--report', report);
        expect(code).toBe(5);
        expect(stdout.trim().split('\n')).toHaveLength(3);
        expect(stderr).toMatch(
            /^poselane: in\/f1\.gltf#\/skins\/0\/joints\/1: .+\nposelane: 1 of 3 files could not be baked\n$/,
        );
        expect(Object.keys(filesOf(out))).toHaveLength(2 * 2);
        const { inputs, ...counts } = readJson(report);
        expect(counts).toEqual({
            format: 'poselane-report',
            version: 1,
            batch: {
                command: 'bake',
                poselane: expect.any(String),
                options: { fps: 'auto' },
                inputs: 3,
                sha256: expect.any(String),
            },
            shard: null,
            ...{ baked: 2, failed: 1, notBegun: 0 },
        });
        expect(inputs.map(({ input, status }: Entry) => [input, status])).toEqual([
            ['in/f0.gltf', 'baked'],
            ['in/f1.gltf', 'failed'],
            ['in/f2.gltf', 'baked'],
        ]);
        expect(inputs[1].error).toMatchObject({ code: 'GLTF_INVALID', pointer: '/skins/0/joints/1', exitCode: 3 });
        const manifest = JSON.parse(readFileSync(join(out, 'f0.bake.json'), 'utf8'));
        expect(inputs[0].outputs[0]).toMatchObject({ stem: 'f0', skin: 0, sha256: manifest.binary.sha256 });
    }
});

test('threads use the backend of the command: the addon, if available', async () => {
    writeInputs(2);
    const report = (threads: number) => `report${threads}.json`;
    const [info] = inTurn(
        ['info', '--json'],
        ...[1, 2].map((threads) => ['bake', 'in/*', '-o', 'out', '-j', `${threads}`, '--report', report(threads)]),
    );
    const { backend } = JSON.parse(info!.stdout);
    for (const threads of [1, 2]) {
        const { inputs } = readJson(report(threads));
        expect(inputs.map((input: { backend: string }) => input.backend)).toEqual([backend, backend]);
    }
});

test('a report that cannot be written, or would be over an input or a bake: exit 2 before any work', async () => {
    writeInputs(2);
    symlinkSync('.', 'linked');
    for (const [report, message] of [
        ['linked/out/f0.bake.json', "'linked/out/f0.bake.json' has the name of a bake"],
        ['nowhere/report.json', `'${resolve('nowhere')}' is not a folder`],
        ['in/f0.gltf/report.json', `'${resolve('in/f0.gltf')}' is not a folder`],
        ['./in/f1.gltf', "'./in/f1.gltf' is the input 'in/f1.gltf'"],
        ['out/f0.bake.json', "'out/f0.bake.json' has the name of a bake"],
        ['', 'the name of the file is empty'],
        ['in', "'in' is a folder: name a file"],
        ['out', "'out' is a folder: name a file"],
        ['-', "standard output has the results: name a file ('./-')"],
    ]) {
        const refused = { code: 2, stderr: `poselane: --report: ${message}\n` };
        await expectRun(['bake', 'in/*', '-o', 'out', '--report', report!], refused);
    }
    expect(readdirSync('.')).toEqual(['in', 'linked']);
    // Makes the folder of the output, and its parents.
    for (const report of ['new/out/report.json', 'new/report.json']) {
        await expectRun(`bake in/* -o new/out --quiet -j 1 --report ${report}`);
        expect(readJson(report)).toMatchObject({ baked: 2 });
        rmSync('new', { recursive: true });
    }
    // Even if nothing could be baked.
    expect(await poselaneHere('bake nothing.glb -o new --report new/report.json')).toMatchObject({ code: 3 });
    expect(readJson('new/report.json')).toMatchObject({ baked: 0, failed: 1 });
});

test('every file of a batch or a shard fails: exit 5, and the report has the code of each; a single file: its own exit code', async () => {
    writeInputs(3);
    writeFileSync('in/f0.gltf', 'nothing');
    writeFileSync('in/f2.gltf', smallGltf({ clips: ['Jump'] }));
    const expected: [command: string, codes: number[]][] = [
        ['in/* --clips Swim -j 1', [5, 3, 2, 2]],
        ['in/* --clips Swim -j 2', [5, 3, 2, 2]],
        // A shard is part of a batch, even with one file: f0 and f2, only f1, only f0.
        ['in/* --clips Swim --shard 1/2', [5, 3, 2]],
        ['in/* --clips Swim --shard 2/2', [5, 2]],
        ['in/* --clips Jump --shard 1/3', [5, 3]],
        ['in/* --clips Jump --shard 3/3', [0, 0]],
        ['in/f0*', [3, 3]],
        ['in/f1.gltf --clips Swim', [2, 2]],
    ];
    const outcomes = inTurn(
        ...expected.map(([command], i) => ['bake', ...command.split(' '), '-o', 'out', '--report', `report${i}.json`]),
    );
    const codes = outcomes.map(({ code }, i) => {
        const { inputs } = readJson(`report${i}.json`);
        return [code, ...inputs.map(({ error }: { error: { exitCode: number } | null }) => error?.exitCode ?? 0)];
    });
    expect(codes).toEqual(expected.map(([, wanted]) => wanted));
});

interface Entry {
    input: string;
    status: string;
    error: { code: string | null; exitCode: number } | null;
}

testUnless(
    NOT_POSIX,
    'files that may be open run out: fewer workers, all is baked',
    () => {
        writeInputs(64);
        for (let round = 0; round < rounds(1); round++) {
            const [files, threads] = round % 2 === 0 ? [50, 8] : [256, 64];
            const script = `ulimit -n ${files}; exec "$0" "$1" bake 'in/*' -o out -j ${threads} --report report.json`;
            const { status, stderr } = runProgram('bash', ['-c', script, process.execPath, MAIN]);
            expect({ round, status, stderr }).toEqual({ round, status: 0, stderr: '' });
            expect(reportOf('report.json')).toMatchObject({ baked: 64, failed: 0, notBegun: 0 });
            rmSync('out', { recursive: true });
        }
    },
    60_000 * rounds(1),
);

function reportOf(name: string): { baked: number; failed: number; notBegun: number; inputs: Entry[] } {
    return readJson(name);
}

// Each breaks threads in another way, in a module that Node loads before the command and in its workers.
test.each([
    ['none starts', "if (!isMainThread) throw new Error('this thread does not start');"],
    ['every second one starts', "if (threadId % 2 === 1) throw new Error('this thread does not start');"],
    ['the system has no more', "workers.Worker = class { constructor() { throw new Error('no thread'); } };"],
])('workers: %s: all is baked', (_, what) => {
    writeInputs(7);
    const preload = resolve('preload.cjs');
    const names = 'const workers = require("node:worker_threads"); const { isMainThread, threadId } = workers;';
    writeFileSync(preload, `${names}\n${what}`);
    const argv = ['--require', preload, MAIN, 'bake', 'in/*', '-o', 'out', '-j', '4', '--report', 'report.json'];
    const { status, stdout, stderr } = runNode(argv);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(8);
    expect(reportOf('report.json')).toMatchObject({ baked: 7, failed: 0, notBegun: 0 });
});

for (const threads of [1, 2]) {
    const title = 'exit 130, no file is half written, and the report has the result of each';
    testUnless(NOT_POSIX, `interrupted with ${threads} thread(s): ${title}`, async () => {
        writeInputs(5);
        // The first file has a thousand rows, which take little time; all others a million, which take a second or more.
        writeFileSync('in/f0.gltf', smallGltf({ duration: 0.001 }));
        const line = `bake in/* -o out -j ${threads} --fps 1000000 --report report.json`;
        const { child, outcome } = start(line.split(' '));
        await once(child.stdout!, 'data');
        child.kill(threads === 1 ? 'SIGINT' : 'SIGTERM');
        const { code, stdout, stderr } = await outcome;
        expect(code).toBe(130);
        // Prints nothing but warnings of files that ended meanwhile.
        const said = stderr.split('\n').filter((line) => !/^poselane: warning [A-Z_]+: in\/f\d\.gltf\b/.test(line));
        expect(said).toEqual(['poselane: interrupted', '']);
        expect(stderr).toMatch(/poselane: interrupted\n$/);
        const left = readdirSync('out');
        // Finished pairs stay; no file has a temporary name.
        expect(stdout).toMatch(/^in\/f0\.gltf/);
        expect(left).toEqual(expect.arrayContaining(['f0.bake.bin', 'f0.bake.json']));
        expect(left.filter((name) => !/^f\d(\.skin\d)?\.bake\.(json|bin)$/.test(name))).toEqual([]);
        expect(left.filter((name) => name.endsWith('.json'))).toHaveLength(left.length / 2);
        expect(left.length).toBeLessThan(5 * 2 + 2 * 2);
        const { baked, failed, notBegun, inputs } = reportOf('report.json');
        expect(inputs.map(({ input }) => input)).toEqual([0, 1, 2, 3, 4].map((i) => `in/f${i}.gltf`));
        const entries = (wanted: string) => inputs.filter(({ status }) => status === wanted);
        const counts = ['baked', 'failed', 'not-begun'].map((status) => entries(status).length);
        expect(counts).toEqual([baked, failed, notBegun]);
        // Exactly the baked files have a manifest.
        const hasManifest = ({ input }: Entry) =>
            left.some((name) => name.startsWith(`${input.slice(3, 5)}.`) && name.endsWith('.json'));
        expect(entries('baked')).toEqual(inputs.filter(hasManifest));
        expect(entries('baked').every(({ error }) => error === null)).toBe(true);
        expect(entries('failed').every(({ error }) => error?.exitCode === 130)).toBe(true);
        expect(entries('not-begun').every(({ error }) => error?.code === 'NOT_BEGUN')).toBe(true);
        // At most one file per thread was in work.
        expect(failed).toBeLessThanOrEqual(threads);
    });
}
