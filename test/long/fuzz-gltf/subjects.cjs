// SPDX-License-Identifier: MIT
'use strict';

/**
 * The uses of a mutated file. Each subject gives a digest of its result, or throws one of poselane's own errors for a fault of the file.
 * Any other error is a finding.
 */

const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { claimSource } = require('../../support/claim-source.cjs');
const { splitGlb } = require('./glb.cjs');
const { Finding, hashOf, resolverOf } = require('../fuzz-runner/outcome.cjs');
const { browserRig, digestOfRig, storedRig } = require('./rigs.cjs');

/** Options of a small bake: few rows, low rates. */
function drawOptions(random) {
    const emits = [
        ['palette'],
        ['palette', 'local', 'hit', 'morph', 'bounds', 'root'],
        ['bounds', 'jointBounds'],
        ['morph', 'root'],
        ['local'],
    ];
    const emit = random.of([...emits, emits[0], emits[1]]);
    const options = { fps: random.of([1, 2, 5, 30, '24000/1001']), maxRows: 1 + random.below(90), emit };
    if (emit.includes('palette') && random.below(4) === 0) options.layout = 'mat3x4';
    if (emit.includes('palette') && random.below(8) === 0) options.dtype = 'f16';
    if (emit.includes('palette') && options.dtype === undefined && random.below(6) === 0) options.layout = 'qts16';
    if (random.below(6) === 0) options.space = 'skin-root';
    if (random.below(6) === 0) options.renormalize = true;
    if (random.below(6) === 0) options.end = 'fit';
    if (random.below(10) === 0) options.skin = random.below(2);
    if (random.below(10) === 0) options.clips = ['#0'];
    if (random.below(12) === 0) options.from = random.of([0, 0.25, 1]);
    if (random.below(20) === 0) options.strict = true;
    if (random.below(30) === 0) options.fps = 'auto';
    if (emit.includes('root')) options.root = random.of(['keep', 'extract']);
    else if (random.below(4) === 0) options.root = 'in-place';
    if (options.root !== undefined && random.below(2) === 0) options.rootMotion = 'xyz+rotation';
    return options;
}

const digestOf = ({ outputs, files }) =>
    hashOf(...outputs.flatMap(({ json, bin }) => [json, bin]), ...files.flatMap(({ name, bytes }) => [name, bytes]));

/** Whether an accessor states more elements than these files can have, also as text or in a list. */
function statesMany(text) {
    const { accessors } = JSON.parse(text);
    return accessors.some(({ count, sparse }) => [count, sparse?.count].some((stated) => Number(stated ?? 0) > 1e5));
}

/** Writes the file and its other files to a new folder. */
function placed(folder, { seed, isGlb, bytes, beside }) {
    const input = path.join(folder, 'in');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(input, { recursive: true });
    const file = path.join(input, `${path.parse(seed).name}.${isGlb ? 'glb' : 'gltf'}`);
    writeFileSync(file, bytes);
    for (const [name, data] of Object.entries(beside)) writeFileSync(path.join(input, name), data);
    return file;
}

