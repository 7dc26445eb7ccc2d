// SPDX-License-Identifier: MIT

/** A plain nginx with WebDAV as a cache of bakes: the configuration of docs/pipeline.md, and Debian's binary. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { runProgram, startProgram } from './processes';

export const hasNginx = runProgram('sh', ['-c', 'command -v nginx']).status === 0;
const GUIDE = readFileSync(join(__dirname, '../../docs/pipeline.md'), 'utf8');

export async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/**
 * Starts it with the guide's configuration; its token is `secret`.
 *
 * @param folder Its subfolder `www/` has the cache.
 * @param more Further directives.
 * @returns Ends it.
 */
export async function startNginx(folder: string, port: number, more = ''): Promise<() => Promise<void>> {
    for (const name of ['www', 'temp']) mkdirSync(join(folder, name), { mode: 0o777, recursive: true });
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
    const nginx = startProgram('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
        stdio: 'ignore',
    });
    for (let i = 0; ; i++) {
        const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
        if (answer !== null) break;
        if (i === 100) throw new Error('nginx does not start');
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return async () => {
        if (nginx.exitCode !== null) return;
        const ended = new Promise((resolve) => nginx.once('exit', resolve));
        nginx.kill();
        await ended;
    };
}
