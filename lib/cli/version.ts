// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** That of the package. */
export function packageVersion(): string {
    // lib/cli and dist/cli are equally deep.
    return JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')).version;
}
