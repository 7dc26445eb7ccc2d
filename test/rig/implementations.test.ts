// SPDX-License-Identifier: MIT

import { compiledRigs } from '../../lib/rig/compiled';
import { Rig } from '../../lib/rig/rig';
import { withoutAddon } from '../support/baked';
import { describeUnless } from '../support/unless';

type Implementations = typeof import('../../lib/rig/implementations');

/** The module, loaded with this `POSELANE_BACKEND`. */
function loadedWith(backend: string | undefined): Implementations {
    const before = process.env.POSELANE_BACKEND;
    if (backend === undefined) delete process.env.POSELANE_BACKEND;
    else process.env.POSELANE_BACKEND = backend;
    try {
        let loaded: Implementations | undefined;
        jest.isolateModules(() => {
            loaded = require('../../lib/rig/implementations');
        });
        return loaded!;
    } finally {
        if (before === undefined) delete process.env.POSELANE_BACKEND;
        else process.env.POSELANE_BACKEND = before;
    }
}

const chosen = (backend: string | undefined) => {
    const { defaultRig, evaluationImplementation, evaluationBackend } = loadedWith(backend);
    expect(evaluationImplementation).toBe(defaultRig.name);
    return [evaluationImplementation, evaluationBackend];
};

test.each(['ts', 'strict/typescript', 'paper/typescript'])('%s: TypeScript', (backend) => {
    expect(chosen(backend)).toEqual(['strict/typescript', 'ts']);
});

test.each(['wasm', 'strict/wasm'])('%s: WebAssembly', (backend) => {
    expect(chosen(backend)).toEqual(['strict/wasm', 'wasm']);
});

test('an unknown name is rejected', () => {
    expect(() => loadedWith('abacus')).toThrow(/POSELANE_BACKEND must be/);
});

test('a rig takes the default', () => {
    const rig = Rig.create({ parents: [-1], rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] });
    expect(rig.implementation).toBe(loadedWith(process.env.POSELANE_BACKEND).evaluationImplementation);
});

describeUnless(withoutAddon(), 'with the addon', () => {
    const tiers = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);

    test('a named tier is used', () => {
        expect(tiers).toContain('strict/scalar');
        for (const name of tiers) expect(chosen(name)).toEqual([name, name === 'strict/wasm' ? 'wasm' : 'native']);
    });

    test.each([undefined, '', 'native', 'paper/sse', 'paper/c', 'eberly/sse2'])(
        '%p: the best implementation of the addon',
        (backend) => {
            expect(chosen(backend)).toEqual([tiers[0], 'native']);
        },
    );
});
