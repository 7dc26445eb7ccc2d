// SPDX-License-Identifier: MIT
'use strict';

/**
 * The sweep of the Rig: every implementation runs the public methods on generated rigs, clips and meshes. All must agree with
 * strict/typescript bit for bit. Also hashes fixed cases for the golden files.
 */

const { createHash } = require('node:crypto');
const { bitsOf, canonicalise, firstDifference, showBits } = require('./bits.cjs');
const { createRandom } = require('./random.cjs');
const { DATA, blending, evaluation, rigParts, transform } = require('./rig-parts.cjs');
const { runRigCase } = require('./rig-run.cjs');

/** Results are counted and hashed by method. */
const RIG_METHODS = [
    'evaluate',
    'evaluateLoops',
    'blend',
    'blendReference',
    'setLocal',
    'toGlobal',
    'toGlobalFrom',
    'palettes',
    'joints',
    'castRays',
    'twoBoneIk',
    'aimIk',
    'skinVertices',
    'bounds',
    'rootDelta',
    'extractRoot',
    'bakePalettes',
];

const SIZES = { few: 2, quick: 100, full: 6_000, golden: 48 };
const MOST_POSES = 70;

/** The calls of one round: two evaluations, one or two blends, and everything that is made of the result. */
function* roundOf(random, { data, count, parts }) {
    const nodes = parts.parents.length;
    const offset = () => random.below(16);
    yield { method: 'evaluate', to: 0, ...evaluation(random, parts.clips, count) };
    const second = evaluation(random, parts.clips, count);
    yield { method: 'evaluate', to: 1, ...second };
    // In place now and then, and the second one onto what the first one made.
    const out = random.of([0, 1, 2, 2]);
    yield { method: 'blend', out, a: 0, b: 1, ...blending(random, nodes, count) };
    if (random.below(2)) yield { method: 'blend', out, a: out, b: random.below(2), ...blending(random, nodes, count) };
    const of = random.below(4) ? out : random.below(2);
    for (let k = random.below(4); k > 0; k--) {
        const [pose, slot] = [random.below(count), random.below(nodes)];
        yield { method: 'setLocal', of, pose, slot, trs: transform(random, data) };
    }
    yield { method: 'toGlobal', of };
    yield { method: 'palettes', of, offset: offset() };
    const chosen = Uint16Array.from({ length: random.below(9) }, () => random.below(nodes));
    yield { method: 'joints', of, offset: offset(), chosen };
    yield { method: 'skinVertices', of, offset: offset(), withNormals: random.below(4) > 0 };
    yield { method: 'bounds', of, offset: offset() };
    const clip = random.below(parts.clips.length);
    const [t0, t1] = [random.signed() * 5, random.signed() * 5];
    yield { method: 'rootDelta', clip, t0, t1, slot: random.below(nodes), loop: random.of(['clamp', 'wrap']) };
    // Last, because it replaces the evaluated poses.
    yield { method: 'bakePalettes', to: 1, offset: count % 16, ...second };
}

/** The key fixes the case, so each case can be repeated by itself. */
function makeRigCase(key) {
    const random = createRandom(`Rig/${key}`);
    const data = random.of(DATA);
    const parts = rigParts(random, data);
    const nodes = parts.parents.length;
    const count = 1 + random.below(MOST_POSES);
    const made = {
        key,
        data,
        parts,
        count,
        capacity: count + random.below(40),
        only: random.below(3) ? null : Uint16Array.from({ length: 1 + random.below(nodes) }, () => random.below(nodes)),
        shared: random.below(4) > 0,
        offsets: [random.below(16), random.below(16), random.below(16)],
    };
    return { ...made, calls: [...roundOf(random, made), ...roundOf(random, made)] };
}

function* rigCasesOf(size) {
    for (let k = 0; k < SIZES[size]; k++) yield makeRigCase(`any/${k}`);
}

function describeRigCase({ key, data, count, only, parts }) {
    const { parents, clips, skins, meshes } = parts;
    const has = `${parents.length} nodes, ${clips.length} clips, ${skins.length} skins, ${meshes.length} meshes`;
    return `Rig (case ${key}): data ${data}, ${has}, ${count} poses, ${only === null ? 'all' : 'some'} slots`;
}

function runOne(made, { name, create }, visit) {
    try {
        runRigCase(made, create, visit);
    } catch (error) {
        if (error.isDifference) throw error;
        throw new Error(`${describeRigCase(made)}:\n  ${name}: ${error.message}`, { cause: error });
    }
}

/**
 * Compares implementations.
 *
 * @param implementations `{ name, create(parts) }`; the first is the reference.
 * @returns The number of cases, and the calls and floats of each by method.
 * @throws Error The first difference, in words.
 */
