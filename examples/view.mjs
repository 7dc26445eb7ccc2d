// SPDX-License-Identifier: MIT

/**
 * Shows a bake in the browser, live skinning on the left, the baked palette on the right, by three.js or Babylon.js:
 * node examples/view.mjs [x.bake.json | x.bake.glb] [model.glb] [--port 8080]
 *
 * Without a bake it serves the page that bakes a dropped file.
 */

import * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BakedTable } from 'poselane/table';
import { serve } from './serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '8080' } },
});
const [bakePath, modelPath] = positionals;
if (bakePath !== undefined && !fs.existsSync(bakePath)) {
    console.error(`cannot find '${bakePath}'`);
    console.error('usage: node examples/view.mjs [x.bake.json | x.bake.glb] [model.glb] [--port 8080]');
    process.exit(2);
}

const own = [
    'bake.html',
    'bake.mjs',
    'bake-worker.mjs',
    'style.css',
    'character.glb',
    'three.mjs',
    'babylon.mjs',
    'crowd.html',
    'crowd.mjs',
    'walk.html',
    'walk.mjs',
];
const files = {
    ...Object.fromEntries(own.map((name) => [`/${name}`, path.join(here, name)])),
    '/three.html': path.join(here, 'page.html'),
    '/babylon.html': path.join(here, 'page.html'),
    '/report.html': path.join(here, '../dist/report/page.html'),
};
if (bakePath !== undefined) {
    const { manifest } = await BakedTable.load(pathToFileURL(bakePath), readFile);
    const { uri } = manifest.binary;
    files['/bake'] = path.resolve(bakePath);
    files[`/${uri}`] = path.join(path.dirname(path.resolve(bakePath)), decodeURIComponent(uri));
    files['/model.glb'] = path.resolve(modelPath ?? path.join(here, manifest.source.name));
}
const location = bakePath === undefined ? '/bake.html' : '/three.html';
serve({ port: values.port, files, routes: { '/': (_, response) => response.writeHead(302, { location }).end() } });
