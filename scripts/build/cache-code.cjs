// SPDX-License-Identifier: MIT

/**
 * Bakes a small file with a bundle of the command (bundle-command.mjs), and writes the code that V8 has compiled meanwhile
 * beside it: node scripts/build/cache-code.cjs dist/cli/main.js main.bundle model.glb
 */

const fs = require('node:fs');
const { Module } = require('node:module');
const os = require('node:os');
const path = require('node:path');

const [, , file, bundle, model] = process.argv;

async function run() {
    const out = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-build-'));
    try {
        const loaded = new Module(file);
        loaded.filename = file;
        loaded.paths = Module._nodeModulePaths(path.dirname(file));
        const source = fs.readFileSync(file, 'utf8').replace(/^#!.*/, '');
        loaded._compile(`${source.replace(/loadBundle\('[^']*'\);\s*$/, '')}\nmodule.load = loadBundle;`, file);
        const script = loaded.load(bundle);
        const { run, default: work } = loaded.exports;
        if (run === undefined) {
            const bake = { command: 'bake', container: 'files', options: {}, page: null };
            const job = { ...bake, number: 0, input: model, out, cache: null };
            await work({ work: job, ledger: new Int32Array(new SharedArrayBuffer(64)) });
        } else {
            const code = await run(['bake', model, '-o', out, '--quiet'], process);
            if (code !== 0) throw new Error(`baking ended with ${code}`);
        }
        const name = `${bundle}.${process.platform}-${process.arch}.cache`;
        fs.writeFileSync(path.join(path.dirname(file), name), script.createCachedData());
    } finally {
        fs.rmSync(out, { recursive: true });
    }
}

void run();
