// SPDX-License-Identifier: MIT
'use strict';

/** What a process tells whoever watches it. */

const fs = require('node:fs');
const path = require('node:path');

/** A file with the number of the case, beside the memory that there was before the first. */
function createProgress(folder, baseline) {
    const file = fs.openSync(path.join(folder, 'progress'), 'w');
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(baseline, 8);
    return (n) => {
        bytes.writeDoubleLE(n);
        fs.writeSync(file, bytes, 0, 16, 0);
    };
}

function describeError(error) {
    if (!(error instanceof Error)) return `threw ${String(error)}`;
    return `${error.name}: ${error.message}`.slice(0, 500);
}

/** @param file What was mutated: it is kept in the folder. */
function tellFinding(folder, { n, key, subject }, error, file) {
    const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join('\n') : '';
    const saved = path.join(folder, `finding-${n}.${file?.isGlb ? 'glb' : 'json'}`);
    if (file) fs.writeFileSync(saved, file.bytes ?? file.text ?? '');
    process.send({ finding: { n, key, subject, message: describeError(error), stack, saved } });
}

module.exports = { createProgress, describeError, tellFinding };
