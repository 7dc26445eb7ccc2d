// SPDX-License-Identifier: MIT

// glTF-Transform's property-graph comes as an ES module only, which jest does not load: compiled for it here, as
// jest's configuration would with a `transform` for that package.
jest.mock('property-graph', () => {
    const { readFileSync } = jest.requireActual<typeof import('node:fs')>('node:fs');
    const { transformSync } = jest.requireActual<typeof import('@swc/core')>('@swc/core');
    const source = readFileSync(require.resolve('property-graph'), 'utf8');
    const { code } = transformSync(source, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } });
    const module = { exports: {} };
    new Function('module', 'exports', code)(module, module.exports);
    return module.exports;
});

export {};
