// SPDX-License-Identifier: MIT

/** Slow test files are started first, wherever the project lies. */

const Sequencer = require('./sequencer.cjs') as new () => { sort(tests: object[]): { path: string }[] };

test.each(['/home/poselane', '/home/examples/browser'])(
    'slow files first, large ones before small ones: %s',
    (rootDir) => {
        const sizes = {
            'test/a.test.ts': 1,
            'test/b.test.ts': 9,
            'test/browser/c.test.ts': 2,
            'test/long/cli/d.test.ts': 3,
        };
        const getSize = (path: string) => sizes[path.slice(rootDir.length + 1) as keyof typeof sizes];
        const context = { config: { rootDir, cache: false }, hasteFS: { getSize } };
        const tests = Object.keys(sizes).map((name) => ({ path: `${rootDir}/${name}`, context }));
        const names = new Sequencer().sort(tests).map(({ path }) => path.slice(rootDir.length + 1));
        const expected = ['test/long/cli/d.test.ts', 'test/browser/c.test.ts', 'test/b.test.ts', 'test/a.test.ts'];
        expect(names).toEqual(expected);
    },
);
