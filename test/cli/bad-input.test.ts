// SPDX-License-Identifier: MIT

/** The command line reports broken inputs and system errors in one line, with an exit code and no partial output. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../../lib/files/output-files';
import { setOutput, skinnedModel } from '../gltf/support/builder';
import { CHARACTER } from '../support/models';
import { runNode, runProgram } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';
import { describeUnless, NOT_POSIX, testUnless } from '../support/unless';
import { expectRun, inNewFolder, poselane, readJson } from './command-line';
import { smallGltf } from './small-gltf';

const MAIN = join(__dirname, '../../dist/cli/main.js');
const outside = scratchFolder();

inNewFolder();
beforeEach(() => {
    fs.mkdirSync('out');
    fs.chmodSync('.', 0o755);
});

// Each rule of the format: test/gltf.
describe('a rejected file: exit 3, its place and the rule on one line, no output', () => {
    const cyclic = skinnedModel();
    cyclic.json.nodes[2].children = [0];
    const notFinite = skinnedModel();
    setOutput(notFinite, Float32Array.of(0, 0, 0, 1, 0, NaN, 0, 1, 0, 0, 0, 1), 'VEC4');

    test.each<[string, string | Uint8Array, string]>([
        ['a cycle', cyclic.toGlb(), '#/nodes/2/children/0: .*its own ancestor'],
        ['keys of NaN', notFinite.toGlb(), '#/animations/0/samplers/0/output: .*is NaN'],
        ['no byte', '', ': .*must be a GLB file or JSON in UTF-8'],
        ['not a glTF', 'Once upon a time', ': .*must be a GLB file or JSON in UTF-8'],
        ['a GLB that ends early', skinnedModel().toGlb().subarray(0, -1), ': .*truncated GLB'],
        ['another version', JSON.stringify({ asset: { version: '1.0' } }), '#/asset/version: .*only glTF 2'],
        ['no animation', smallGltf({ clips: [] }), '#/animations: .*bake: clips of other files come by --animations\n'],
        ['no skin', smallGltf({ skins: 0 }), '#/skins: .*no skin'],
        ['a missing buffer', skinnedModel().toGltf('x.bin'), '#/buffers/0/uri: .*cannot read "x.bin": ENOENT'],
        ['a buffer that is a folder', skinnedModel().toGltf('out'), '#/buffers/0/uri: .*cannot read "out": EISDIR'],
        ['a buffer above', skinnedModel().toGltf('%2e%2e/x.bin'), "#/buffers/0/uri: .*leaves the input's folder"],
    ])('%s', async (_, contents, message) => {
        fs.writeFileSync('bad.glb', contents);
        const { stderr } = await expectRun('bake bad.glb -o out', { code: 3, stderr: /^[^\n]+\n$/ });
        expect(stderr).toMatch(new RegExp(`^poselane: bad\\.glb${message}`));
        expect(fs.readdirSync('out')).toEqual([]);
    });

    testUnless(NOT_POSIX, 'a symbolic link out of the folder', async () => {
        fs.writeFileSync(join(outside(), 'x.bin'), skinnedModel().bin());
        fs.symlinkSync(join(outside(), 'x.bin'), 'x.bin');
        fs.writeFileSync('bad.gltf', skinnedModel().toGltf('x.bin'));
        const stderr = /^poselane: bad\.gltf#\/buffers\/0\/uri: "x\.bin" is refused: a symbolic link/;
        await expectRun('bake bad.gltf -o out', { code: 3, stderr });
    });

    test.each([
        [
            'missing.glb',
            3,
            /^poselane: missing\.glb: cannot read the file: ENOENT: [^\n]+; check its name and folder\n$/,
        ],
        ['-', 2, /^poselane: standard input [^\n]+\n$/],
        [
            'out',
            3,
            /^poselane: out: no \.glb, \.gltf, \.vrm, \.fbx or \.bvh file is in this folder, or in one below it\n$/,
        ],
        ['small.gltf --fps 60000000', 3, /^poselane: .*more than 2 GiB.*\n$/],
    ])('%s', async (input, code, stderr) => {
        fs.writeFileSync('small.gltf', smallGltf());
        await expectRun(`bake ${input} -o out`, { code, stderr });
    });
});

/** The built command under a shell; `$bake` is `poselane bake character.glb --fps 60`. `left` lists `out` afterward. */
function shell(script: string, out = 'out') {
    fs.copyFileSync(CHARACTER.path, 'character.glb');
    const bake = `'${process.execPath}' '${MAIN}' bake character.glb --fps 60`;
    const { status, stderr } = runProgram('sh', ['-c', script.replaceAll('$bake', bake)]);
    return { status, stderr, left: fs.readdirSync(out).sort() };
}

