// SPDX-License-Identifier: MIT

import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BakeContainer, bakeFile, writeBake } from '../../lib/bake';
import { readPage } from '../report/read-page';
import { CHARACTER } from '../support/models';
import { expectRun, filesIn, inNewFolder, poselane, printed, put } from './command-line';
import { smallBytes, smallGltf } from './small-gltf';

const input = 'small.gltf';
inNewFolder();
beforeEach(() => put(input, smallGltf()));

/** Runs `view` until `visit` has finished with the printed address. */
async function whileServed(argv: string[], visit: (url: string) => Promise<void>) {
    const controller = new AbortController();
    let visited: Promise<void> | undefined;
    const outcome = await poselane(['view', ...argv], {
        signal: controller.signal,
        onText: (line) => {
            const [, url] = /^(http:\S+) /.exec(line) ?? [];
            if (url !== undefined) visited ??= visit(url).finally(() => controller.abort());
        },
    });
    await visited;
    return outcome;
}

async function fetched(
    url: string,
    options: RequestOptions = {},
): Promise<{ status: number; type: string; body: string }> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, options, resolve).on('error', reject);
    });
    let body = '';
    for await (const part of response.setEncoding('utf8')) body += part;
    return { status: response.statusCode!, type: response.headers['content-type'] ?? '', body };
}

async function baked(name: string, path = input, container: BakeContainer = 'files'): Promise<string> {
    const [written] = await writeBake(await bakeFile(path, { fps: 30 }), name, { container });
    return written!.json;
}

describe('serves a page', () => {
    test('of a model that is baked in memory, only to this machine, until it is interrupted', async () => {
        const before = filesIn();
        const { code, stdout, stderr } = await whileServed([input, '--clips', 'Run', '--fps', '10'], async (url) => {
            expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
            const { status, type, body } = await fetched(url);
            expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
            const { data, blobs } = readPage(body);
            expect(data.title).toBe('small.gltf');
            expect(blobs[data.files[0]!.blob]).toEqual(readFileSync(input));
            const manifest = JSON.parse(data.bakes[0]!.outputs[0]!.json);
            expect(manifest.recipe.fps).toEqual([10, 1]);
            expect(manifest.clips.map(({ name }: { name: string }) => name)).toEqual(['Run']);
            expect(data.bakes[0]!.outputs[0]!.errors[0]!.lerp).toHaveLength(10);
            expect((await fetched(`${url}small.gltf`)).status).toBe(404);
            expect((await fetched(url, { method: 'POST' })).status).toBe(404);
            expect(await fetched(url, { method: 'HEAD' })).toEqual({ status: 200, type, body: '' });
            // A request from a page of another site, whose name resolves to this machine.
            expect((await fetched(url, { headers: { host: 'evil.example' } })).status).toBe(404);
        });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toMatch(/^http:\S+ \(Ctrl-C ends\)\n$/);
        expect(filesIn()).toEqual(before);
    });

    test.each<BakeContainer>(['files', 'glb'])('of unchanged bakes: %s', async (container) => {
        const manifest = await baked('out');
        const bake = await baked('in', input, container);
        await whileServed([input, bake], async (url) => {
            const { data, blobs } = readPage((await fetched(url)).body);
            const [output] = data.bakes[0]!.outputs;
            expect(output!.stem).toBe('small');
            expect(output!.json).toBe(readFileSync(manifest, 'utf8'));
            expect(blobs[output!.bin]).toEqual(readFileSync('out/small.bake.bin'));
        });
    });

    test('also of another model’s bake, with a note', async () => {
        const manifest = await baked('out');
        const { code, stderr } = await whileServed([CHARACTER.path, manifest], async (url) => {
            const { data } = readPage((await fetched(url)).body);
            expect(data.sha256).not.toBe(JSON.parse(data.bakes[0]!.outputs[0]!.json).source.sha256);
        });
        expect(code).toBe(0);
        expect(stderr).toMatch(
            /^poselane: warning SOURCE_DIFFERS: \S+\.bake\.json#\/source\/sha256: .*the bake of another model.*'small\.gltf'\n$/,
        );
    });

    test('a port in use is an error in one line; a free one is used', async () => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        const stderr = new RegExp(`^poselane: --port ${port} is in use; choose another .+\n$`);
        await expectRun(['view', input, '--port', String(port)], { code: 1, stderr });
        await new Promise((resolve) => server.close(resolve));
        await whileServed([input, '--port', String(port)], async (url) => {
            expect(url).toBe(`http://127.0.0.1:${port}/`);
        });
    });
});

