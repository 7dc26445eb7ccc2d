// SPDX-License-Identifier: MIT
'use strict';

/** Outcomes of a case: a digest, one of poselane's own errors, or a finding. */

const { createHash } = require('node:crypto');
const { createRandom } = require('../sweep/random.cjs');

/** Errors that a wrong file may cause. */
const TYPED = new Set(['InputError', 'UsageError', 'ToleranceError']);

/** A fault without an exception: a file left behind, a wrong exit code. */
class Finding extends Error {
    name = 'Finding';
}

function isTyped(error) {
    return error instanceof Error && TYPED.has(error.name) && typeof error.code === 'string' && error.message !== '';
}

const hashOf = (...parts) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
};

function resolverOf(beside) {
    return async (name) => {
        if (Object.hasOwn(beside, name)) return beside[name];
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    };
}

/** Gives `{ digest }` or `{ refused }`. Throws findings. */
async function outcomeOf(subject, poselane, file, key, places, allowed = isTyped) {
    try {
        return { digest: await subject(poselane, file, createRandom(key), places) };
    } catch (error) {
        if (!allowed(error)) throw error;
        return { refused: `${error.code} ${error.message}` };
    }
}

const TABLE_CODES = ['ERR_BAKE_INVALID', 'ERR_BINARY_DIFFERS', 'ERR_COUNT_RANGE'];

/** Tables have their own errors. */
const isTableError = (error) => isTyped(error) || (error instanceof RangeError && TABLE_CODES.includes(error.code));

module.exports = { Finding, hashOf, isTableError, isTyped, outcomeOf, resolverOf };
