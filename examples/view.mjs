// SPDX-License-Identifier: MIT

/**
 * Shows a bake in the browser, live skinning on the left, the baked palette on the right:
 * node examples/view.mjs <x.bake.json> [model.glb] [--port 8080]
 *
 * A static server for this page, three.js (from node_modules) and the three files, on this machine only.
 */

import * as fs from 'node:fs';
import * as http from 'node:http';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '8080' } },
});
const [manifestPath, modelPath] = positionals;
if (manifestPath === undefined || !fs.existsSync(manifestPath)) {
    if (manifestPath !== undefined) console.error(`there is no ${manifestPath}`);
    console.error('usage: node examples/view.mjs <x.bake.json> [model.glb] [--port 8080]');
    process.exit(2);
}
const manifest = JSON.parse(fs.readFileSync(manifestPath, 'utf8'));
const three = path.join(here, '../node_modules/three');

/** Every path that is served, and the file behind it; three.js is the one whole folder. */
const files = {
    '/': path.join(here, 'view.html'),
    '/bake.json': path.resolve(manifestPath),
    '/bake.bin': path.join(path.dirname(path.resolve(manifestPath)), decodeURIComponent(manifest.binary.uri)),
    '/model.glb': path.resolve(modelPath ?? path.join(here, manifest.source.name)),
};
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json' };

function fileFor(url) {
    const { pathname } = new URL(url, 'http://localhost');
    if (files[pathname]) return files[pathname];
    const inThree = path.join(three, path.normalize(pathname.replace(/^\/three\//, '/')));
    return pathname.startsWith('/three/') && inThree.startsWith(three + path.sep) ? inThree : null;
}

const server = http.createServer((request, response) => {
    const file = fileFor(request.url ?? '/');
    if (file === null || !fs.statSync(file, { throwIfNoEntry: false })?.isFile()) {
        response.writeHead(404).end();
        return;
    }
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
    fs.createReadStream(file).pipe(response);
});
server.on('error', ({ message }) => {
    console.error(message);
    process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1', () => {
    console.log(`open http://127.0.0.1:${server.address().port}/   (Ctrl-C ends)`);
});
