// SPDX-License-Identifier: MIT
'use strict';

/** The cases of the cache fuzzer, in one process. A case bakes or reduces with a hostile cache, then again with the same cache. */

const fs = require('node:fs');
const path = require('node:path');
const { filesIn } = require('../../support/cache-entries.cjs');
const { serve } = require('../fuzz-runner/job.cjs');
const { Finding } = require('../fuzz-runner/outcome.cjs');
const { loadPoselane } = require('../fuzz-runner/poselane.cjs');
const { createRandom } = require('../sweep/random.cjs');
const { hostileFolder } = require('./folders.cjs');
const { writeModel } = require('./models.cjs');
const { startServer, WAYS } = require('./servers.cjs');

/** Milliseconds that a server has to answer. */
const ANSWER = 150;

const MODELS = {
    'small.gltf': { clips: ['Walk', 'Run'], keys: 20 },
    'two.gltf': { clips: ['Walk'], skins: 2 },
};

const FPS = ['--fps', '10'];
/** Arguments of the command, the same for the library, and arguments of the command that give files of the same names. */
const WORKS = {
    bake: { files: ['small.gltf'], argv: ['bake'], options: {}, otherwise: FPS },
    arrays: {
        files: ['small.gltf'],
        argv: ['bake', '--emit', 'palette,local,bounds,glb', '--layout', 'mat3x4'],
        options: { emit: ['palette', 'local', 'bounds', 'glb'], layout: 'mat3x4' },
        otherwise: FPS,
    },
    vat: {
        files: ['small.gltf'],
        argv: ['bake', '--emit', 'pvat,hit'],
        options: { emit: ['pvat', 'hit'] },
        otherwise: FPS,
    },
    batch: { files: ['small.gltf', 'two.gltf'], argv: ['bake'], options: {}, otherwise: FPS },
    skin: { files: ['two.gltf'], argv: ['bake', '--skin', '1'], options: { skin: 1 }, otherwise: FPS },
    reduce: {
        files: ['small.gltf'],
        argv: ['reduce', '--max-error', '0.2'],
        options: { maxError: 0.2 },
        otherwise: ['--max-error', '0.5'],
    },
};

/** Names and bytes of the files in a folder, and the kind of its links and folders. */
function contentsOf(folder) {
    const found = {};
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const file = path.join(entry.parentPath ?? entry.path, entry.name);
        const { size } = fs.lstatSync(file);
        // Reading a sparse file of 4 GiB takes seconds.
        const text = entry.isFile() && size < 2 ** 24 ? fs.readFileSync(file, 'latin1') : `${size}`;
        found[path.relative(folder, file)] = entry.isFile() ? text : entry.isSymbolicLink() ? 'a link' : 'not a file';
    }
    return found;
}

/** The same, and when each was changed. */
function stateOf(folder) {
    const times = (name) => fs.lstatSync(path.join(folder, name)).mtimeMs;
    return JSON.stringify(Object.entries(contentsOf(folder)).map(([name, text]) => [name, text, times(name)]));
}

function fresh(folder) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    return folder;
}

async function command(poselane, argv) {
    let [stdout, stderr] = ['', ''];
    const io = { stdout: { write: (text) => (stdout += text) }, stderr: { write: (text) => (stderr += text) } };
    return { code: await poselane.runCommand(argv, io), stdout, stderr };
}

/** Runs a work with a cache, null for none, and gives the files. */
async function run(poselane, folder, { files, argv }, cache, more = []) {
    const out = fresh(path.join(folder, 'out'));
    const inputs = files.map((file) => path.join(folder, 'in', file));
    const all = [...argv, ...inputs, '-o', out, '-j', '1', ...(cache === null ? [] : ['--cache', cache]), ...more];
    return { ...(await command(poselane, all)), written: contentsOf(out) };
}

/** The same by the library, which waits less long for a server. */
async function runLibrary(poselane, folder, { files, argv, options }, cache) {
    const out = fresh(path.join(folder, 'out'));
    for (const file of files) {
        const input = path.join(folder, 'in', file);
        if (argv[0] === 'reduce') {
            const { bytes } = await poselane.reduceFile(input, options, { cache });
            fs.writeFileSync(path.join(out, file.replace('.gltf', '.glb')), bytes);
        } else {
            await poselane.writeBake(await poselane.bakeFile(input, options, { cache }), out);
        }
    }
    return contentsOf(out);
}

