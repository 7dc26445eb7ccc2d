// SPDX-License-Identifier: MIT

/**
 * Shows a bake in the browser, live skinning on the left, the baked palette on the right, by three.js or Babylon.js:
 * node examples/view.mjs [x.bake.json | x.bake.glb] [model.glb] [--port 8080]
 *
 * Without a bake: the page that makes one of what is dropped on it.
 *
 * A server for the pages of this folder, whose scripts esbuild puts together, the bake and the model, on this machine only.
 */

import * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BakedTable } from 'poselane/table';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '8080' } },
});
const [bakePath, modelPath] = positionals;
if (bakePath !== undefined && !fs.existsSync(bakePath)) {
    console.error(`there is no ${bakePath}`);
    console.error('usage: node examples/view.mjs [x.bake.json | x.bake.glb] [model.glb] [--port 8080]');
    process.exit(2);
}

const pages = ['bake.html', 'bake.css', 'character.glb', 'three.html', 'babylon.html', 'page.css'];
/** Every path that is served, and the file behind it. */
const files = {
    ...Object.fromEntries(pages.map((name) => [`/${name}`, path.join(here, name)])),
    '/report.html': path.join(here, '../dist/report/page.html'),
};
if (bakePath !== undefined) {
    const { manifest } = await BakedTable.load(pathToFileURL(bakePath), readFile);
    const { uri } = manifest.binary;
    files['/bake'] = path.resolve(bakePath);
    files[`/${uri}`] = path.join(path.dirname(path.resolve(bakePath)), decodeURIComponent(uri));
    files['/model.glb'] = path.resolve(modelPath ?? path.join(here, manifest.source.name));
}
const scripts = ['/three.mjs', '/babylon.mjs', '/bake.mjs', '/bake-worker.mjs'];
const first = bakePath === undefined ? '/bake.html' : '/three.html';
const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.json': 'application/json' };

const bundles = new Map();

/** A page's script with all that it imports, made when it is first asked for. */
function bundle(script) {
    if (!bundles.has(script)) {
        const options = { bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'error' };
        bundles.set(script, build({ ...options, entryPoints: [path.join(here, script)] }));
    }
    return bundles.get(script);
}

const server = http.createServer(async (request, response) => {
    const [pathname] = request.url.split('?');
    if (pathname === '/') {
        response.writeHead(302, { location: first }).end();
    } else if (scripts.includes(pathname)) {
        try {
            const { outputFiles } = await bundle(pathname);
            response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(outputFiles[0].contents);
        } catch ({ message }) {
            response.writeHead(500).end(message);
        }
    } else if (Object.hasOwn(files, pathname) && fs.existsSync(files[pathname])) {
        const type = types[path.extname(pathname)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type });
        fs.createReadStream(files[pathname]).pipe(response);
    } else {
        response.writeHead(404).end();
    }
});
server.on('error', ({ message }) => {
    console.error(message);
    process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1', () => {
    console.log(`open http://127.0.0.1:${server.address().port}/   (Ctrl-C ends)`);
});
