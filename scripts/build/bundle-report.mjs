// SPDX-License-Identifier: MIT

/**
 * Makes the page of a report and the index of a batch, without their data: dist/report/page.html and index-page.html. Each is one file with
 * its style and its script. The page has three.js and the decoders. The policy allows only that script, and no network.
 */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib.mjs';

const require = createRequire(import.meta.url);
const three = path.join(path.dirname(require.resolve('three')), '..');
const page = path.join(root, 'lib/report/page');
const read = (...file) => fs.readFileSync(path.join(...file), 'utf8');

/** Notices that the licenses of bundled packages require. */
const notices = () => {
    const meshopt = read(three, 'examples/jsm/libs/meshopt_decoder.module.js').split('\n').slice(0, 2).join('\n');
    const parts = [
        'poselane. SPDX-License-Identifier: MIT',
        read(root, 'LICENSES/MIT.txt'),
        'With parts of these:',
        `three.js\n\n${read(three, 'LICENSE')}`,
        `meshoptimizer, under the MIT license as above\n\n${meshopt.replaceAll('// ', '')}`,
        `Draco's decoder, Copyright The Draco Authors, unchanged\n\n${read(root, 'LICENSES/Apache-2.0.txt')}`,
    ];
    return `/*\n${parts.join('\n\n').replaceAll('*/', '')}\n*/`;
};

/** Draco's decoder runs in a worker. three.js makes the script of it from text and bytes. */
const draco = {
    name: 'draco',
    setup({ onResolve, onLoad }) {
        onResolve({ filter: /^draco:/ }, ({ path: name }) => ({
            path: path.join(three, 'examples/jsm/libs/draco/gltf', name.slice('draco:'.length)),
            namespace: 'draco',
        }));
        onLoad({ filter: /./, namespace: 'draco' }, ({ path: file }) => ({
            contents: fs.readFileSync(file),
            loader: file.endsWith('.wasm') ? 'binary' : 'text',
        }));
    },
};

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export async function bundleReport() {
    await bundlePage('page', 'main', notices());
    await bundlePage('index-page', 'index-main', '/* poselane. SPDX-License-Identifier: MIT */');
}

async function bundlePage(name, entry, notice) {
    const { outputFiles } = await build({
        entryPoints: [path.join(page, `${entry}.ts`), path.join(page, `${name}.css`)],
        outdir: page,
        bundle: true,
        minify: true,
        write: false,
        platform: 'browser',
        format: 'iife',
        target: 'es2022',
        charset: 'ascii',
        legalComments: 'none',
        // DRACOLoader makes URLs of files beside it, which are never asked for.
        define: { 'import.meta.url': '"file:///"' },
        plugins: [draco],
        logLevel: 'error',
    });
    const [script, style] = ['.js', '.css'].map((end) => outputFiles.find((file) => file.path.endsWith(end)).text);
    const code = `${script}${notice}`;
    // Either would end the element early, or begin a comment in it.
    if (/<\/script|<!--/i.test(code)) throw new Error('the script of the report must not contain </script or <!--');
    const policy = [
        "default-src 'none'",
        `script-src ${hashOf(code)} 'wasm-unsafe-eval'`,
        `style-src ${hashOf(style)}`,
        'img-src blob: data:',
        'connect-src blob: data:',
        'worker-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
    const parts = { policy, style: `<style>${style}</style>`, script: `<script>${code}</script>` };
    const html = read(page, `${name}.html`).replace(/<!--(policy|style|script)-->/g, (_, part) => parts[part]);
    fs.mkdirSync(path.join(root, 'dist/report'), { recursive: true });
    fs.writeFileSync(path.join(root, `dist/report/${name}.html`), html);
}
