// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let version: string | undefined;

export function packageVersion(): string {
    // lib/cli and dist/cli are equally deep.
    version ??= JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')).version as string;
    return version;
}