describe('--html', () => {
    test('writes the page, replaces an existing file, and exits', async () => {
        writeFileSync('page.html', 'old');
        const stdout = await printed('view small.gltf --html page.html');
        expect(stdout).toMatch(/small\.gltf -> \S*page\.html, [\d.]+ [KM]iB\n$/);
        const page = readFileSync('page.html', 'utf8');
        expect(readPage(page).data.rates.map(({ label }) => label)).toEqual(['24', '30', '60', 'keys', 'auto']);
        await poselane('view small.gltf --html again.html');
        expect(readFileSync('again.html', 'utf8')).toBe(page);
        expect(readdirSync('.').filter((name) => name.startsWith('.'))).toEqual([]);
    });

    test('is not written for another model’s bake: exit 4', async () => {
        const manifest = await baked('out');
        await expectRun(`view ${CHARACTER.path} ${manifest} --html page.html`, {
            code: 4,
            stdout: null,
            stderr: /^poselane: .+ this is the bake of another model.+\n$/,
        });
        expect(existsSync('page.html')).toBe(false);
    });

    test('does not overwrite its inputs', async () => {
        const manifest = await baked('out');
        put('data.bin', smallBytes());
        put('external.gltf', smallGltf({ buffer: 'data.bin' }));
        const external = await baked('other', 'external.gltf');
        const glb = await baked('one', input, 'glb');
        for (const [argv, file] of [
            [[input], input],
            [[input, glb], glb],
            [[input, manifest], manifest],
            [[input, manifest], 'out/small.bake.bin'],
            [['external.gltf', external], 'data.bin'],
        ] as const) {
            const before = readFileSync(file);
            const stderr = /^poselane: --html: '.+' would overwrite '.+', which is read\n$/;
            await expectRun(['view', ...argv, '--html', file], { code: 2, stderr });
            expect(readFileSync(file)).toEqual(before);
        }
    });
});

describe('a model with fewer keys', () => {
    const other = 'other.gltf';

    test('is shown next to its source: both files, the error over time, keys and bytes', async () => {
        writeFileSync(other, smallGltf({ up: 1.5 }));
        await whileServed([input, other, '--max-error', '2cm'], async (url) => {
            const { data, blobs } = readPage((await fetched(url)).body);
            const { files, clips, maxError, before, after, problems } = data.reduced!;
            expect([data.title, data.bakes, data.rates]).toEqual(['small.gltf beside other.gltf', [], []]);
            expect(blobs[data.files[0]!.blob]).toEqual(readFileSync(input));
            expect(blobs[files[0]!.blob]).toEqual(readFileSync(other));
            expect([maxError, problems]).toEqual([0.02, []]);
            // Both clips have the same accessors: 2 times and 6 floats.
            const keys = { keys: 4, bytes: 32, gzip: expect.any(Number) };
            expect([before, after]).toEqual([keys, keys]);
            expect(clips.map(({ name, error, time, ok }) => [name, error, time, ok])).toEqual([
                ['Walk', 0.5, 1, false],
                ['Run', 0.5, 1, false],
            ]);
            for (const clip of clips) {
                expect(clip.before).toEqual({ ...keys, keys: 2 });
                expect(clip.times).toHaveLength(200);
                for (const [i, time] of clip.times.entries()) expect(clip.errors[i]).toBeCloseTo(time / 2, 6);
            }
        });
    });

    test('--html writes the page, and warns of other differences', async () => {
        writeFileSync(other, smallGltf().replace('knee', 'elbow'));
        await expectRun('view small.gltf other.gltf --html page.html', {
            code: 0,
            stdout: /small\.gltf -> \S*page\.html, [\d.]+ [KM]iB\n$/,
            stderr: /^poselane: warning FILE_DIFFERS: \S*other\.gltf#\/nodes\/1\/name: is "elbow".+\n$/,
        });
        expect(readPage(readFileSync('page.html', 'utf8')).data.reduced!.problems).toHaveLength(1);
    });

    test.each<[Parameters<typeof smallGltf>[0], string, number, RegExp]>([
        [{ skins: 2 }, '--html page.html', 4, /other\.gltf: not small\.gltf with fewer keys: \/skins there are 2/],
        [{}, '--fps 60 --html page.html', 2, /--fps has no effect: nothing is baked; leave it out/],
        [{}, '--html other.gltf', 2, /would overwrite '.*other\.gltf', which is read/],
        [{}, '--max-error 1inch --html page.html', 2, /--max-error is '1inch'; it must be a number .* 0\.5mm/],
    ])('rejects %p %s', async (model, options, code, stderr) => {
        put(other, smallGltf(model));
        await expectRun(`view small.gltf other.gltf ${options}`, { code, stderr });
        expect(existsSync('page.html')).toBe(false);
        expect(readFileSync(other, 'utf8')).toBe(smallGltf(model));
    });

    test('a model without animations has nothing to show', async () => {
        writeFileSync(input, smallGltf({ clips: [] }));
        const stderr = 'poselane: small.gltf: it has no animation\n';
        await expectRun('view small.gltf small.gltf', { code: 4, stderr });
    });
});

