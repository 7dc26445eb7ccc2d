// SPDX-License-Identifier: MIT

/** The examples' server, on this machine only: files, scripts with all that they import, and what a page asks for besides. */

import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import { build } from 'esbuild';

const TYPES = {
    '.css': 'text/css',
    '.html': 'text/html; charset=utf-8',
    '.json': 'application/json',
    '.mjs': 'text/javascript; charset=utf-8',
};

/**
 * @param files Each path that is served, with its file. An `.mjs` is bundled when it is first asked for.
 * @param routes Paths with functions of request and response.
 */
export function serve({ port, files, routes = {} }) {
    const bundles = new Map();
    async function contentsOf(file) {
        if (!file.endsWith('.mjs')) return fs.readFileSync(file);
        const options = { bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'error' };
        if (!bundles.has(file)) bundles.set(file, build({ ...options, entryPoints: [file] }));
        const { outputFiles } = await bundles.get(file);
        return outputFiles[0].contents;
    }
    const server = http.createServer(async (request, response) => {
        const [pathname] = request.url.split('?');
        if (Object.hasOwn(routes, pathname)) {
            routes[pathname](request, response);
        } else if (Object.hasOwn(files, pathname) && fs.existsSync(files[pathname])) {
            try {
                const contents = await contentsOf(files[pathname]);
                const type = TYPES[path.extname(files[pathname])] ?? 'application/octet-stream';
                response.writeHead(200, { 'content-type': type }).end(contents);
            } catch ({ message }) {
                response.writeHead(500).end(message);
            }
        } else {
            response.writeHead(404).end();
        }
    });
    server.on('error', ({ message }) => {
        console.error(message);
        process.exit(1);
    });
    server.listen(Number(port), '127.0.0.1', () => {
        console.log(`open http://127.0.0.1:${server.address().port}/   (Ctrl-C ends)`);
    });
}
