// SPDX-License-Identifier: MIT

/** Messages of the command line use the names of flags, never those of the library. */

import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { BAKE_OPTIONS } from '../../lib/bake/plan/option-table';
import { namingOptions, UsageError } from '../../lib/base/errors';
import { FLAGS, messageOf } from '../../lib/cli/flags';
import { addLibraryOptions } from '../../lib/cli/library-options';
import { REDUCE_OPTIONS } from '../../lib/reduce/options';
import { CHARACTER } from '../support/models';
import { expectRun, inNewFolder, put } from './command-line';
import { smallGltf } from './small-gltf';

inNewFolder();
beforeEach(() => {
    for (const name of ['a.gltf', 'b.gltf']) put(name, smallGltf());
    // A clip with the name of an option keeps it.
    put('named.gltf', smallGltf({ clips: ['maxError', 'maxRows'] }));
});

/** Runs a bake that ends with this code, and returns its message. */
const refused = async (line: string, code = 2) =>
    (await expectRun(`bake ${line} -o out --quiet`, { code, stderr: /^[^\n]+\n$/ })).stderr;

test.each([
    ['bake', BAKE_OPTIONS],
    ['reduce', REDUCE_OPTIONS],
])('%s: each option of the library has a flag of the same name', (name, table) => {
    const { options } = addLibraryOptions(new Command(name), table);
    expect(options.map((option) => option.attributeName())).toEqual(Object.keys(table));
    expect(options.map(({ long }) => long)).toEqual(Object.keys(table).map((option) => FLAGS[option]));
});

test.each<[string, number, string]>([
    ['--fps fast', 2, "--fps: 'fast' is not a frame rate: "],
    ['--fps auto --max-error 0', 2, '--max-error is 0; it must be greater than 0'],
    ['--fps auto --max-error -1mm', 2, '--max-error is -1mm; it must be greater than 0'],
    ['--fps auto --max-error 1inch', 2, "--max-error is '1inch'; it must be a number in the model's units, or one"],
    [
        '--fps keys --max-error 1',
        2,
        "--max-error has no effect without --fps 'auto', --dtype 'f16', --layout 'qts16', --emit 'pvat' or 'openvat' or --godot '3'; add one of them",
    ],
    ['--emit pvat --root in-place', 2, "--root is 'in-place', but --emit 'pvat' needs 'keep'"],
    ['--from 2 --to 1', 2, '--to is 1; it must be greater than --from, 2'],
    ['--from 1e999', 2, '--from is Infinity; it must be 0 or more seconds'],
    ['--from 9', 2, "a.gltf: clip #0 'Walk' ends at 1 s, before --from, 9 s: "],
    ['--emit pallete', 2, "--emit has 'pallete'; it must be one of "],
    ['--root in-place --emit root', 2, "--root is 'in-place', but --emit has 'root'; use 'extract'"],
    ['--root-motion xz+yaw', 2, "--root-motion has no effect without --root 'extract' or 'in-place'; add one"],
    ['--root extract --root-joint hipz', 2, "a.gltf: --root-joint: no joint 'hipz', has "],
    ['--emit root --layout mat3x4', 2, "--layout is 'mat3x4', but only the palette has a layout; add 'palette' to"],
    ['--layout qts16 --dtype f32', 2, "--dtype is 'f32', but --layout 'qts16' has half floats"],
    ['--emit root --dtype f16', 2, "--dtype is 'f16', but only the palette has a dtype; add 'palette' to --emit"],
    ['--hit-joints a', 2, "--hit-joints has no effect without --emit 'hit'; add it, or leave"],
    ['--emit hit --hit-joints (', 2, "--hit-joints is '(', which is not a regular expression: "],
    ['--emit hit --hit-joints tail', 2, "a.gltf: --hit-joints: no joint matches /tail/u, has 'hip', 'knee'"],
    ['--fps 30 --max-rows 10', 3, 'a.gltf: 62 rows, more than the 10 of --max-rows: '],
    ['--fps keys --min-fps 20', 2, "--min-fps has no effect without --fps 'auto'; leave it out"],
    ['--min-fps 241', 2, '--min-fps is 241; it must be at most 240'],
    ['--fps 30 --dtype f16 --max-error 1e-9', 4, "a.gltf: clip #0 'Walk': half floats are off by "],
    ['--end cut', 2, "option '--end <how>' argument 'cut' is invalid. "],
    ['--layout mat3', 2, "option '--layout <layout>' argument 'mat3' is invalid. "],
    ['--dtype f64', 2, "option '--dtype <type>' argument 'f64' is invalid. "],
    ['--space world', 2, "option '--space <space>' argument 'world' is invalid. "],
    ['--max-rows 0', 2, "option '--max-rows <number>' argument '0' is invalid. "],
    ['--skin x', 2, "option '--skin <number>' argument 'x' is invalid. "],
    ['--skin 1', 2, 'a.gltf: no skin 1, '],
    ['--retarget rotation', 2, '--retarget has no effect without --animations; add files'],
    ['--rename a=b', 2, '--rename has no effect without --animations; add files'],
    ['--rename a', 2, "option '--rename <from=to>' argument 'a' is invalid. "],
    ['--unmatched no', 2, "option '--unmatched <what>' argument 'no' is invalid. "],
    ['--animations none-*.glb', 3, 'none-*.glb: no file matches this pattern'],
    ['--clips Wlak', 2, "a.gltf: no clip 'Wlak', "],
])('%s', async (options, exit, start) => {
    const stderr = await refused(`a.gltf ${options}`, exit);
    expect(stderr.slice(0, 'poselane: '.length + start.length)).toBe(`poselane: ${start}`);
    for (const option of Object.keys(FLAGS).filter((name) => /[A-Z]/.test(name))) expect(stderr).not.toContain(option);
});