const SUBJECTS = {
    async bake(poselane, file, random) {
        const { bytes, beside, seed } = file;
        const scene = await poselane.readGltfBytes(bytes, { name: seed, resolve: resolverOf(beside) });
        return digestOf(await poselane.bakeScene(scene, drawOptions(random)));
    },

    async rig(poselane, { bytes, beside, seed }, random) {
        const meshes = random.below(2) === 0;
        const rig = await poselane.Rig.load(bytes, { name: seed, resolve: resolverOf(beside), meshes });
        return digestOfRig(rig, random, meshes);
    },

    'browser rig': browserRig,

    'stored rig': storedRig,

    /** Through files, as the command does it. A failure must leave no file. */
    async file(poselane, mutated, random, { folder }) {
        const input = placed(folder, mutated);
        const out = path.join(folder, 'out');
        const options = drawOptions(random);
        for (const own of ['glb', 'pvat']) if (random.below(2)) options.emit = [...options.emit, own];
        if (options.emit.includes('pvat')) delete options.space;
        try {
            const result = await poselane.bakeFile(input, options);
            await poselane.writeBake(result, out);
            return digestOf(result);
        } catch (error) {
            let left = [];
            try {
                left = readdirSync(out);
            } catch {
                // There is no folder either.
            }
            if (left.length > 0) throw new Finding(`left behind: ${left.join()}`, { cause: error });
            throw error;
        }
    },

    async inspect(poselane, mutated, random, { folder }) {
        const input = placed(folder, mutated);
        let [stdout, stderr] = ['', ''];
        const io = { stdout: { write: (text) => (stdout += text) }, stderr: { write: (text) => (stderr += text) } };
        const code = await poselane.runCommand(['inspect', input, ...(random.below(2) ? ['--json'] : [])], io);
        if (code !== 0 && code !== 3) throw new Finding(`inspect ends with ${code}: ${stderr}`);
        if (code === 3 && (stdout !== '' || !/^poselane: .*\n$/.test(stderr)))
            throw new Finding(`inspect says ${stderr}`);
        return `${code} ${hashOf(stdout, stderr)}`;
    },

    async document(poselane, { bytes, isGlb, beside, seed }, random) {
        const { WebIO, Logger } = await import('@gltf-transform/core');
        const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
        let document;
        try {
            // glTF-Transform does not check sparse counts, and hangs at 2^31.
            if (statesMany(isGlb ? splitGlb(bytes).text : bytes.toString('utf8'))) return 'no document';
            // Faults in a file of a megabyte take it seconds.
            if (bytes.length > 2e5) return 'no document';
            // Copies, also of data URIs: glTF-Transform may read past them into the pool of a Buffer, whose bytes differ each time.
            const resources = Object.fromEntries(
                Object.entries(beside).map(([name, data]) => [name, new Uint8Array(data)]),
            );
            const json = isGlb ? null : JSON.parse(bytes.toString('utf8'));
            for (const [index, buffer] of (json?.buffers ?? []).entries()) {
                const [, base64] = /^data:[^,]*;base64,(.*)$/.exec(buffer.uri) ?? [];
                if (base64 === undefined) continue;
                buffer.uri = `data-${index}.bin`;
                resources[buffer.uri] = new Uint8Array(Buffer.from(base64, 'base64'));
            }
            document = isGlb ? await io.readBinary(new Uint8Array(bytes)) : await io.readJSON({ json, resources });
        } catch {
            return 'no document'; // a fault of glTF-Transform
        }
        if (random.below(4) === 0) return `${poselane.Rig.fromDocument(document).slots.length} slots`;
        return digestOf(await poselane.bakeDocument(document, drawOptions(random), { name: seed }));
    },

    /** The input was mutated after it was baked. */
    async verify(poselane, mutated, random, { folder, bakes }) {
        const input = placed(folder, mutated);
        const json = await claimSource(random.of(bakes).json, input);
        const { ok } = await poselane.verifyBake(input, json, { tolerance: random.of([1e-5, 1]) });
        return String(ok);
    },
};

/** A mutated manifest, or bin, of a good bake. */
const MANIFEST_SUBJECTS = {
    async table(poselane, { text, bin, glb }, random) {
        const table = glb === null ? poselane.BakedTable.open(text, bin) : poselane.BakedTable.open(glb);
        const clips = table.clips.length;
        const times = Float64Array.from({ length: 5 }, () => random.of([0, 0.1, 0.5, 1, 100, -1, 1e300]));
        const loop = random.of(['clamp', 'wrap']);
        let sum = '';
        for (const [name, { rowFloats }] of Object.entries(table.arrays)) {
            if (rowFloats > 1e6) continue;
            const out = new Float32Array(5 * rowFloats);
            table.sample(name, random.below(clips), times, out, { loop, between: random.of(['linear', 'nearest']) });
            sum = hashOf(sum, out);
        }
        table.rowsAt(random.below(clips), times, new Float32Array(15), { loop });
        if (table.arrays.palette !== undefined && table.rows < 1e5) poselane.paletteTexture(table, { maxSize: 64 });
        return sum;
    },
    async verify(poselane, { json, input }, random) {
        const { ok } = await poselane.verifyBake(input, json, { tolerance: random.of([1e-5, 1]) });
        return String(ok);
    },
    async diff(poselane, { json, original }, random) {
        const [a, b] = random.below(2) ? [json, original] : [original, json];
        const { equal } = await poselane.diffBakes(a, b);
        return String(equal);
    },
};

const WEIGHTS = { bake: 60, rig: 12, 'browser rig': 8, 'stored rig': 6, file: 3, inspect: 3, document: 5, verify: 3 };
const SHARES = Object.entries(WEIGHTS).map(([name, weight]) => ({ name, weight }));

module.exports = { MANIFEST_SUBJECTS, SHARES, SUBJECTS };
