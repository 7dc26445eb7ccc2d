// SPDX-License-Identifier: MIT
'use strict';

/** What came of a file: a digest, one of poselane's own errors, or a finding. What subjects share. */

const { createHash } = require('node:crypto');
const { createRandom } = require('../sweep/random.cjs');

/** What a wrong file may be answered by. */
const TYPED = new Set(['InputError', 'UsageError', 'ToleranceError']);

/** A fault that is no exception: a file left behind, a wrong exit code. */
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

/** What came of a subject: `{ digest }` or `{ refused }`; throws what is a finding. */
async function outcomeOf(subject, poselane, file, key, places, allowed = isTyped) {
    try {
        return { digest: await subject(poselane, file, createRandom(key), places) };
    } catch (error) {
        if (!allowed(error)) throw error;
        return { refused: `${error.code} ${error.message}` };
    }
}

const TABLE_CODES = ['ERR_BAKE_INVALID', 'ERR_BINARY_DIFFERS', 'ERR_COUNT_RANGE'];

/** Tables have errors of their own. */
const isTableError = (error) => isTyped(error) || (error instanceof RangeError && TABLE_CODES.includes(error.code));

module.exports = { Finding, hashOf, isTableError, isTyped, outcomeOf, resolverOf };
