// SPDX-License-Identifier: MIT
'use strict';

/**
 * The sweep: runs many cases of every routine by several implementations, which must agree bit for bit. Also hashes fixed
 * cases for the golden files. `npm run sweep`, `npm run golden`, two jest tests and the runs under qemu use it.
 */

const { createHash } = require('node:crypto');
const { bitsOf, canonicalise, firstDifference, showBits } = require('./bits.cjs');
const { casesOf, describeCase } = require('./cases.cjs');
const { ROUTINE_NAMES, ROUTINES } = require('./routines.cjs');
const { runCase } = require('./run.cjs');

function differenceText(made, name, reference, at, actual, expected) {
    const floats = ROUTINES[made.routine].description.lists[0].floats;
    const element = Math.floor(at / floats);
    const own = made.lists.find((list) => list.name === 'lerps' || list.name === 't');
    const t = own && element < own.values.length ? `, its t ${own.values[element]}` : '';
    return (
        `${describeCase(made)}:\n  element ${element}, float ${at % floats}${t}: ` +
        `${name} ${showBits(actual)}, ${reference} ${showBits(expected)}`
    );
}

function run(made, name, kernels) {
    try {
        return runCase(made, kernels);
    } catch (error) {
        throw new Error(`${describeCase(made)}:\n  ${name}: ${error.message}`, { cause: error });
    }
}

/**
 * Compares implementations on one routine.
 *
 * @param implementations `{ name, kernels }`; the first is the reference.
 * @returns The number of cases and elements of each.
 * @throws Error The first difference, in words.
 */
function sweepRoutine(routine, size, implementations) {
    const [reference, ...others] = implementations;
    for (const { name, kernels } of implementations) {
        if (STRICT.includes(name) && kernels[routine] === undefined) throw new Error(`${name} has no ${routine}`);
    }
    let cases = 0;
    let elements = 0;
    let expected = new Int32Array(0);
    for (const made of casesOf(routine, size)) {
        const bits = run(made, reference.name, reference.kernels);
        if (expected.length < bits.length) expected = new Int32Array(2 * bits.length);
        const kept = expected.subarray(0, bits.length);
        kept.set(bits);
        for (const { name, kernels } of others) {
            if (kernels[routine] === undefined) continue; // Not every routine can be bound.
            const actual = run(made, name, kernels);
            const at = firstDifference(actual, kept);
            if (at >= 0) throw new Error(differenceText(made, name, reference.name, at, actual[at], kept[at]));
        }
        cases++;
        elements += made.count;
    }
    return { cases, elements };
}

/** The names of the strict implementations, the reference first. */
const STRICT = [
    'strict/typescript',
    'strict/wasm',
    'strict/scalar',
    'strict/sse2',
    'strict/avx2',
    'strict/avx512',
    'strict/neon',
];

/** Those of them that run here, with their functions. `poselane` is the package, or as much of it. */
function strictImplementations({ implementation, implementations }) {
    const available = new Set(
        implementations()
            .filter((entry) => entry.available)
            .map(({ name }) => name),
    );
    return STRICT.filter((name) => available.has(name)).map((name) => ({ name, kernels: implementation(name) }));
}

/** The functions that fix their lists first and run afterwards, as if they were ordinary ones. */
function boundFunctions(poselane) {
    const kernels = {};
    for (const routine of ROUTINE_NAMES) {
        const bind = poselane[`bind${routine[0].toUpperCase()}${routine.slice(1)}`];
        if (bind === undefined) continue;
        const { lists, parameter } = ROUTINES[routine].description;
        // The number that a bound function gets only when it runs.
        const at = lists.length;
        kernels[routine] = (...values) => {
            if (parameter === undefined) bind(...values).run();
            else bind(...values.filter((_, k) => k !== at)).run(values[at]);
        };
    }
    return kernels;
}

/**
 * The plain functions of the package, which treat short and long lists differently, and the bound functions. Empty
 * unless a strict implementation runs them.
 */
function plainImplementations(poselane) {
    if (!poselane.defaultImplementation.startsWith('strict/')) return [];
    return [
        { name: 'the plain functions', kernels: poselane },
        { name: 'the bound functions', kernels: boundFunctions(poselane) },
    ];
}

/**
 * The SHA-256 of the golden cases of a routine: of the inputs, to tell a changed generator from a wrong kernel, and of the
 * results of each implementation, by name.
 */
function hashRoutine(routine, implementations) {
    const having = implementations.filter(({ kernels }) => kernels[routine] !== undefined);
    const inputs = createHash('sha256');
    const outputs = having.map(() => createHash('sha256'));
    for (const made of casesOf(routine, 'golden')) {
        inputs.update(`${describeCase(made)}\n`);
        for (const { values } of made.lists) inputs.update(canonicalise(bitsOf(values).slice()));
        if (made.integers !== null) inputs.update(made.integers);
        having.forEach(({ name, kernels }, k) => {
            outputs[k].update(canonicalise(run(made, name, kernels)));
        });
    }
    return {
        inputs: inputs.digest('hex'),
        outputs: Object.fromEntries(having.map(({ name }, k) => [name, outputs[k].digest('hex')])),
    };
}

module.exports = { ROUTINE_NAMES, STRICT, hashRoutine, plainImplementations, strictImplementations, sweepRoutine };
