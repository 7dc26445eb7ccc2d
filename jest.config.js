// SPDX-License-Identifier: MIT
const { npm_lifecycle_event: command } = process.env;
// The processes that jest starts have it from this one.
if (command === 'test:wasm') process.env.POSELANE_BACKEND = 'wasm';

/** @type {import('jest').Config} */
module.exports = {
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    // `npm test` is the short suite, and so is `npm run test:wasm`, without the addon; `npm run test:all` and `npx jest` run test/long
    // as well, CI most of it, the nightly run all.
    testPathIgnorePatterns: ['test', 'test:wasm'].includes(command) ? ['<rootDir>/test/long/'] : [],
    transform: {
        '\\.[mc]?ts$|/property-graph/.*\\.mjs$|/three/build/.*\\.js$|/meshopt_encoder\\.js$|/fast-png/.*\\.js$|/iobuffer/.*\\.js$':
            [
                '@swc/jest',
                { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
            ],
    },
    moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build'],
    // ES modules only: what glTF-Transform's CommonJS build requires, three.js, meshoptimizer's encoder, and fast-png.
    transformIgnorePatterns: ['/node_modules/(?!property-graph/|three/build/|meshoptimizer/|fast-png/|iobuffer/)'],
    moduleNameMapper: { '^three$': '<rootDir>/node_modules/three/build/three.module.js' },
    testEnvironment: 'node',
    setupFilesAfterEnv: ['<rootDir>/test/support/quick-expect.ts'],
    // In jest's sandbox every look-up of a global is slow, unless each module is given it: a third of all time. (three/webgpu has
    // a Buffer of its own.)
    sandboxInjectedGlobals: [
        ...['Array', 'ArrayBuffer', 'Boolean', 'DataView', 'Error', 'Infinity', 'JSON', 'Map', 'Math'],
        ...['Number', 'Object', 'Set', 'SharedArrayBuffer', 'String', 'Float32Array', 'Float64Array', 'Int8Array'],
        ...['Int16Array', 'Int32Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'],
    ],
    // The machine may be busy; no test's outcome depends on its time.
    testTimeout: 60_000,
    // A process whose heap has grown beyond this is replaced: with each test file Jest 30 makes every promise a little slower.
    workerIdleMemoryLimit: '500MB',
    // On the two processors of a small machine the default would be one worker.
    maxWorkers: '100%',
    testSequencer: '<rootDir>/test/support/sequencer.cjs',
    reporters: ['default', '<rootDir>/test/support/reporter.cjs'],
};
