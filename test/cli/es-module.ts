// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { transformSync } from '@swc/core';

/**
 * Loads a package that comes as one ES module only, for `jest.mock`: Node's `require` can do so, that of jest 30 cannot
 * before Node 24.9.
 *
 * @param file Path of the module, which imports nothing.
 */
export function loadEsModule(file: string): unknown {
    const { code } = transformSync(readFileSync(file, 'utf8'), {
        module: { type: 'commonjs' },
        jsc: { target: 'es2022' },
    });
    const exported = {};
    new Function('exports', code)(exported);
    return exported;
}