function sweepRigs(size, implementations) {
    const [reference, ...others] = implementations;
    const counts = Object.fromEntries(RIG_METHODS.map((method) => [method, { results: 0, floats: 0 }]));
    let cases = 0;
    for (const made of rigCasesOf(size)) {
        const expected = [];
        runOne(made, reference, (method, floats) => {
            expected.push(bitsOf(floats).slice());
            counts[method].results++;
            counts[method].floats += floats.length;
        });
        for (const other of others) {
            let result = 0;
            runOne(made, other, (method, floats, where) => {
                const bits = bitsOf(floats);
                const known = expected[result++];
                const at = bits.length === known.length ? firstDifference(bits, known) : known.length;
                if (at < 0) return;
                const shown = `${other.name} ${showBits(bits[at])}, ${reference.name} ${showBits(known[at])}`;
                const error = new Error(`${describeRigCase(made)}:\n  ${method}, ${where(at)}: ${shown}`);
                throw Object.assign(error, { isDifference: true });
            });
            if (result !== expected.length)
                throw new Error(`${describeRigCase(made)}:\n  ${other.name}: other results`);
        }
        cases++;
    }
    return { cases, counts };
}

/** Feeds a hash with numbers, texts and lists of any depth. */
function feed(hash, value) {
    if (ArrayBuffer.isView(value)) {
        hash.update(`${value.constructor.name} ${value.length}\n`);
        hash.update(value);
    } else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
            hash.update(`${name}\n`);
            feed(hash, inner);
        }
    } else {
        hash.update(`${Object.is(value, -0) ? '-0' : value}\n`);
    }
}

/**
 * The SHA-256 of the golden cases: of the inputs, to tell a changed generator from a wrong kernel, and of the results of each
 * method of each implementation.
 */
function hashRigs(implementations) {
    const inputs = createHash('sha256');
    const outputs = implementations.map(() =>
        Object.fromEntries(RIG_METHODS.map((method) => [method, createHash('sha256')])),
    );
    for (const made of rigCasesOf('golden')) {
        feed(inputs, made);
        implementations.forEach((implementation, k) => {
            runOne(made, implementation, (method, floats) => {
                outputs[k][method].update(canonicalise(bitsOf(floats).slice()));
            });
        });
    }
    return {
        inputs: inputs.digest('hex'),
        outputs: Object.fromEntries(
            implementations.map(({ name }, k) => [
                name,
                Object.fromEntries(RIG_METHODS.map((method) => [method, outputs[k][method].digest('hex')])),
            ]),
        ),
    };
}

/**
 * Every implementation of the Rig that runs here, strict/typescript first.
 *
 * @param rig The Rig's modules, built or not: `Rig`, `sourceOfParts`, `compiledRigs`, `typescriptRig`.
 */
function rigImplementations({ Rig, sourceOfParts, compiledRigs, typescriptRig }) {
    const native = compiledRigs.flatMap(({ implementation }) => implementation ?? []);
    return [typescriptRig, ...native].map((implementation) =>
        rigImplementation({ Rig, sourceOfParts }, implementation),
    );
}

/** Checked parts, because several implementations use the same ones. */
const sources = new WeakMap();

/** `Rig.create`, with this implementation. */
function rigImplementation({ Rig, sourceOfParts }, implementation) {
    return {
        name: implementation.name,
        create(parts) {
            const source = sources.get(parts) ?? sourceOfParts(parts);
            sources.set(parts, source);
            return new Rig(source, new Uint8Array(source.nodes.length).fill(1), implementation);
        },
    };
}

/**
 * The same for the built package.
 *
 * @param changed Makes a replacement of each implementation in the addon; then only these run.
 * @param dist The folder of the build.
 */
function builtRigs(changed, dist = `${__dirname}/../../../dist`) {
    const { Rig } = require(`${dist}/rig/rig.js`);
    const { sourceOfParts } = require(`${dist}/rig/source/from-parts.js`);
    const { compiledRigs } = require(`${dist}/rig/compiled.js`);
    const { typescriptRig } = require(`${dist}/rig/kernels/index.js`);
    if (changed === undefined) return rigImplementations({ Rig, sourceOfParts, compiledRigs, typescriptRig });
    return compiledRigs
        .flatMap(({ implementation }) => implementation ?? [])
        .map((implementation) => rigImplementation({ Rig, sourceOfParts }, changed(implementation)));
}

module.exports = { RIG_METHODS, builtRigs, hashRigs, rigImplementation, rigImplementations, sweepRigs };