test.each([
    ['--fps 30 --dtype f16', 'use f32'],
    ['--clips Idle', 'allow more, or choose a rate'],
])('allowed values are also listed by flag: %s', async (options, advice) => {
    const stderr = await refused(`${CHARACTER.path} --max-error 1e-6 ${options}`, 4);
    const hint = "0.000001 is [0-9.e-]+% of the model's extent of 1.\\d+ units; 1% is 0.01\\d+";
    expect(stderr).toMatch(new RegExp(`, more than the 0\\.000001 of --max-error: ${advice} \\(${hint}\\)\n$`));
});

test('names from the file stay unchanged', async () => {
    const told = await refused('named.gltf --fps 30 --dtype f16 --max-error 1e-9', 4);
    expect(told).toMatch(/clip #0 'maxError': .+ of --max-error: use f32 \(.+\)\n$/);
    expect(await refused('named.gltf --clips hitJoints')).toContain("no clip 'hitJoints', has 'maxError', 'maxRows'");
});

test('an option that is wrong for every file is reported once, as wrong use', async () => {
    const stderr = await refused('a.gltf b.gltf --emit pallete');
    expect(stderr).toMatch(/^poselane: --emit has 'pallete'; it must be one of [^\n]+\n$/);
});

test('the library uses its own names', () => {
    const error = namingOptions((name) => new UsageError(`${name('maxRows')}: ${name('unheard')}`));
    expect(error.message).toBe('maxRows: unheard');
    expect(messageOf(error)).toBe('--max-rows: unheard');
    expect(messageOf(new Error('maxRows'))).toBe('maxRows');
    expect([messageOf('plain'), messageOf(null), messageOf({ message: 'odd' })]).toEqual(['plain', 'null', 'odd']);
});

test.each([
    [['bake', '', '-o', 'out'], 'inputs'],
    [['inspect', ''], 'inputs'],
    [['verify', '', 'b.json'], 'input'],
    [['verify', 'a.glb', ''], 'bakes'],
    [['diff', '', 'b.json'], 'a'],
    [['diff', 'a.json', ''], 'b'],
])('an empty name, %p: exit 2', async (argv, argument) => {
    await expectRun(argv, { code: 2, stderr: `poselane: ${argument}: the name of the file is empty\n` });
});

test.each([
    ['bake a.glb -o https://host.example/bakes', '--out'],
    ['bake a.glb -o file:///tmp/bakes', '--out'],
    ['bake a.glb -o out --report https://host.example/report.json', '--report'],
    ['merge-reports a.json --out HTTPS://host.example/report.json', '--out'],
])('an output that is a URL is rejected, and no folder gets that name: %s', async (line, option) => {
    const rule = 'it is a URL, and outputs are files of this machine: name a path';
    await expectRun(line, { code: 2, stderr: `poselane: ${option}: ${rule}\n` });
    expect(readdirSync('.').sort()).toEqual(['a.gltf', 'b.gltf', 'named.gltf']);
});
