// SPDX-License-Identifier: MIT

/**
 * npm run build: the addon in build/, TypeScript and WebAssembly in dist/, ES modules for browsers in dist/esm/, the page of reports in
 * dist/report/. Rebuilds only after changes.
 *
 * Succeeds without the addon, prints the reason, and leaves a poselane that runs in WebAssembly.
 */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build } from 'esbuild';
import { binary, headersFolder, root, runCommand, runNode } from '../lib.mjs';
import { bundleCommand } from './bundle-command.mjs';
import { bundleReport } from './bundle-report.mjs';
import compiler from './compiler.cjs';
import { buildWebassembly } from './webassembly.mjs';

const headers = headersFolder();

/** Both write build/Release/poselane.node. The second one needs only the npm registry and CMake. */
const builders = [
    {
        name: 'node-gyp',
        run: () =>
            runNode(binary('node-gyp'), [
                'configure',
                'build',
                '--jobs=2',
                ...(headers === null ? [] : [`--nodedir=${headers}`]),
            ]),
    },
    { name: 'cmake-js', run: () => runNode(binary('cmake-js'), ['compile', '--out', 'build']) },
];

function causeIn(output) {
    const lines = output.split('\n').map((line) => line.trim());
    return lines.find((line) => /\berror\b|ERR!|not found|No such file/i.test(line)) ?? 'no message';
}

function buildAddon() {
    const addon = path.join(root, 'build/Release/poselane.node');
    // Otherwise node-gyp-build loads an old addon when the build fails.
    fs.rmSync(addon, { force: true });
    // Tests need it even if nothing is compiled.
    fs.mkdirSync(path.join(root, 'build'), { recursive: true });
    if (compiler.findCompiler() === null) {
        return `no C++ compiler was found (looked for ${compiler.candidates().join(', ')})`;
    }
    let log = '';
    const causes = [];
    for (const { name, run } of builders) {
        const { ok, output } = run();
        if (ok && fs.existsSync(addon)) {
            const { ok: loads, output: why } = runNode('-e', [`require(${JSON.stringify(addon)})`]);
            if (loads) {
                fs.writeFileSync(path.join(root, 'build/builder.txt'), `${name}\n`);
                return null;
            }
            log += `${name} built it, but it does not load:\n${why}\n`;
            fs.rmSync(addon, { force: true });
        } else {
            log += `${name}:\n${output}\n`;
            causes.push(`${name}: ${causeIn(output)}`);
        }
    }
    fs.writeFileSync(path.join(root, 'build/build.log'), log);
    process.stderr.write(`${log.split('\n').slice(-40).join('\n')}\n`);
    return `compiling it failed (${causes.join('; ')}; all of the log is in build/build.log)`;
}

const DIST = path.join(root, 'dist');
/** Hashes of the sources of dist/ and of its content. */
const STAMP = path.join(root, 'build/dist.sha256');
const SOURCES = [
    'lib',
    'scripts/build/build.mjs',
    'scripts/build/bundle-command.mjs',
    'scripts/build/bundle-report.mjs',
    'tsconfig.json',
    'package.json',
    // The installed packages.
    'node_modules/.package-lock.json',
];

/** Hash of names and contents, or null if a file cannot be read. */
function hashOf(files) {
    const hash = createHash('sha256');
    const add = (file) => {
        const isFolder = fs.statSync(file).isDirectory();
        hash.update(`${path.relative(root, file)}\0${isFolder}\0`);
        if (!isFolder) hash.update(createHash('sha256').update(fs.readFileSync(file)).digest());
        else for (const name of fs.readdirSync(file).sort()) add(path.join(file, name));
    };
    try {
        for (const file of files) add(file);
        return hash.digest('hex');
    } catch {
        return null;
    }
}

function isUpToDate(sources) {
    if (sources === null || !fs.existsSync(STAMP)) return false;
    return fs.readFileSync(STAMP, 'utf8') === `${sources} ${hashOf([DIST])}`;
}

