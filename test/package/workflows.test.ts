// SPDX-License-Identifier: MIT

/** The workflows of GitHub run what can be run here: every script and command that they name exists. */

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

/** What `pattern` finds first in each place of a text. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

test('there are workflows for tests, prebuilds, releases and fuzzing', () => {
    expect(workflows.map(({ name }) => name).sort()).toEqual(['ci.yml', 'fuzz.yml', 'prebuilds.yml', 'release.yml']);
});

describe.each(workflows)('$name', ({ text }) => {
    test('the files that it runs exist', () => {
        const files = [...all(text, /\bnode (scripts\/[\w./-]+)/g), ...all(text, /\bbash ([\w./-]+)/g)];
        const used = all(text, /uses: \.\/(\S+)/g);
        expect(files.length + used.length).toBeGreaterThan(0);
        expect([...files, ...used].filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
    });

    test('the npm scripts that it runs exist', () => {
        const named = all(text, /\bnpm run ([\w:-]+)/g);
        expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    });

    test('it installs from the lock alone', () => {
        expect(text).not.toMatch(/\bnpm (install|i)\b/);
    });

    test('actions are pinned to a major version', () => {
        const actions = all(text, /uses: (?!\.\/)(\S+)/g);
        expect(actions.filter((action) => !/^[\w-]+\/[\w-]+(\/[\w-]+)?@v\d+$/.test(action))).toEqual([]);
    });

    test('nothing but the job that publishes may do more than read', () => {
        const rights = all(text, /^ +([\w-]+: write)$/gm);
        expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
        expect(rights).toEqual(/npm publish/.test(text) ? ['id-token: write'] : []);
    });

    test('jobs that can hang end', () => {
        const jobs = all(text, /^ +(runs-on): /gm);
        expect(all(text, /^ +(timeout-minutes): \d+$/gm)).toHaveLength(jobs.length);
    });
});

test('tests run on every platform and version of Node that there are prebuilds and promises for', () => {
    const [ci, prebuilds] = ['ci.yml', 'prebuilds.yml'].map((name) => workflows.find((one) => one.name === name)!.text);
    const built = all(prebuilds!, /\{ platform: ([\w-]+), runner/g);
    expect(built).toHaveLength(5);
    expect(all(ci!, /\{ platform: ([\w-]+), runner/g)).toEqual(built);
    expect(ci).toContain(`platform: [${built.join(', ')}]`);
    expect(ci).toContain('node: [20, 22, 24, 26]');
});

test('the kernels are fuzzed on both kinds of processor, and each goes on from its own inputs', () => {
    const { text } = workflows.find(({ name }) => name === 'fuzz.yml')!;
    const rows = text.split('\n').filter((line) => /fuzz-native\.mjs/.test(line));
    expect(rows.map((row) => /corpus: (\w+)/.exec(row)?.[1])).toEqual(['x64', 'arm64']);
    expect(rows.map((row) => /runner: ([\w.-]+)/.exec(row)?.[1])).toEqual([undefined, 'ubuntu-24.04-arm']);
    // Kept under the name that they are looked for by, where fuzz-native.mjs has them.
    const [restored, kept] = all(text, /^ +(key: fuzz-corpus-.*)$/gm);
    expect(restored).toBeDefined();
    expect(kept).toBe(restored);
    expect(restored).toContain(all(text, /^ +restore-keys: (.*)$/gm)[0]);
    expect(all(text, /^ +path: (build-fuzz.*)$/gm)).toEqual(['build-fuzz/clang/corpus', 'build-fuzz/clang/corpus']);
});
