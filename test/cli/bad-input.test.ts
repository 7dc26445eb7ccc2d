// SPDX-License-Identifier: MIT

/** What a broken input or a refusing system gives on the command line: one line, an exit code, and no partial output. */

import {
    chmodSync,
    copyFileSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readlinkSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryPath } from '../../lib/files/output-files';
import { setOutput, skinnedModel } from '../gltf/support/builder';
import { runNode, runProgram } from '../support/processes';
import { inNewFolder, poselane, readJson } from './command-line';
import { smallGltf } from './small-gltf';

const ROOT = join(__dirname, '../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const CHARACTER = join(ROOT, 'examples/character.glb');

inNewFolder();
beforeEach(() => {
    mkdirSync('out');
    chmodSync('.', 0o755);
});

const bake = (input: string, out = 'out') => poselane(`bake ${input} -o ${out}`);

// Each rule of the format: test/gltf.
describe('a file that is refused: exit 3, its place and the rule on one line, no output', () => {
    const withNode2 = (children: number[]) => {
        const model = skinnedModel();
        model.json.nodes[2].children = children;
        return model.toGlb();
    };
    const notFinite = skinnedModel();
    setOutput(notFinite, Float32Array.of(0, 0, 0, 1, 0, NaN, 0, 1, 0, 0, 0, 1), 'VEC4');

    test.each<[string, string | Uint8Array, string, RegExp]>([
        ['a cycle', withNode2([0]), '#/nodes/2/children/0', /its own ancestor/],
        ['keys that are NaN', notFinite.toGlb(), '#/animations/0/samplers/0/output', /is NaN/],
        ['no byte', '', '', /must be a GLB file or JSON in UTF-8/],
        ['not a glTF', 'Once upon a time', '', /must be a GLB file or JSON in UTF-8/],
        ['a GLB that ends early', skinnedModel().toGlb().subarray(0, -1), '', /truncated GLB/],
        ['another version', JSON.stringify({ asset: { version: '1.0' } }), '#/asset/version', /only glTF 2/],
        [
            'no animation',
            smallGltf({ clips: [] }),
            '#/animations',
            /no animation to bake: clips of other files come by --animations$/,
        ],
        ['no skin', smallGltf({ skins: 0 }), '#/skins', /no skin/],
        ['a missing buffer', skinnedModel().toGltf('x.bin'), '#/buffers/0/uri', /cannot read "x.bin": ENOENT/],
        ['a buffer that is a folder', skinnedModel().toGltf('out'), '#/buffers/0/uri', /cannot read "out": EISDIR/],
        ['a buffer above', skinnedModel().toGltf('%2e%2e/x.bin'), '#/buffers/0/uri', /leaves the input's folder/],
    ])('%s', async (_, contents, pointer, rule) => {
        writeFileSync('bad.glb', contents);
        const { code, stdout, stderr } = await bake('bad.glb');
        const start = `poselane: bad.glb${pointer}: `;
        expect(stderr.slice(0, start.length)).toBe(start);
        expect(stderr).toMatch(/^[^\n]+\n$/);
        expect(stderr.slice(start.length).trimEnd()).toMatch(rule);
        expect({ code, stdout, left: readdirSync('out') }).toEqual({ code: 3, stdout: '', left: [] });
    });

    const symlinks = process.platform !== 'win32';
    (symlinks ? test : test.skip)(
        `a symbolic link out of the folder${symlinks ? '' : ' [skipped: needs POSIX links]'}`,
        async () => {
            const outside = mkdtempSync(join(tmpdir(), 'poselane-outside-'));
            try {
                writeFileSync(join(outside, 'x.bin'), skinnedModel().bin());
                symlinkSync(join(outside, 'x.bin'), 'x.bin');
                writeFileSync('bad.gltf', skinnedModel().toGltf('x.bin'));
                const { code, stderr } = await bake('bad.gltf');
                expect(stderr).toMatch(/^poselane: bad\.gltf#\/buffers\/0\/uri: "x\.bin" is refused: a symbolic link/);
                expect(code).toBe(3);
            } finally {
                rmSync(outside, { recursive: true });
            }
        },
    );

    test.each([
        [
            'missing.glb',
            3,
            /^missing\.glb: cannot read the file: ENOENT: there is no such file; check its name and folder$/,
        ],
        ['-', 2, /^standard input /],
        ['out', 3, /^out: no \.glb, \.gltf or \.vrm file is in this folder, or in one below it$/],
    ])('an input that is no file: %s', async (input, exit, message) => {
        const { code, stderr } = await bake(input);
        expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(/^poselane: [^\n]+\n$/) });
        expect(stderr.slice('poselane: '.length, -1)).toMatch(message);
    });

    test('too large an output', async () => {
        writeFileSync('small.gltf', smallGltf());
        const { code, stderr } = await poselane('bake small.gltf -o out --fps 60000000');
        expect({ code, stderr }).toEqual({
            code: 3,
            stderr: expect.stringMatching(/^poselane: .*more than 2 GiB.*\n$/),
        });
    });
});

interface Child {
    status: number | null;
    stderr: string;
    left: string[];
}

/** The built command under a shell; `$bake` is `poselane bake character.glb --fps 60`. */
function shell(script: string, out = 'out'): Child {
    copyFileSync(CHARACTER, 'character.glb');
    const bake = `'${process.execPath}' '${MAIN}' bake character.glb --fps 60`;
    const { status, stderr } = runProgram('sh', ['-c', script.replaceAll('$bake', bake)]);
    return { status, stderr, left: readdirSync(out).sort() };
}

const posix = process.platform !== 'win32';
const describePosix = posix ? describe : describe.skip;
describePosix(`a system that refuses${posix ? '' : ' [skipped: needs a POSIX shell]'}`, () => {
    /** Permissions do not bind root, who is nobody meanwhile. Nobody may be unable to read this clone: its code is loaded before. */
    async function bakeWithoutRights(input: string, out?: string): ReturnType<typeof bake> {
        if (process.getuid!() !== 0) return bake(input, out);
        await bake(CHARACTER, '.');
        process.seteuid!(65534);
        try {
            return await bake(input, out);
        } finally {
            process.seteuid!(0);
        }
    }

    test('an input without permission to read it: exit 3', async () => {
        const secret = 'secret.glb';
        writeFileSync(secret, skinnedModel().toGlb(), { mode: 0o000 });
        const { code, stderr } = await bakeWithoutRights(secret);
        expect({ code, stderr }).toEqual({
            code: 3,
            stderr: `poselane: ${secret}: cannot read the file: EACCES: permission denied; check who may read it\n`,
        });
    });

    test.each(['out', 'out/below'])('an output folder without permission to write to %s: exit 1', async (out) => {
        const input = 'model.glb';
        writeFileSync(input, skinnedModel().toGlb());
        chmodSync(input, 0o444);
        chmodSync('out', 0o555);
        const { code, stderr } = await bakeWithoutRights(input, out);
        expect(stderr).toMatch(/^poselane: EACCES: [^\n]+; check who may write there\n$/);
        expect(stderr).toContain('out');
        expect({ code, left: readdirSync('out') }).toEqual({ code: 1, left: [] });
    });

    test('a disk that takes no more than the first blocks: exit 1, the file is named, and nothing is left', () => {
        // A limit on the size of files: write() fails in the middle of one, as on a full disk.
        const { status, stderr, left } = shell('ulimit -f 8; $bake -o out');
        expect(stderr).toMatch(/^poselane: EFBIG: [^\n]+ 'out\/character\.bake\.bin'; raise the limit [^\n]+\n$/);
        expect({ status, left }).toEqual({ status: 1, left: [] });
    });

    const hasFull = statSync('/dev/full', { throwIfNoEntry: false })?.isCharacterDevice() === true;
    (hasFull ? test : test.skip)(
        `standard output that is full: one line, exit 1, and the bake is there${hasFull ? '' : ' [skipped: needs /dev/full]'}`,
        () => {
            const { status, stderr, left } = shell('$bake -o out > /dev/full');
            expect(stderr).toMatch(/^poselane: standard output: ENOSPC: [^\n]+; make room, or choose another disk\n$/);
            expect({ status, left }).toEqual({ status: 1, left: ['character.bake.bin', 'character.bake.json'] });
        },
    );

    test('a pipe or a device as an input: exit 3, and nobody waits for a writer', async () => {
        shell('mkfifo pipe');
        await bake(CHARACTER, 'made');
        for (const [file, line] of [
            ['pipe', 'bake pipe -o out'],
            ['/dev/zero', 'bake /dev/zero -o out'],
            ['pipe', 'inspect pipe'],
            ['pipe', `verify ${CHARACTER} pipe`],
            ['pipe', 'verify pipe made/character.bake.json'],
            ['pipe', 'diff pipe pipe'],
        ] as const) {
            const { code, stderr } = await poselane(line);
            const said = `poselane: ${file}: cannot read the file: it is a pipe or a device, not a file\n`;
            expect({ line, code, stderr }).toEqual({ line, code: 3, stderr: said });
        }
        expect(readdirSync('out')).toEqual([]);
    });

    test('a write that fails takes the folders away again that were made for it, and no others', () => {
        const failing = (out: string, jobs: string) => {
            copyFileSync(CHARACTER, 'other.glb');
            return shell(`ulimit -f 8; $bake other.glb -j ${jobs} -o ${out}`, '.');
        };
        for (const jobs of ['1', '2']) {
            expect(failing('new/below/deep', jobs)).toMatchObject({ status: 5 });
            expect(readdirSync('.')).not.toContain('new');
        }
        mkdirSync('mine/empty', { recursive: true });
        expect(failing('mine/below', '1')).toMatchObject({ status: 5 });
        expect(readdirSync('mine')).toEqual(['empty']);
        expect(failing('mine/empty', '1')).toMatchObject({ status: 5 });
        expect(readdirSync('mine')).toEqual(['empty']);
    });

    test('--report to a pipe: it is written to, and not replaced by a file', () => {
        const { status, stderr, left } = shell(
            'mkfifo pipe; cat pipe > out/report & $bake -o out --report pipe > out/log; code=$?; wait; test -p pipe || exit 99; exit $code',
        );
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        expect(left).toEqual(['character.bake.bin', 'character.bake.json', 'log', 'report']);
    });

    test('--report to /dev/stdout, which is a pipe', () => {
        const { stderr } = shell('$bake -o out --quiet --report /dev/stdout | cat > out/report');
        expect(stderr).toBe('');
        expect(readJson('out/report')).toMatchObject({ baked: 1 });
    });

    test('--report by a link: the file is replaced, and not the link', () => {
        symlinkSync('real.json', 'link.json');
        writeFileSync('real.json', '');
        expect(shell('$bake -o out --report link.json')).toMatchObject({ status: 0, stderr: '' });
        expect(readlinkSync('link.json')).toBe('real.json');
        expect(readJson('real.json')).toMatchObject({ baked: 1 });
    });

    const fullReport = hasFull ? test : test.skip;
    fullReport(
        `a report that cannot be written does not hide why the bake failed${hasFull ? '' : ' [skipped: needs /dev/full]'}`,
        () => {
            const { status, stderr } = shell('$bake -o out --clips nothing --report /dev/full');
            expect(stderr).toMatch(
                /^poselane: --report '\/dev\/full': ENOSPC: [^\n]+\nposelane: [^\n]*'nothing'[^\n]*\n$/,
            );
            expect(status).toBe(2);
        },
    );

    test("what a killed process left in the report's folder is removed", () => {
        const left = temporaryPath('.').replace(`-${process.pid}-`, `-${runNode(['--version']).pid}-`);
        writeFileSync(left, '');
        expect(shell('$bake -o out --report report.json')).toMatchObject({ status: 0, stderr: '' });
        expect(existsSync(left)).toBe(false);
    });
});