describeUnless(NOT_POSIX, 'a system that refuses', () => {
    const PAIR = ['character.bake.bin', 'character.bake.json'];
    const without = fs.existsSync('/dev/full') ? null : 'needs /dev/full';

    /** Permissions do not bind root, so root becomes nobody. */
    async function bakeWithoutRights(line: string, expected: Parameters<typeof expectRun>[1]): Promise<void> {
        if (process.getuid!() !== 0) return void (await expectRun(line, expected));
        // Nobody can lack permission to read this clone, so its code is loaded first.
        await poselane(`bake ${CHARACTER.path} -o .`);
        process.seteuid!(65534);
        try {
            await expectRun(line, expected);
        } finally {
            process.seteuid!(0);
        }
    }

    const output = /^poselane: EACCES: [^\n]*out[^\n]*; check who may write there\n$/;
    test.each([
        [
            'an input without permission to read it',
            0o000,
            'out',
            3,
            /^poselane: model\.glb: cannot read the file: EACCES: permission denied; check who may read it\n$/,
        ],
        ['an output folder without permission to write', 0o444, 'out', 1, output],
        ['a folder below one', 0o444, 'out/below', 1, output],
    ])('%s', async (_, mode, out, code, stderr) => {
        fs.writeFileSync('model.glb', skinnedModel().toGlb(), { mode });
        fs.chmodSync('out', 0o555);
        await bakeWithoutRights(`bake model.glb -o ${out}`, { code, stderr });
        expect(fs.readdirSync('out')).toEqual([]);
    });

    test('a disk that takes only the first blocks: exit 1, the file is named, and nothing is left', () => {
        // A limit on the size of files makes write() fail partway, as on a full disk.
        expect(shell('ulimit -f 8; $bake -o out')).toEqual({
            status: 1,
            stderr: expect.stringMatching(
                /^poselane: EFBIG: [^\n]+ 'out\/character\.bake\.bin'; raise the limit [^\n]+\n$/,
            ),
            left: [],
        });
    });

    testUnless(without, 'standard output that is full: one line, exit 1, and the bake is there', () => {
        const said = /^poselane: standard output: ENOSPC: [^\n]+; make room, or choose another disk\n$/;
        const outcome = { status: 1, stderr: expect.stringMatching(said), left: PAIR };
        expect(shell('$bake -o out > /dev/full')).toEqual(outcome);
    });

    testUnless(without, 'a report that cannot be written does not hide why the bake failed', () => {
        const said = /^poselane: --report '\/dev\/full': ENOSPC: [^\n]+\nposelane: [^\n]*'nothing'[^\n]*\n$/;
        const outcome = { status: 2, stderr: expect.stringMatching(said) };
        expect(shell('$bake -o out --clips nothing --report /dev/full')).toMatchObject(outcome);
    });

    test('a pipe or a device as an input: exit 3, without waiting for a writer', async () => {
        shell('mkfifo pipe');
        await poselane(`bake ${CHARACTER.path} -o made`);
        for (const [file, line] of [
            ['pipe', 'bake pipe -o out'],
            ['/dev/zero', 'bake /dev/zero -o out'],
            ['pipe', 'inspect pipe'],
            ['pipe', `verify ${CHARACTER.path} pipe`],
            ['pipe', 'verify pipe made/character.bake.json'],
            ['pipe', 'diff pipe pipe'],
        ] as const) {
            const rule = 'cannot read the file: it is a pipe or a device, not a file';
            await expectRun(line, { code: 3, stderr: `poselane: ${file}: ${rule}\n` });
        }
        expect(fs.readdirSync('out')).toEqual([]);
    });

    test('a failed write removes the folders that it created, and no others', () => {
        fs.copyFileSync(CHARACTER.path, 'other.glb');
        fs.mkdirSync('mine/empty', { recursive: true });
        const bake = 'ulimit -f 8; $bake other.glb';
        for (const out of ['-j 1 -o new/below/deep', '-j 2 -o mine/below/deep', '-j 1 -o mine/empty']) {
            expect(shell(`${bake} ${out}`, '.')).toMatchObject({
                status: 5,
                left: expect.not.arrayContaining(['new']),
            });
            expect(fs.readdirSync('mine')).toEqual(['empty']);
        }
    });

    test.each([
        [
            'a pipe: it is written to, and not replaced by a file',
            'mkfifo pipe; cat pipe > out/report & $bake -o out --report pipe > out/log; code=$?; wait; test -p pipe || exit 99; exit $code',
        ],
        ['/dev/stdout, which is a pipe', '$bake -o out --quiet --report /dev/stdout | cat > out/report; touch out/log'],
    ])('--report to %s', (_, script) => {
        expect(shell(script)).toEqual({ status: 0, stderr: '', left: [...PAIR, 'log', 'report'] });
        expect(readJson('out/report')).toMatchObject({ baked: 1 });
    });

    test('--report by a link: the linked file is replaced, and leftovers of a killed process are removed', () => {
        const left = temporaryPath('.').replace(`-${process.pid}-`, `-${runNode(['--version']).pid}-`);
        fs.writeFileSync(left, '');
        fs.symlinkSync('real.json', 'link.json');
        fs.writeFileSync('real.json', '');
        expect(shell('$bake -o out --report link.json')).toMatchObject({ status: 0, stderr: '' });
        expect(fs.readlinkSync('link.json')).toBe('real.json');
        expect(readJson('real.json')).toMatchObject({ baked: 1 });
        expect(fs.existsSync(left)).toBe(false);
    });
});
