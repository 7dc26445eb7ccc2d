// SPDX-License-Identifier: MIT

/** One quick case of each kind in test/long/limits.mjs; the nightly run has them all. */

import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

const SMALL: [name: string, outcome: string][] = [
    ['2^31 sparse elements', 'GLTF_INVALID /accessors/1/sparse/count'],
    ['20,000 skins', 'OUTPUT_TOO_LARGE /skins'],
    ['a clip of 3e38 seconds', 'OUTPUT_TOO_LARGE '],
    ['JSON of a million nested lists', '25 rows'],
    ['a meshopt stream of 256 KB for 128 MiB', 'GLTF_INVALID /bufferViews/1'],
    ['300 views of a Draco stream of 90,000 points', 'GLTF_INVALID /accessors/3/count'],
];

/** The worst of those in docs/tables/reliability.md; `node test/long/limits.mjs --nodes` runs them all. */
const LARGE: [name: string, outcome: string][] = [
    ['star-all', 'GLTF_INVALID /skins/0/joints'],
    ['star-warned', '25 rows, 1001 warnings'],
    ['star-at-limit', '25 rows, 0 warnings'],
];

test.each([
    ['small files that ask for much', SMALL, 1],
    ['files of a million nodes, and of as many as the limit allows,', LARGE, 0],
])(
    '%s are refused or baked within 10 s and 1 GiB',
    (_, files, baked) => {
        const args = ['test/long/limits.mjs', ...files.map(([name]) => name)];
        const { status, stdout } = runNode(args, { cwd: ROOT });
        const results = stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
        expect(results.map(({ name, failed, outcomes }) => [name, failed ?? outcomes[baked]])).toEqual(files);
        expect(status).toBe(0);
    },
    240_000,
);
