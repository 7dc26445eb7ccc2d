// SPDX-License-Identifier: MIT

/** What a broken input or a refusing system gives on the command line: one line, an exit code, and no partial output. */

import {
    chmodSync,
    copyFileSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    readlinkSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { temporaryPath } from '../../lib/files/output-files';
import { clip, type GltfBuilder, setOutput, skinnedModel } from '../gltf/support/builder';
import { runNode, runProgram } from '../support/processes';

const ROOT = join(__dirname, '../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const CHARACTER = join(ROOT, 'examples/character.glb');

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-bad-'));
    mkdirSync(join(folder, 'out'));
    chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bake = (input: string, out = 'out') => command('bake', input, '-o', join(folder, out));

async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const written = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({
        write: (text: string) => {
            written[name] += text;
        },
    });
    const io = { stdout: stream('stdout'), stderr: stream('stderr') };
    return { code: await run(args, io), ...written };
}

/** Exit 3; the file, the pointer and the rule on one line; nothing in the output folder. */
async function expectRefused(bytes: Uint8Array | string, pointer: string, rule: RegExp): Promise<void> {
    const input = join(folder, 'bad.glb');
    writeFileSync(input, bytes);
    const { code, stdout, stderr } = await bake(input);
    const start = `poselane: ${input}${pointer === '' ? '' : `#${pointer}`}: `;
    expect(stderr.slice(0, start.length)).toBe(start);
    expect(stderr.slice(start.length)).toMatch(/^[^\n]+\n$/);
    expect(stderr.slice(start.length)).toMatch(rule);
    expect({ code, stdout, left: readdirSync(join(folder, 'out')) }).toEqual({ code: 3, stdout: '', left: [] });
}

/** A property of the model's JSON, by path. */
const set = (model: GltfBuilder, path: string, value: unknown) => {
    const keys = path.split('.');
    const last = keys.pop()!;
    keys.reduce((object, key) => object[key], model.json)[last] = value;
};

describe('a glTF that breaks a rule', () => {
    test.each<[string, (model: GltfBuilder) => void, string, RegExp]>([
        ['a cycle', (m) => set(m, 'nodes.2.children', [0]), '/nodes/2/children/0', /its own ancestor/],
        ['two parents', (m) => set(m, 'nodes.3.children', [2]), '/nodes/3/children/0', /one parent at most/],
        [
            'a child that does not exist',
            (m) => set(m, 'nodes.2.children', [9]),
            '/nodes/2/children/0',
            /index into nodes/,
        ],
        [
            'a channel without sampler',
            (m) => delete clip(m).channels[0].sampler,
            '/animations/0/channels/0/sampler',
            /index/,
        ],
        [
            'a sampler that does not exist',
            (m) => set(m, 'animations.0.channels.1.sampler', 2),
            '/animations/0/channels/1/sampler',
            /index into .*, which has 2/,
        ],
        ['a count past the buffer view', (m) => set(m, 'accessors.4.count', 400), '/accessors/4/count', /400/],
        ['a view past the buffer', (m) => set(m, 'bufferViews.4.byteLength', 1e6), '/bufferViews/4', /ends at byte/],
        [
            'a buffer longer than the file',
            (m) => set(m, 'buffers.0.byteLength', 2 ** 40),
            '/buffers/0/byteLength',
            /states 1099511627776 bytes/,
        ],
        [
            'keys that are NaN',
            (m) => setOutput(m, Float32Array.of(0, 0, 0, 1, 0, NaN, 0, 1, 0, 0, 0, 1), 'VEC4'),
            '/animations/0/samplers/0/output',
            /is NaN/,
        ],
        [
            'key times that are NaN',
            (m) => set(m, 'animations.0.samplers.0.input', m.accessor(Float32Array.of(0, NaN, 1), 'SCALAR')),
            '/animations/0/samplers/0/input',
            /is NaN/,
        ],
        [
            'keys out of order',
            (m) => set(m, 'animations.0.samplers.0.input', m.accessor(Float32Array.of(0, 1, 0.5), 'SCALAR')),
            '/animations/0/samplers/0/input',
            /must increase/,
        ],
        [
            'a joint out of range',
            (m) => set(m, 'skins.0.joints.1', 4),
            '/skins/0/joints/1',
            /index into nodes, which has 4/,
        ],
        ['a joint twice', (m) => set(m, 'skins.0.joints.1', 1), '/skins/0/joints/1', /already joint 0/],
        [
            'a vertex with a joint out of range',
            (m) =>
                set(
                    m,
                    'meshes.0.primitives.0.attributes.JOINTS_0',
                    m.accessor(Uint8Array.of(0, 0, 0, 0, 7, 1, 0, 0, 1, 0, 0, 0), 'VEC4'),
                ),
            '/meshes/0/primitives/0/attributes/JOINTS_0',
            /has joint 7/,
        ],
        [
            'too few inverse bind matrices',
            (m) => set(m, 'accessors.0.count', 1),
            '/skins/0/inverseBindMatrices',
            /1 matrices for 2 joints/,
        ],
        [
            'an interpolation that is none',
            (m) => set(m, 'animations.0.samplers.0.interpolation', 'BOGUS'),
            '/animations/0/samplers/0/interpolation',
            /BOGUS/,
        ],
        [
            'an extension that nobody knows',
            (m) => set(m, 'extensionsRequired', ['ACME_bones']),
            '/extensionsRequired/0',
            /ACME_bones/,
        ],
    ])('%s', async (_, change, pointer, rule) => {
        const model = skinnedModel();
        change(model);
        await expectRefused(model.toGlb(), pointer, rule);
    });

    test('the model that these are made from can be baked', async () => {
        const input = join(folder, 'good.glb');
        writeFileSync(input, skinnedModel().toGlb());
        expect(await bake(input)).toMatchObject({ code: 0, stderr: '' });
        expect(readdirSync(join(folder, 'out')).sort()).toEqual(['good.bake.bin', 'good.bake.json']);
    });
});

describe('a GLB that ends early', () => {
    const whole = skinnedModel().toGlb();
    const view = new DataView(whole.buffer);
    const binChunk = 20 + view.getUint32(12, true);
    const inHeaders = Array.from({ length: 20 }, (_, i) => i).concat(Array.from({ length: 9 }, (_, i) => binChunk + i));

    test('at each byte of its headers, and of a chunk', async () => {
        for (const length of [...inHeaders, 21, binChunk - 1, whole.length - 1]) {
            await expectRefused(
                whole.subarray(0, length),
                '',
                length < 4 ? /must be a GLB file or JSON/ : /truncated GLB/,
            );
        }
    });

    test('at each byte of its headers, and states so itself', async () => {
        for (const length of inHeaders.filter((at) => at >= 12)) {
            const cut = whole.slice(0, length);
            new DataView(cut.buffer).setUint32(8, length, true);
            if (length === binChunk) continue; // the next test's
            await expectRefused(cut, '', /truncated GLB|GLB chunk/);
        }
    });

    test('between its chunks, and states so itself: its buffer has no data', async () => {
        const cut = whole.slice(0, binChunk);
        new DataView(cut.buffer).setUint32(8, binChunk, true);
        await expectRefused(cut, '/bufferViews/0/buffer', /buffer 0 has no data/);
    });

    test.each([
        ['the file', 8],
        ['the JSON chunk', 12],
        ['the BIN chunk', binChunk],
    ])('%s is stated to be larger than there is', async (_, at) => {
        for (const size of [whole.length + 1, 0x7fffffff, 0x80000000, 0xffffffff]) {
            const changed = whole.slice();
            new DataView(changed.buffer).setUint32(at, size, true);
            await expectRefused(changed, '', /truncated GLB|GLB chunk \d states/);
        }
    });

    test('a file without any byte', () => expectRefused('', '', /must be a GLB file or JSON in UTF-8/));
});

describe('a buffer that cannot be had', () => {
    test.each([
        ['not base64', 'data:;base64,????', /character 0/],
        ['no base64 at all', 'data:application/octet-stream,abc', /must be "data:<type>;base64,<data>"/],
        ['too short', 'data:;base64,AAAA', /states \d+ bytes, the data has 3/],
        ['the folder above', '../x.bin', /leaves the input's folder/],
        ['the folder above, encoded', '%2e%2e/x.bin', /leaves the input's folder/],
        ['the folder above, encoded with its slash', '%2e%2e%2fx.bin', /leaves the input's folder/],
        ['an absolute path', '/etc/hostname', /the path is absolute/],
        ['a file: URI', 'file:///etc/hostname', /only data URIs and relative paths/],
        ['a web address', 'http://127.0.0.1/x.bin', /only data URIs and relative paths/],
        ['backslashes', '..\\x.bin', /backslashes/],
        ['a missing file', 'x.bin', /cannot read "x.bin": ENOENT/],
        ['a folder', 'out', /cannot read "out": EISDIR/],
    ])('%s', async (_, uri, rule) => {
        const pointer = uri === 'data:;base64,AAAA' ? '/buffers/0/byteLength' : '/buffers/0/uri';
        await expectRefused(skinnedModel().toGltf(uri), pointer, rule);
    });

    const symlinks = process.platform !== 'win32';
    (symlinks ? test : test.skip)(
        `a symbolic link out of the folder${symlinks ? '' : ' [skipped: needs POSIX links]'}`,
        async () => {
            const outside = mkdtempSync(join(tmpdir(), 'poselane-outside-'));
            try {
                writeFileSync(join(outside, 'x.bin'), skinnedModel().bin());
                symlinkSync(join(outside, 'x.bin'), join(folder, 'x.bin'));
                await expectRefused(
                    skinnedModel().toGltf('x.bin'),
                    '/buffers/0/uri',
                    /"x.bin" is refused: a symbolic link/,
                );
            } finally {
                rmSync(outside, { recursive: true });
            }
        },
    );
});

describe('an input that is no file', () => {
    test('a dash: exit 2', async () => {
        const { code, stderr } = await bake('-');
        expect(stderr).toMatch(/^poselane: standard input [^\n]+\n$/);
        expect(code).toBe(2);
    });

    test('a folder without models: exit 3', async () => {
        const { code, stderr } = await bake(folder);
        expect(stderr).toBe(`poselane: ${folder}: no .glb, .gltf or .vrm file is in this folder, or in one below it\n`);
        expect(code).toBe(3);
    });
});

interface Child {
    status: number | null;
    stderr: string;
    left: string[];
}

/** The built command under a shell, in `folder`; `$bake` is `poselane bake character.glb --fps 60`. */
function shell(script: string, out = 'out'): Child {
    copyFileSync(CHARACTER, join(folder, 'character.glb'));
    const bake = `'${process.execPath}' '${MAIN}' bake character.glb --fps 60`;
    const { status, stderr } = runProgram('sh', ['-c', script.replaceAll('$bake', bake)], { cwd: folder });
    return { status, stderr, left: readdirSync(join(folder, out)).sort() };
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
        const secret = join(folder, 'secret.glb');
        writeFileSync(secret, skinnedModel().toGlb(), { mode: 0o000 });
        const { code, stderr } = await bakeWithoutRights(secret);
        expect({ code, stderr }).toEqual({
            code: 3,
            stderr: `poselane: ${secret}: cannot read the file: EACCES: permission denied; check who may read it\n`,
        });
    });

    test.each(['out', 'out/below'])('an output folder without permission to write to %s: exit 1', async (out) => {
        const input = join(folder, 'model.glb');
        writeFileSync(input, skinnedModel().toGlb());
        chmodSync(input, 0o444);
        chmodSync(join(folder, 'out'), 0o555);
        const { code, stderr } = await bakeWithoutRights(input, out);
        expect(stderr).toMatch(/^poselane: EACCES: [^\n]+; check who may write there\n$/);
        expect(stderr).toContain(join(folder, 'out'));
        expect({ code, left: readdirSync(join(folder, 'out')) }).toEqual({ code: 1, left: [] });
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
        const pipe = join(folder, 'pipe');
        shell('mkfifo pipe');
        await bake(CHARACTER, 'made');
        const refused: [file: string, ...args: string[]][] = [
            [pipe, 'bake', pipe, '-o', join(folder, 'out')],
            ['/dev/zero', 'bake', '/dev/zero', '-o', join(folder, 'out')],
            [pipe, 'inspect', pipe],
            [pipe, 'verify', CHARACTER, pipe],
            [pipe, 'verify', pipe, join(folder, 'made/character.bake.json')],
            [pipe, 'diff', pipe, pipe],
        ];
        for (const [file, ...args] of refused) {
            const { code, stderr } = await command(...args);
            const said = `poselane: ${file}: cannot read the file: it is a pipe or a device, not a file\n`;
            expect({ args, code, stderr }).toEqual({ args, code: 3, stderr: said });
        }
        expect(readdirSync(join(folder, 'out'))).toEqual([]);
    });

    test('a write that fails takes the folders away again that were made for it, and no others', () => {
        const failing = (out: string, jobs: string) => {
            copyFileSync(CHARACTER, join(folder, 'other.glb'));
            return shell(`ulimit -f 8; $bake other.glb -j ${jobs} -o ${out}`, '.');
        };
        for (const jobs of ['1', '2']) {
            expect(failing('new/below/deep', jobs)).toMatchObject({ status: 5 });
            expect(readdirSync(folder)).not.toContain('new');
        }
        mkdirSync(join(folder, 'mine/empty'), { recursive: true });
        expect(failing('mine/below', '1')).toMatchObject({ status: 5 });
        expect(readdirSync(join(folder, 'mine'))).toEqual(['empty']);
        expect(failing('mine/empty', '1')).toMatchObject({ status: 5 });
        expect(readdirSync(join(folder, 'mine'))).toEqual(['empty']);
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
        expect(JSON.parse(readFileSync(join(folder, 'out/report'), 'utf8'))).toMatchObject({ baked: 1 });
    });

    test('--report by a link: the file is replaced, and not the link', () => {
        symlinkSync('real.json', join(folder, 'link.json'));
        writeFileSync(join(folder, 'real.json'), '');
        expect(shell('$bake -o out --report link.json')).toMatchObject({ status: 0, stderr: '' });
        expect(readlinkSync(join(folder, 'link.json'))).toBe('real.json');
        expect(JSON.parse(readFileSync(join(folder, 'real.json'), 'utf8'))).toMatchObject({ baked: 1 });
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
        const left = temporaryPath(folder).replace(`-${process.pid}-`, `-${runNode(['--version']).pid}-`);
        writeFileSync(left, '');
        expect(shell('$bake -o out --report report.json')).toMatchObject({ status: 0, stderr: '' });
        expect(existsSync(left)).toBe(false);
    });
});