/** Makes inputs, the right outputs, and for each work two caches: a right one, and one of other options with the same file names. */
async function createContext({ folder }) {
    fs.mkdirSync(path.join(folder, 'in'), { recursive: true });
    for (const [name, parts] of Object.entries(MODELS)) await writeModel(path.join(folder, 'in', name), parts);
    const poselane = loadPoselane('');
    const whole = (name) => path.join(folder, 'whole', name);
    const twin = (name) => path.join(folder, 'twins', name);
    const right = {};
    const blobs = new Map();
    for (const [name, work] of Object.entries(WORKS)) {
        const alone = await run(poselane, folder, work, null);
        const kept = await run(poselane, folder, work, whole(name));
        await run(poselane, folder, work, twin(name), work.otherwise);
        if (alone.code !== 0 || kept.code !== 0) throw new Error(`${name} fails: ${alone.stderr}${kept.stderr}`);
        right[name] = alone.written;
        for (const part of ['ac', 'cas']) {
            for (const file of filesIn(whole(name), part))
                blobs.set(`/${part}/${path.basename(file)}`, fs.readFileSync(file));
        }
    }
    const store = new Map(blobs);
    return { folder, poselane, whole, twin, right, blobs, store, server: await startServer(store) };
}

/** @param forged Whether a forged entry may be taken: then only the names of files are compared. */
function judgeFiles(written, right, what, forged) {
    const [names, expected] = [written, right].map((files) => Object.keys(files).sort().join());
    if (names !== expected) throw new Finding(`${what}: wrote ${names}, not ${expected}`);
    const other = Object.keys(right).filter((name) => written[name] !== right[name]);
    if (other.length > 0 && !forged) throw new Finding(`${what}: other bytes in ${other.join()}`);
}

function judgeRun({ code, stdout, stderr, written }, right, what, forged) {
    if (code !== 0) throw new Finding(`${what}: ends with ${code}: ${stderr}`);
    const odd = /undefined|NaN|\[object|Infinity/.exec(stdout + stderr);
    if (odd !== null) throw new Finding(`${what}: says ${odd[0]}: ${stdout}${stderr}`);
    judgeFiles(written, right, what, forged);
}

async function folderCase({ folder, poselane, whole, twin, right }, random, name) {
    const outside = fresh(path.join(folder, 'outside'));
    fs.writeFileSync(path.join(outside, 'file'), 'outside');
    const place = path.join(fresh(path.join(folder, 'places')), 'cache');
    fs.cpSync(whole(name), place, { recursive: true });
    const { names, poisons, lasting } = hostileFolder(place, random, { outside, twin: twin(name) });
    const before = stateOf(outside);
    const work = WORKS[name];
    const more = random.below(4) === 0 ? ['--json'] : [];
    const first = await run(poselane, folder, work, place, more);
    judgeRun(first, right[name], `${names} first`, poisons);
    const second = await run(poselane, folder, work, place);
    judgeRun(second, right[name], `${names} second`, poisons);
    if (!lasting && /warning CACHE/.test(second.stderr)) throw new Finding(`${names}: not replaced: ${second.stderr}`);
    const pruned = await command(poselane, ['cache', 'prune', place, '--max-size', random.of(['1kB', '1GB'])]);
    if (pruned.code !== 0) throw new Finding(`${names}: prune ends with ${pruned.code}: ${pruned.stderr}`);
    if (stateOf(outside) !== before) throw new Finding(`${names}: files outside have changed`);
    const left = fs
        .readdirSync(place)
        .filter((one) => one.startsWith(`.poselane-`) && one.includes(`-${process.pid}-`));
    if (left.length > 0) throw new Finding(`${names}: ${left} is left`);
}

async function serverCase({ folder, poselane, right, blobs, store, server }, random, name) {
    store.clear();
    if (random.below(3) > 0) for (const [url, bytes] of blobs) store.set(url, bytes);
    const ways = Object.keys(WAYS);
    const names = random.below(2) ? [random.of(ways)] : [null, null, random.of(ways), random.of(ways)];
    server.change(random, names, random.of(['/', '/ac/', '/cas/']));
    const open = () => poselane.openCache(server.url, { timeout: ANSWER, maxEntryBytes: 2 ** 26 });
    const cache = open();
    for (const time of ['first', 'second']) {
        const written = await runLibrary(poselane, folder, WORKS[name], cache);
        judgeFiles(written, right[name], `server ${names} ${time}`, false);
    }
    server.change(null);
    const written = await runLibrary(poselane, folder, WORKS[name], open());
    judgeFiles(written, right[name], `server ${names} after`, false);
}

const SUBJECTS = { folder: folderCase, server: serverCase };

/** By seed and number only. */
function drawCase(seed, n) {
    const key = `${seed}/${n}`;
    const random = createRandom(`${key}/subject`);
    return { key, subject: random.of(['folder', 'folder', 'server']), work: random.of(Object.keys(WORKS)) };
}

async function runCase(context, { key, subject, work }) {
    await SUBJECTS[subject](context, createRandom(`${key}/run`), work);
    return { done: true };
}

serve({ createContext, drawCase, runCase });

module.exports = { drawCase };
