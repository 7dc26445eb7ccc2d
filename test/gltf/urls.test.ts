// SPDX-License-Identifier: MIT
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bakeFile } from '../../lib/bake';
import { smallGltf } from '../cli/small-gltf';
import { scratchFolder } from '../support/temporary-folder';

const [TEXT, BYTES] = (() => {
    const gltf = JSON.parse(smallGltf());
    const bytes = Buffer.from(gltf.buffers[0].uri.split(',')[1], 'base64');
    gltf.buffers[0].uri = 'parts/a%20b.bin';
    return [JSON.stringify(gltf), bytes];
})();

let server: Server;
let origin: string;
const folder = scratchFolder();
let hanging = () => {};
beforeAll(async () => {
    writeFileSync(join(folder(), 'my hero.gltf'), smallGltf());
    const files: Record<string, string | Buffer> = {
        '/models/my%20hero.gltf?key=secret': TEXT,
        '/models/parts/a%20b.bin': BYTES,
        '/whole.gltf': smallGltf(),
        '/lone.gltf': TEXT.replace('a%20b', '\\ud800'),
        '/clips.gltf': smallGltf({ clips: ['Jump'] }),
    };
    const moved: Record<string, string> = { '/moved/my%20hero.gltf': '/whole.gltf', '/round': '/round' };
    server = createServer(({ url = '' }, response) => {
        if (url in files) response.end(files[url]);
        else if (url in moved) response.writeHead(302, { location: moved[url] }).end();
        else if (url === '/hangs.glb') {
            response.write('glTF');
            hanging();
        } else if (url === '/broken.gltf') {
            response.writeHead(200, { 'content-length': 1000 }).write('{');
            setImmediate(() => response.destroy());
        } else response.writeHead(404).end('nothing');
    }).listen(0, '127.0.0.1');
    await new Promise((go) => server.once('listening', go));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
    server.closeAllConnections();
    server.close();
});

test('a file on a server, with the files it refers to, has the bytes and the name of the local file', async () => {
    const bytes = await bakeFile({ bytes: Buffer.from(TEXT), name: 'my hero.gltf', resolve: async () => BYTES });
    for (const input of [
        `${origin}/models/my%20hero.gltf?key=secret`,
        new URL(`${origin}/models/my%20hero.gltf?key=secret`),
    ]) {
        const { outputs, inputs } = await bakeFile(input);
        expect(outputs).toEqual(bytes.outputs);
        expect(inputs).toEqual([]);
    }
});

test('a redirected file keeps its requested name', async () => {
    const { outputs } = await bakeFile(`${origin}/moved/my%20hero.gltf`);
    expect(outputs).toEqual((await bakeFile(join(folder(), 'my hero.gltf'))).outputs);
});

test('a file: URL is a path, and thus a file that is not overwritten', async () => {
    const url = pathToFileURL(join(folder(), 'my hero.gltf'));
    const fromPath = await bakeFile(join(folder(), 'my hero.gltf'));
    for (const input of [url, url.href]) {
        const { outputs, inputs } = await bakeFile(input);
        expect({ outputs, inputs }).toEqual({ outputs: fromPath.outputs, inputs: fromPath.inputs });
    }
});

test('clips can be URLs, too', async () => {
    const { outputs } = await bakeFile(join(folder(), 'my hero.gltf'), { animations: [`${origin}/clips.gltf`] });
    expect(outputs[0]!.manifest.clips.map(({ name }) => name)).toEqual(['Walk', 'Run', 'Jump']);
});

test.each([
    ['/nothing.glb', /\/nothing\.glb: cannot read the file: the server answers 404 Not Found$/],
    ['/lone.gltf', /URI malformed/],
    ['/round', /\/round: cannot read the file: the server redirects more than 10 times$/],
    ['/broken.gltf', /\/broken\.gltf: cannot read the file: /],
    ['/secret/my%20hero.gltf?key=secret', /^http:\/\/127\.0\.0\.1:\d+\/secret\/my hero\.gltf: [^?]+$/],
])('%s: InputError FILE_UNREADABLE, without the query, which can be secret', async (path, message) => {
    const error = await bakeFile(`${origin}${path}`).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'InputError', code: 'FILE_UNREADABLE' });
    expect(error.message).toMatch(message);
});

test('https: does not redirect to http:, and no redirect leads to a file of this machine', async () => {
    const asked: string[] = [];
    const redirected = jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
        asked.push(String(url));
        const locations = ['http://example.com/b.glb', pathToFileURL(folder()).href, 'https://me:pass@example.com/'];
        const location = locations[asked.length - 1]!;
        return new Response(null, { status: 302, headers: { location } });
    });
    try {
        await expect(bakeFile('https://example.com/a.glb')).rejects.toThrow(
            'from https: to http:, which is not followed',
        );
        await expect(bakeFile('http://example.com/c.glb')).rejects.toThrow(
            'from http: to file:, which is not followed',
        );
        const error = await bakeFile('https://example.com/d.glb').catch((thrown) => thrown);
        expect(error).toMatchObject({ code: 'FILE_UNREADABLE', message: expect.not.stringContaining('pass') });
        expect(error.message).toMatch(/redirects to a URL with a user's name in it, which is not followed$/);
        expect(asked).toEqual(['https://example.com/a.glb', 'http://example.com/c.glb', 'https://example.com/d.glb']);
    } finally {
        redirected.mockRestore();
    }
});

test('UsageError for a URL of another kind, or with a password, which no message shows', async () => {
    const refused: [string | URL, RegExp][] = [
        [new URL('ftp://example.com/a.glb'), /'ftp:' URLs are not read/],
        ['https://me:pass@example.com/a.glb', /^the URL of example\.com has a user's name in it/],
        ['http://', /is not a URL: /],
        [
            'https://me:pass@example.com:port/a.glb?key=pass',
            /^a text that begins with 'https:' is not a URL: 'https:\/\/' and a host or path must follow$/,
        ],
    ];
    for (const [url, message] of refused) {
        const error = await bakeFile(url).catch((thrown) => thrown);
        expect(error).toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) });
    }
});

test('the signal ends reading with its reason, for a server without an answer and for a file', async () => {
    const controller = new AbortController();
    hanging = () => controller.abort(new Error('enough'));
    await expect(bakeFile(`${origin}/hangs.glb`, {}, { signal: controller.signal })).rejects.toThrow('enough');
    const late = new AbortController();
    const reading = bakeFile(join(folder(), 'my hero.gltf'), {}, { signal: late.signal });
    late.abort(new Error('late'));
    await expect(reading).rejects.toThrow('late');
});
