// SPDX-License-Identifier: MIT
'use strict';

const { createRandom } = require('../sweep/random.cjs');
const { MANIFEST_SUBJECTS, drawSubject } = require('./subjects.cjs');

/**
 * What a case is about, by seed and number alone.
 *
 * @returns `{ n, key, aboutBake, name, subject, compare }`; `subject` is the name as it is reported.
 */
function drawCase(seed, n) {
    const key = `${seed}/${n}`;
    const random = createRandom(`${key}/subject`);
    const aboutBake = random.below(10) === 0;
    const name = aboutBake ? random.of(Object.keys(MANIFEST_SUBJECTS)) : drawSubject(random);
    const compare = random.below(8) === 0 && name !== 'inspect' && name !== 'verify';
    return { n, key, aboutBake, name, subject: aboutBake ? `manifest ${name}` : name, compare };
}

module.exports = { drawCase };