// Existing bakes: the model's, twice, and one whose bin is another file.
test.each<[string, number, RegExp]>([
    ['gone.glb', 3, /gone\.glb: cannot read the file: ENOENT/],
    ['small.gltf gone.bake.json', 3, /gone\.bake\.json: cannot read the file: ENOENT/],
    ['', 2, /^poselane: model: the name of the file is empty/],
    ['small.gltf --port x', 2, /--port/],
    ['small.gltf --port 65536', 2, /--port is 65536; it must be from 0 to 65535/],
    ['small.gltf --port 8080 --html a.html', 2, /--port has no effect with --html/],
    ['small.gltf --html .', 2, /--html: '.+' is a folder: name a file/],
    ['small.gltf out/small.bake.json --fps 60', 2, /--fps has no effect: the bakes have been made/],
    ['small.gltf --emit glb', 2, /--emit: a page shows arrays, and 'glb' has none/],
    ['small.gltf --clips Fly', 2, /no clip 'Fly'/],
    ['small.gltf out/small.bake.json again/small.bake.json', 2, /bakes: '.*out.+' and '.*again.+' are both of skin 0/],
    ['small.gltf torn/small.bake.json', 3, /#\/binary: the bin is not the one that the manifest describes/],
])('rejects %s', async (argv, code, message) => {
    for (const name of ['out', 'again', 'torn']) await baked(name);
    copyFileSync(input, 'torn/small.bake.bin');
    const { stderr } = await expectRun(`view ${argv}`, { code, stderr: message });
    expect(stderr).toMatch(/^poselane: .+\n$/);
    expect(existsSync('a.html')).toBe(false);
});

describe('diff --html', () => {
    test('a page of both, with or without the model; the exit code is that of the comparison', async () => {
        const a = await baked('a');
        const b = 'b/small.bake.json';
        await writeBake(await bakeFile(input, { fps: 60 }), 'b');
        const plain = await poselane(`diff ${a} ${b} --html plain.html`);
        expect(plain.code).toBe(4);
        expect(plain.stdout).toContain('plain.html: a page of both\n');
        const { data } = readPage(readFileSync('plain.html', 'utf8'));
        expect(data.title).toBe(`${a} and ${b}`); // both have the same name
        expect(data.bakes.map(({ label }) => label)).toEqual([a, b]);
        expect([data.files, data.rates, data.bakes[1]!.outputs[0]!.errors]).toEqual([[], [], []]);
        const equal = await poselane(`diff ${a} ${a} --html with.html --model small.gltf`);
        expect(equal.code).toBe(0);
        const page = readPage(readFileSync('with.html', 'utf8')).data;
        expect(page.files.map(({ uri }) => uri)).toEqual(['small.gltf']);
        for (const { outputs } of page.bakes) expect(outputs[0]!.errors[0]!.lerp).toHaveLength(30);
        expect(page.rates).toEqual([]);
    });

    test('--json prints only the result', async () => {
        const a = await baked('a');
        const stdout = await printed(`diff ${a} ${a} --json --html page.html`);
        expect(JSON.parse(stdout).equal).toBe(true);
        expect(existsSync('page.html')).toBe(true);
    });

    test('rejects a model of neither, a model without a page, and overwriting', async () => {
        const a = await baked('a');
        const stderr = /^poselane: --model: neither .+\n$/;
        await expectRun(`diff ${a} ${a} --html page.html --model ${CHARACTER.path}`, { code: 4, stderr });
        expect(existsSync('page.html')).toBe(false);
        const before = readFileSync(input);
        for (const options of ['--model small.gltf', '--html small.gltf --model small.gltf', `--html ${a}`]) {
            await expectRun(`diff ${a} ${a} ${options}`, { code: 2, stderr: null });
        }
        expect(readFileSync(input)).toEqual(before);
    });
});
