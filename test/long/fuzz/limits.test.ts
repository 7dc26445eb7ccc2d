// SPDX-License-Identifier: MIT

/** Some of test/long/limits.mjs, one of each kind that takes no long time; CI runs all of it. */

import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

const SOME: [name: string, outcome: string][] = [
    ['2^31 sparse elements', 'GLTF_INVALID /accessors/1/sparse/count'],
    ['20,000 skins', 'OUTPUT_TOO_LARGE /skins'],
    ['a clip of 3e38 seconds', 'OUTPUT_TOO_LARGE '],
    ['JSON of a million nested lists', '31 rows'],
    ['a meshopt stream of 256 KB for 128 MiB', 'GLTF_INVALID /bufferViews/1'],
    ['300 views of a Draco stream of 90,000 points', 'GLTF_INVALID /accessors/3/count'],
];

test('small files that ask for much are refused or done within 10 s and 1 GiB', () => {
    const args = ['test/long/limits.mjs', ...SOME.map(([name]) => name)];
    const { status, stdout } = runNode(args, { cwd: ROOT });
    const results = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(results.map(({ name, outcomes, failed }) => [name, failed ?? outcomes[1]])).toEqual(SOME);
    expect(status).toBe(0);
});
