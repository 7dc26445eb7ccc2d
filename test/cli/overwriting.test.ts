// SPDX-License-Identifier: MIT

/** No run writes over what any of its inputs is, or refers to, whatever name that is reached by. */

import {
    linkSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { run } from '../../lib/cli/main';
import { smallGltf } from './small-gltf';

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-overwriting-'));
    for (const name of ['in', 'out']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

/** A glTF; with `buffer` its data lies in a file of that name, and `image` is the URI of one. */
function gltf(path: string, { buffer = '', image = '', skins = 1 } = {}): void {
    const json = JSON.parse(smallGltf({ skins }));
    if (buffer !== '') {
        const bytes = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
        writeFileSync(join(dirname(at(path)), decodeURIComponent(buffer)), bytes);
        json.buffers[0].uri = buffer;
    }
    if (image !== '') {
        writeFileSync(join(dirname(at(path)), image), 'image');
        json.images = [{ uri: image }];
    }
    writeFileSync(at(path), JSON.stringify(json));
}

async function poselane(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const outcome = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (outcome[name] += text) });
    const code = await run(argv, { stdout: stream('stdout'), stderr: stream('stderr') });
    return { code, stdout: outcome.stdout, stderr: outcome.stderr.replaceAll(`${folder}/`, '') };
}

/** Every file, with what is in it. */
function contents(): Record<string, string> {
    const files = ['in', 'out']
        .flatMap((name) => (readdirSync(at(name), { recursive: true }) as string[]).map((file) => `${name}/${file}`))
        .filter((file) => statSync(at(file), { throwIfNoEntry: false })?.isFile());
    return Object.fromEntries(files.map((file) => [file, readFileSync(at(file), 'latin1')]));
}

interface Case {
    readonly what: string;
    make(): void;
    readonly inputs: readonly string[];
    readonly options?: readonly string[];
    readonly out?: string;
    readonly message: string;
}

