// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENGINE_NAMES, ENGINES, type EngineName } from './engines';
import { CHARACTER } from './models';
import { askOracle } from './oracle-process';
import { scratchFolder } from './temporary-folder';

const folder = scratchFolder();
const SKIN = { skin: 0, clips: [{ animation: 0, times: [0] }] };

/** An oracle of these statements, after the beginning that all have. */
function script(name: string, statements: string): string {
    const path = join(folder(), `${name}.mjs`);
    const child = pathToFileURL(join(__dirname, 'oracle-child.mjs'));
    writeFileSync(path, `import { answer, begin, request } from '${child}';\n${statements}\n`);
    return path;
}

test('an oracle that hangs is killed, and the error names the input that was at work', () => {
    const path = script('hanging', 'begin(request[0].file); begin(request[1].file); for (;;);');
    const ask = () =>
        askOracle(path, [{ file: 'good.glb' }, { file: 'bad.glb' }, { file: 'next.glb' }], { patience: 2500 });
    expect(ask).toThrow(/^hanging\.mjs, at work on bad\.glb, gave no answer within 2500 ms: killed/);
});

test('an oracle that fails is an error, with the input and what it said', () => {
    const path = script('failing', "begin(request[0].file); throw new Error('no such thing');");
    expect(() => askOracle(path, [{ file: 'bad.glb' }])).toThrow(
        /at work on bad\.glb, ended with 1: [\s\S]*no such thing/,
    );
});

test('what an engine logs is no part of the answer', () => {
    const path = script('talking', "console.log('hello'); console.warn('there'); answer(Float64Array.of(1.5, -2));");
    expect([...askOracle(path, [])]).toEqual([1.5, -2]);
});

describe.each(ENGINE_NAMES)('%s', (name) => {
    const engine = ENGINES[name as EngineName];

    test('out of time: an error that names what was asked', () => {
        const ask = () => engine([{ file: CHARACTER.path, ...SKIN }], [34], { patience: 20 });
        expect(ask).toThrow(/gave no answer within 20 ms: killed\. Its request: .*character\.glb/);
    });

    test('a file that is none: an error that names it', () => {
        const path = join(folder(), 'none.gltf');
        writeFileSync(path, '{ "asset": ');
        expect(() => engine([{ file: path, ...SKIN }], [1])).toThrow(
            /at work on .*none\.gltf, ended with 1: [\s\S]*JSON/,
        );
    });

    test('more or fewer numbers than joints need are an error', () => {
        const request = [{ file: CHARACTER.path, ...SKIN }];
        expect(() => engine(request, [35])).toThrow('gave 544 numbers, too few');
        expect(() => engine(request, [33])).toThrow('gave 544 numbers where 528 were due');
    });
});