function startTypescript() {
    fs.rmSync(STAMP, { force: true });
    // Removes the output of deleted sources.
    fs.rmSync(DIST, { recursive: true, force: true });
    return runCommand(process.execPath, [binary('typescript', 'tsc'), '-p', '.']);
}

async function finishTypescript(compiling) {
    const { status, output } = await compiling;
    if (status !== 0) {
        process.stderr.write(output);
        process.exit(1);
    }
    fs.cpSync(path.join(root, 'lib/format/manifest.schema.json'), path.join(DIST, 'format/manifest.schema.json'));
    bundleCommand();
    fs.chmodSync(path.join(DIST, 'cli/main.js'), 0o755);
    await buildForBrowsers();
    await bundleReport();
}

/**
 * Gives poselane/typescript its own copy of the functions on lists. In a chunk shared with poselane they would be separate from the module
 * that makes them faster, which bundlers leave out because the package has no side effects.
 */
const functionsWithoutWebassembly = {
    name: 'functions without WebAssembly',
    setup({ onLoad, onResolve }) {
        const suffix = '?typescript';
        onResolve({ filter: /\/(functions|plain)$/ }, ({ path: file, importer, resolveDir, pluginData }) => {
            const isOwn = pluginData === suffix || importer === path.join(root, 'lib/typescript/index.ts');
            return isOwn ? { path: path.join(resolveDir, `${file}.ts`), suffix } : undefined;
        });
        onLoad({ filter: /functions\.ts$/ }, ({ path: file, suffix: given }) =>
            given === suffix
                ? { contents: fs.readFileSync(file), loader: 'ts', resolveDir: path.dirname(file), pluginData: suffix }
                : undefined,
        );
    },
};

/** ES modules for browsers and bundlers, without other packages. */
function buildForBrowsers() {
    const names = ['browser', 'browser/kernels', 'typescript', 'table', 'three', 'three/webgpu', 'babylon'];
    const sources = {
        ...Object.fromEntries(names.map((name) => [name, name])),
        bake: 'browser/bake',
        report: 'browser/report',
        // A file of its own, which bundlers put first: gzip finds nothing across these 41 kB, which are longer than its window.
        'strict-bytes': 'webassembly/strict-bytes',
    };
    const entryPoints = Object.entries(sources).map(([out, name]) => {
        const file = path.join(root, 'lib', `${name}.ts`);
        return { in: fs.existsSync(file) ? file : path.join(root, 'lib', name, 'index.ts'), out };
    });
    return build({
        entryPoints,
        plugins: [functionsWithoutWebassembly],
        outdir: path.join(DIST, 'esm'),
        outExtension: { '.js': '.mjs' },
        chunkNames: 'shared-[hash]',
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        banner: { js: '// SPDX-License-Identifier: MIT' },
        logLevel: 'error',
    });
}

// First, because TypeScript imports it.
const withoutWebassembly = await buildWebassembly();
// A source that changes during the build is compiled by the next one.
const sources = hashOf(SOURCES.map((source) => path.join(root, source)));
const upToDate = isUpToDate(sources);
// dist/ must be newer than its sources.
if (upToDate) fs.utimesSync(path.join(DIST, 'index.js'), new Date(), new Date());
// In parallel with the addon.
const compiling = upToDate ? null : startTypescript();
const problem = buildAddon();
if (compiling !== null) {
    await finishTypescript(compiling);
    if (sources !== null) fs.writeFileSync(STAMP, `${sources} ${hashOf([DIST])}`);
}
if (problem === null) {
    console.log('build: addon in build/Release, TypeScript in dist');
} else {
    console.log(`build: TypeScript in dist. The addon was NOT built: ${problem}.`);
    const fallback = withoutWebassembly === null ? 'in WebAssembly' : 'on the slower TypeScript fallback';
    console.log(`build: poselane works without it, ${fallback}.`);
}
if (withoutWebassembly !== null) console.log(`build: there is no WebAssembly: ${withoutWebassembly}`);