const CHOOSE = 'choose another folder by --out';
const CASES: readonly Case[] = [
    {
        what: 'an input has the name of a GLB',
        make: () => {
            gltf('in/a.gltf');
            gltf('in/a.resampled.glb');
        },
        inputs: ['in/a.gltf', 'in/a.resampled.glb'],
        options: ['--emit', 'glb'],
        message: `baking 'in/a.gltf' would overwrite the input 'in/a.resampled.glb': ${CHOOSE}`,
    },
    {
        what: 'a pattern finds it',
        make: () => {
            gltf('in/a.gltf');
            gltf('in/a.resampled.glb');
        },
        inputs: ['in/*'],
        options: ['--emit', 'palette,glb', '--shard', '1/2'],
        message: `baking 'in/a.gltf' would overwrite the input 'in/a.resampled.glb': ${CHOOSE}`,
    },
    {
        what: 'an input has the name of a bake in one file',
        make: () => {
            gltf('in/a.gltf', { skins: 2 });
            gltf('in/a.skin1.bake.glb');
        },
        inputs: ['in/a.gltf', 'in/a.skin1.bake.glb'],
        options: ['--container', 'glb'],
        message: `baking 'in/a.gltf' would overwrite the input 'in/a.skin1.bake.glb': ${CHOOSE}`,
    },
    {
        what: 'it is not there yet',
        make: () => gltf('in/a.gltf'),
        inputs: ['in/a.gltf', 'in/a.resampled.glb'],
        options: ['--emit', 'glb'],
        message: `baking 'in/a.gltf' would overwrite the input 'in/a.resampled.glb': ${CHOOSE}`,
    },
    {
        what: 'a buffer has the name of a vertex animation texture',
        make: () => gltf('in/a.gltf', { buffer: 'a.baked.vat' }),
        inputs: ['in/a.gltf'],
        options: ['--emit', 'pvat'],
        message: `baking 'in/a.gltf' would overwrite 'in/a.baked.vat', which the input 'in/a.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'its own buffer has the name of a bin',
        make: () => gltf('in/a.gltf', { buffer: 'a.bake.bin' }),
        inputs: ['in/a.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/a.bake.bin', which the input 'in/a.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: "another input's buffer has, percent-encoded",
        make: () => {
            gltf('in/knight.gltf');
            gltf('in/knight.bake.gltf', { buffer: 'knight%2Ebake.bin' });
        },
        inputs: ['in/knight.gltf', 'in/knight.bake.gltf'],
        message: `baking 'in/knight.gltf' would overwrite 'in/knight.bake.bin', which the input 'in/knight.bake.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'that input is for another shard',
        make: () => {
            gltf('in/knight.gltf');
            gltf('in/knight.bake.gltf', { buffer: 'knight.bake.bin' });
        },
        inputs: ['in/knight.gltf', 'in/knight.bake.gltf'],
        options: ['--shard', '1/2'],
        message: `baking 'in/knight.gltf' would overwrite 'in/knight.bake.bin', which the input 'in/knight.bake.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'an image has the name of a manifest',
        make: () => gltf('in/a.gltf', { image: 'a.bake.json' }),
        inputs: ['in/a.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/a.bake.json', which the input 'in/a.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'a buffer has the name of the bin of a skin',
        make: () => {
            gltf('in/a.gltf', { skins: 2 });
            gltf('in/b.gltf', { buffer: 'a.skin1.bake.bin' });
        },
        inputs: ['in/a.gltf', 'in/b.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/a.skin1.bake.bin', which the input 'in/b.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'in another case, which not every file system tells apart',
        make: () => {
            gltf('in/a.gltf');
            gltf('in/b.gltf', { buffer: 'A.Bake.BIN' });
        },
        inputs: ['in/a.gltf', 'in/b.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/A.Bake.BIN', which the input 'in/b.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'a buffer is a symbolic link to a bin',
        make: () => {
            gltf('in/a.gltf', { buffer: 'data.bin' });
            renameSync(at('in/data.bin'), at('in/a.bake.bin'));
            symlinkSync('a.bake.bin', at('in/data.bin'));
        },
        inputs: ['in/a.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/data.bin', which the input 'in/a.gltf' refers to (the same file as 'in/a.bake.bin'): ${CHOOSE}`,
    },
    {
        what: 'a bin is a symbolic link to a buffer',
        make: () => {
            gltf('in/a.gltf', { buffer: 'data.bin' });
            symlinkSync('../in/data.bin', at('out/a.bake.bin'));
        },
        inputs: ['in/a.gltf'],
        out: 'out',
        message: `baking 'in/a.gltf' would overwrite 'in/data.bin', which the input 'in/a.gltf' refers to (the same file as 'out/a.bake.bin'): ${CHOOSE}`,
    },
    {
        what: 'a bin is a hard link to a buffer',
        make: () => {
            gltf('in/a.gltf', { buffer: 'data.bin' });
            linkSync(at('in/data.bin'), at('out/a.bake.bin'));
        },
        inputs: ['in/a.gltf'],
        out: 'out',
        message: `baking 'in/a.gltf' would overwrite 'in/data.bin', which the input 'in/a.gltf' refers to (the same file as 'out/a.bake.bin'): ${CHOOSE}`,
    },
    {
        what: 'a manifest is a hard link to another input',
        make: () => {
            gltf('in/a.gltf');
            gltf('in/b.gltf');
            linkSync(at('in/b.gltf'), at('out/a.bake.json'));
        },
        inputs: ['in/b.gltf', 'in/a.gltf'],
        out: 'out',
        message: `baking 'in/a.gltf' would overwrite the input 'in/b.gltf' (the same file as 'out/a.bake.json'): ${CHOOSE}`,
    },
    {
        what: 'the folder is reached by a link',
        make: () => {
            gltf('in/a.gltf', { buffer: 'a.bake.bin' });
            symlinkSync('in', at('linked'));
        },
        inputs: ['in/a.gltf'],
        out: 'linked',
        message: `baking 'in/a.gltf' would overwrite 'in/a.bake.bin', which the input 'in/a.gltf' refers to (the same file as 'linked/a.bake.bin'): ${CHOOSE}`,
    },
    {
        what: 'it is not there yet, and the folder is reached by a link',
        make: () => {
            gltf('in/a.gltf');
            symlinkSync('in', at('linked'));
        },
        inputs: ['in/a.gltf', 'in/a.resampled.glb'],
        options: ['--emit', 'glb'],
        out: 'linked',
        message: `baking 'in/a.gltf' would overwrite the input 'in/a.resampled.glb' (the same file as 'linked/a.resampled.glb'): ${CHOOSE}`,
    },
    {
        what: 'the buffer of another input is not there yet',
        make: () => {
            gltf('in/a.gltf');
            gltf('in/z.gltf', { buffer: 'a.bake.bin' });
            rmSync(at('in/a.bake.bin'));
        },
        inputs: ['in/a.gltf', 'in/z.gltf'],
        message: `baking 'in/a.gltf' would overwrite 'in/a.bake.bin', which the input 'in/z.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'a buffer is the bin of an input in another folder, with --keep-tree',
        make: () => {
            mkdirSync(at('in/b'));
            gltf('in/a.gltf', { buffer: 'b/a.bake.bin' });
            gltf('in/b/a.gltf');
        },
        inputs: ['in'],
        options: ['--keep-tree'],
        message: `baking 'in/b/a.gltf' would overwrite 'in/b/a.bake.bin', which the input 'in/a.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'it is not there yet',
        make: () => {
            mkdirSync(at('in/b'));
            gltf('in/a.gltf', { buffer: 'b/a.bake.bin' });
            gltf('in/b/a.gltf');
            rmSync(at('in/b/a.bake.bin'));
        },
        inputs: ['in'],
        options: ['--keep-tree'],
        message: `baking 'in/b/a.gltf' would overwrite 'in/b/a.bake.bin', which the input 'in/a.gltf' refers to: ${CHOOSE}`,
    },
    {
        what: 'the report is a buffer that is not there yet',
        make: () => {
            gltf('in/a.gltf', { buffer: 'data.bin' });
            rmSync(at('in/data.bin'));
            symlinkSync('in', at('linked'));
        },
        inputs: ['in/a.gltf'],
        out: 'out',
        options: ['--report', 'linked/data.bin'],
        message: "--report: 'linked/data.bin' is a file that the input 'in/a.gltf' refers to",
    },
    {
        what: 'the report is a buffer',
        make: () => gltf('in/a.gltf', { buffer: 'data.bin' }),
        inputs: ['in/a.gltf'],
        out: 'out',
        options: ['--report', 'in/data.bin'],
        message: "--report: 'in/data.bin' is a file that the input 'in/a.gltf' refers to",
    },
    {
        what: 'the report is a link to an input',
        make: () => {
            gltf('in/a.gltf');
            symlinkSync('../in/a.gltf', at('out/report.json'));
        },
        inputs: ['in/a.gltf'],
        out: 'out',
        options: ['--report', 'out/report.json'],
        message: "--report: 'out/report.json' is the input 'in/a.gltf'",
    },
];

