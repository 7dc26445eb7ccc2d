// SPDX-License-Identifier: MIT

/** The workflows of GitHub run existing scripts and commands. */

import * as fs from 'node:fs';
import * as path from 'node:path';

const ROOT = path.join(__dirname, '../..');
const FOLDER = path.join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
};

const workflows = fs
    .readdirSync(FOLDER)
    .map((name) => ({ name, text: fs.readFileSync(path.join(FOLDER, name), 'utf8') }));

/** The first group of each match of `pattern`. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

test('there are workflows for tests, prebuilds, releases and fuzzing', () => {
    expect(workflows.map(({ name }) => name).sort()).toEqual(['ci.yml', 'fuzz.yml', 'prebuilds.yml', 'release.yml']);
});

describe.each(workflows)('$name', ({ text }) => {
    test('the files that it runs exist', () => {
        const files = [...all(text, /\bnode ((?:scripts|test)\/[\w./-]+)/g), ...all(text, /\bbash ([\w./-]+)/g)];
        const used = all(text, /uses: \.\/(\S+)/g);
        expect(files.length + used.length).toBeGreaterThan(0);
        expect([...files, ...used].filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
    });

    test('the npm scripts that it runs exist', () => {
        const named = all(text, /\bnpm run ([\w:-]+)/g);
        expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    });

    test('it installs only from the lock file', () => {
        expect(text).not.toMatch(/\bnpm (install|i)\b/);
    });

    test('actions are pinned to a major version', () => {
        const actions = all(text, /uses: (?!\.\/)(\S+)/g);
        expect(actions.filter((action) => !/^[\w-]+\/[\w-]+(\/[\w-]+)?@v\d+$/.test(action))).toEqual([]);
    });

    test('only the job that publishes has more than read permission', () => {
        const rights = all(text, /^ +([\w-]+: write)$/gm);
        expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
        expect(rights).toEqual(/npm publish/.test(text) ? ['id-token: write'] : []);
    });

    test('jobs that can hang have a time limit', () => {
        const jobs = all(text, /^ +(runs-on): /gm);
        expect(all(text, /^ +(timeout-minutes): \d+$/gm)).toHaveLength(jobs.length);
    });
});

/** A workflow's text. */
const textOf = (name: string) => workflows.find((one) => one.name === name)!.text;

/** The jobs of a workflow, by name. */
const jobsOf = (name: string) =>
    Object.fromEntries(
        textOf(name)
            .split(/^jobs:\n/m)[1]!
            .split(/^(?= {2}\w+:\n)/m)
            .map((job) => [/ {2}(\w+):/.exec(job)![1]!, job]),
    );

test('in workflows, checks that cannot run fail', () => {
    const lines = workflows.flatMap(({ text }) =>
        text.split('\n').filter((line) => /(install-tarball|other-runtimes|arm64|sweep-qemu)\.mjs/.test(line)),
    );
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !line.includes('--required'))).toEqual([]);
});

