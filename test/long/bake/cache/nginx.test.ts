// SPDX-License-Identifier: MIT

/** A plain nginx with WebDAV is a cache: the configuration of docs/baking.md, and Debian's binary. */

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BakeResult, bakeFile } from '../../../../lib/bake';
import { openCache } from '../../../../lib/bake/cache/cache';
import { pruneFolder } from '../../../../lib/bake/cache/folder';
import { CHARACTER } from '../../../support/models';
import { runProgram, startProgram } from '../../../support/processes';

const installed = runProgram('sh', ['-c', 'command -v nginx']).status === 0;
const GUIDE = readFileSync(join(__dirname, '../../../../docs/baking.md'), 'utf8');

let folder: string;
let nginx: ChildProcess;
let port: number;

async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/** Starts it with the guide's configuration, in this folder and at a port of its own. */
async function start(more = ''): Promise<void> {
    const [, server] = /```nginx\n(server \{[\s\S]*?\n\})\n```/.exec(GUIDE)!;
    const own = server!
        .replace(/listen [^;]*;/, `listen 127.0.0.1:${port};\n${more}`)
        .replace(/ssl_certificate[^;]*;/g, '')
        .replace(/root [^;]*;/, `root ${folder}/www;`)
        .replace(/client_body_temp_path [^;]*;/, `client_body_temp_path ${folder}/temp;`);
    const paths = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`).join('\n');
    // As root it would read with fewer rights than it writes.
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const text = `${user} daemon off; pid ${folder}/pid; error_log stderr;
        events {} http { access_log off; ${paths}\n${own} }`;
    writeFileSync(join(folder, 'nginx.conf'), text);
    nginx = startProgram('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
        stdio: 'ignore',
    });
    for (let i = 0; ; i++) {
        const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
        if (answer !== null) return;
        if (i === 100) throw new Error('nginx does not start');
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

async function stop(): Promise<void> {
    if (nginx.exitCode !== null) return;
    const ended = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill();
    await ended;
}

const cacheAt = (token = 'secret') => openCache(`http://127.0.0.1:${port}`, { token, timeout: 1000 });
const bytesOf = ({ outputs }: BakeResult) => outputs.map(({ json, bin }) => [json, Buffer.from(bin)]);

(installed ? describe : describe.skip)(`nginx${installed ? '' : ' (skipped: needs nginx)'}`, () => {
    beforeEach(async () => {
        folder = mkdtempSync(join(tmpdir(), 'poselane-nginx-'));
        for (const name of ['www', 'temp']) mkdirSync(join(folder, name), { mode: 0o777 });
        port = await freePort();
    });
    afterEach(async () => {
        await stop();
        rmSync(folder, { recursive: true, force: true });
    });

    test('keeps bakes, and gives them back byte for byte', async () => {
        await start();
        const first = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        const second = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        expect([first.cache, second.cache]).toEqual([
            { hit: false, warnings: [] },
            { hit: true, warnings: [] },
        ]);
        expect(bytesOf(second)).toEqual(bytesOf(first));
        expect(readdirSync(join(folder, 'www')).sort()).toEqual(['ac', 'cas']);
    });

    test('refuses those without the token: one warning', async () => {
        await start();
        const { cache } = await bakeFile(CHARACTER.path, {}, { cache: cacheAt('wrong') });
        expect(cache).toEqual({ hit: false, warnings: [expect.stringMatching(/left out now: it answers 401/)] });
    });

    test('that is slow, and one that is killed, cost a bounded wait', async () => {
        await start();
        await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        await stop();
        await start('limit_rate 100;');
        const started = performance.now();
        const slow = await bakeFile(CHARACTER.path, {}, { cache: cacheAt() });
        expect(slow.cache).toEqual({ hit: false, warnings: [expect.stringMatching(/left out now: no answer within/)] });
        const cache = cacheAt();
        await stop();
        const killed = await bakeFile(CHARACTER.path, {}, { cache });
        expect(killed.cache!.warnings).toHaveLength(1);
        expect(performance.now() - started).toBeLessThan(30_000);
    });
});

test('a folder of 100,000 entries answers as fast as an empty one, and is pruned', async () => {
    const place = mkdtempSync(join(tmpdir(), 'poselane-entries-'));
    try {
        for (let shard = 0; shard < 256; shard++) {
            const digits = shard.toString(16).padStart(2, '0');
            mkdirSync(join(place, 'cas', digits), { recursive: true });
            for (let i = 0; i < 391; i++) {
                writeFileSync(join(place, 'cas', digits, digits + i.toString(16).padStart(62, '0')), 'x');
            }
        }
        const cache = openCache(place);
        await bakeFile(CHARACTER.path, {}, { cache });
        const { cache: outcome } = await bakeFile(CHARACTER.path, {}, { cache });
        expect(outcome).toEqual({ hit: true, warnings: [] });
        const { kept, removed } = await pruneFolder(place, 10_000_000);
        expect([kept.files, removed.files]).toEqual([256 * 391 + 3, 0]);
        const pruned = await pruneFolder(place, kept.bytes - 50_000);
        expect(pruned.removed).toEqual({ files: 50_000, bytes: 50_000 });
        expect((await bakeFile(CHARACTER.path, {}, { cache })).cache).toEqual({ hit: true, warnings: [] });
    } finally {
        rmSync(place, { recursive: true, force: true });
    }
}, 300_000);