describe.each(CASES)('$what', ({ make, inputs, options = [], out = 'in', message }) => {
    test.each([[['-j', '1']], [['-j', '2']], [['-j', '8', '--quiet']], [['--dry-run']]])(
        '%p: exit 2, and nothing is touched',
        async (how) => {
            make();
            const before = contents();
            const paths = options.map((option, i) => (options[i - 1] === '--report' ? at(option) : option));
            const argv = ['bake', ...inputs.map(at), '-o', at(out), ...paths, ...how];
            expect(await poselane(...argv)).toEqual({ code: 2, stdout: '', stderr: `poselane: ${message}\n` });
            expect(contents()).toEqual(before);
        },
    );
});

describe('what is no input may be overwritten:', () => {
    const bake = async (...argv: string[]) => {
        expect(await poselane('bake', '-j', '1', ...argv)).toMatchObject({ code: 0, stderr: '' });
    };

    test('an earlier bake in the same folder, also of an input with a buffer', async () => {
        gltf('in/a.gltf', { buffer: 'data.bin' });
        for (let i = 0; i < 2; i++) await bake(at('in/a.gltf'), '-o', at('in'), '--emit', 'palette,glb');
        await bake(at('in/a.resampled.glb'), at('in/a.gltf'), '-o', at('in'));
        expect(readdirSync(at('in')).sort()).toEqual([
            'a.bake.bin',
            'a.bake.json',
            'a.gltf',
            'a.resampled.bake.bin',
            'a.resampled.bake.json',
            'a.resampled.glb',
            'data.bin',
        ]);
    });

    test('what a bake in the other container would be called', async () => {
        gltf('in/a.gltf', { buffer: 'a.bake.bin' });
        await bake(at('in/a.gltf'), '-o', at('in'), '--container', 'glb');
        gltf('in/b.gltf');
        gltf('in/b.bake.glb');
        await bake(at('in/b.gltf'), at('in/b.bake.glb'), '-o', at('in'));
        expect(readdirSync(at('in')).sort()).toEqual(
            'a.bake.bin a.bake.glb a.gltf b.bake.bake.bin b.bake.bake.json b.bake.bin b.bake.glb b.bake.json b.gltf'.split(
                ' ',
            ),
        );
    });

    test('a buffer of a file that is not baked', async () => {
        gltf('in/a.gltf');
        gltf('in/b.gltf', { buffer: 'a.bake.bin' });
        await bake(at('in/a.gltf'), '-o', at('in'));
    });
});

describe('writeBake', () => {
    test('overwrites nothing that the bake was read from', async () => {
        gltf('in/a.gltf', { buffer: 'a.bake.bin', image: 'image.png' });
        const before = contents();
        const bake = await bakeFile(at('in/a.gltf'));
        expect(bake.inputs).toEqual(['a.gltf', 'a.bake.bin', 'image.png'].map((name) => at(`in/${name}`)));
        await expect(writeBake(bake, at('in'))).rejects.toMatchObject({
            name: 'UsageError',
            message: `writeBake: '${at('in/a.bake.bin')}' is a file that was baked, '${at('in/a.bake.bin')}': write into another folder`,
        });
        expect(contents()).toEqual(before);
        await writeBake(bake, at('out'));
        expect(readdirSync(at('out')).sort()).toEqual(['a.bake.bin', 'a.bake.json']);
    });

    test('refuses inputs that are no list of paths', async () => {
        const message = 'writeBake: bake must be what bakeFile gives, got inputs that are no list of paths';
        for (const inputs of ['a', [7], null]) {
            const written = writeBake({ outputs: [], inputs } as never, at('out'));
            await expect(written).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE', message });
        }
    });
});