test('tests run on every supported platform and version of Node', () => {
    const platforms = Object.keys(JSON.parse(fs.readFileSync(path.join(ROOT, 'prebuilds/platforms.json'), 'utf8')));
    const row = /\{ platform: ([\w-]+), runner/g;
    const tested = all(textOf('ci.yml'), row);
    expect([...tested].sort()).toEqual([...platforms].sort());
    expect([...all(textOf('prebuilds.yml'), row)].sort()).toEqual([...tested].sort());
    expect(textOf('ci.yml')).toContain(`platform: [${tested.join(', ')}]`);
    expect(textOf('ci.yml')).toContain('node: [20, 22, 24, 26]');
});

test('a prebuild is started on its own platform, as the released file', () => {
    const { debian, start, macos } = jobsOf('prebuilds.yml');
    const made = all(debian!, /prebuild\.mjs --platform ([\w-]+)/g);
    expect(made).toEqual(['linux-x64', 'linux-arm64', 'win32-x64']);
    expect(all(start!, /\{ platform: ([\w-]+), runner/g)).toEqual(made);
    // Fetched, not built there, after the local build is removed.
    expect(start).not.toContain('prebuild.mjs');
    expect(start).toMatch(/rm -f build\/Release\/poselane\.node && test -f .* && node test\/golden\/golden\.mjs/);
    const [name] = all(start!, /^ +name: (prebuild-\S+)$/gm);
    expect(all(debian!, /^ +name: (prebuild-\S+)$/gm)).toEqual([name]);
    expect(all(macos!, /\{ platform: ([\w-]+), runner/g)).toEqual(['darwin-arm64', 'darwin-x64']);
    expect(textOf('release.yml')).toContain('pattern: prebuild-*');
});

test('the tarball is published as it was tested, by a job that runs nothing else', () => {
    const jobs = jobsOf('release.yml');
    const tried = all(jobs.package!, /node scripts\/([\w/-]+)\.mjs .*--tarball build\/package\/poselane-\*\.tgz/g);
    expect(tried).toEqual(['check/release', 'check/package', 'release/install-tarball', 'release/other-runtimes']);
    // In every one.
    expect(jobs.package).not.toMatch(/--only|--quick/);
    expect(all(jobs.publish!, /^ +needs: (.*)$/gm)).toEqual(['package']);
    expect(all(jobs.publish!, /^ +- run: (.*)$/gm)).toEqual([
        'npm publish ./poselane-*.tgz --provenance --access public',
    ]);
    const [uploaded] = all(jobs.package!, /upload-artifact@v\d+\n +with:\n +name: (.*)$/gm);
    expect(all(jobs.publish!, /download-artifact@v\d+\n +with:\n +name: (.*)$/gm)).toEqual([uploaded]);
});

test("each night's fuzzing has a different seed", () => {
    const rows = textOf('fuzz.yml').split('\n');
    const seeded = rows.filter((line) => /fuzz-gltf\.mjs|fuzz:(api|reduce)|test\/long\/convert/.test(line));
    expect(seeded).toHaveLength(4);
    for (const row of seeded) expect(row).toMatch(/(--seed "|POSELANE_FUZZ_SEED=)\$GITHUB_RUN_ID/);
});

test('the checks that .ci/run leaves out run every night', () => {
    const [left] = all(fs.readFileSync(path.join(ROOT, '.ci/run'), 'utf8'), /^rest='(.*)'$/gm);
    const long = fs.readdirSync(path.join(ROOT, 'test/long'), { recursive: true, encoding: 'utf8' });
    const tests = long.filter((file) => file.endsWith('.test.ts')).map((file) => path.posix.join('test/long', file));
    expect(tests.filter((file) => new RegExp(left!).test(file)).length).toBeGreaterThan(10);
    expect(all(textOf('fuzz.yml'), /^ +- \{ name: .*, run: (.*) \}$/gm)).toEqual(
        expect.arrayContaining([
            'bash .ci/packages munge slurm-client slurmctld slurmd && npm run test:all',
            'npm run check:tidy',
            'npm run soak',
            'node test/long/sweep-qemu.mjs --required',
            'node test/long/arm64.mjs --required',
            'node test/long/limits.mjs && node test/long/limits.mjs --nodes',
        ]),
    );
});

test('the kernels are fuzzed on both kinds of processor, and each continues with its own inputs', () => {
    const text = textOf('fuzz.yml');
    const rows = text.split('\n').filter((line) => /fuzz-native\.mjs/.test(line));
    expect(rows.map((row) => /corpus: (\w+)/.exec(row)?.[1])).toEqual(['x64', 'arm64']);
    expect(rows.map((row) => /runner: ([\w.-]+)/.exec(row)?.[1])).toEqual([undefined, 'ubuntu-24.04-arm']);
    // .ci/run leaves it to them to prove that faulty kernels are found.
    for (const row of rows) expect(row).toContain('fuzz-native.mjs --prove ');
    // Kept under the name that fuzz-native.mjs looks for.
    const [restored, kept] = all(text, /^ +(key: fuzz-corpus-.*)$/gm);
    expect(restored).toBeDefined();
    expect(kept).toBe(restored);
    expect(restored).toContain(all(text, /^ +restore-keys: (.*)$/gm)[0]);
    expect(all(text, /^ +path: (build-fuzz.*)$/gm)).toEqual(['build-fuzz/clang/corpus', 'build-fuzz/clang/corpus']);
});
