// SPDX-License-Identifier: MIT
/** @type {import('jest').Config} */
module.exports = {
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    transform: {
        '\\.[mc]?ts$': [
            '@swc/jest',
            { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
        ],
    },
    // three's GLTFLoader and its like come as ES modules only; Node loads them, not jest (test/support/three.ts).
    moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build'],
    testEnvironment: 'node',
    // The machine may be busy; no test's outcome depends on its time.
    testTimeout: 60_000,
    reporters: ['default', '<rootDir>/scripts/reporter.cjs'],
};
