// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../../support/engines';
import { CHARACTER } from '../../support/models';
import { askForMatrices, askOracle } from '../../support/oracle-process';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const SKIN = { skin: 0, clips: [{ animation: 0, times: [0] }] };

/** An oracle of these statements, after the beginning that all have. */
function script(name: string, statements: string): string {
    const path = join(folder(), `${name}.mjs`);
    const child = pathToFileURL(join(__dirname, '../../support/oracle-child.mjs'));
    writeFileSync(path, `import { answer, begin, request } from '${child}';\n${statements}\n`);
    return path;
}

function messageOf(ask: () => unknown): string {
    try {
        ask();
    } catch (error) {
        return (error as Error).message;
    }
    return 'no error';
}

test('an oracle that hangs is killed, and the error names the input that was at work', () => {
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
    const path = script('hanging', `begin(request[0].file); begin(request[1].file); ${wait}`);
    const request = [{ file: 'good.glb' }, { file: 'bad.glb' }, { file: 'next.glb' }];
    // On a busy machine a process may take that long to begin at all.
    for (let patience = 1000; patience < 30_000; patience *= 2) {
        const message = messageOf(() => askOracle(path, request, { patience }));
        expect(message).toContain(`did not end within ${patience} ms: killed`);
        if (message.endsWith('at work on bad.glb\n')) return;
    }
    throw new Error('the input that was at work is not named');
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

test('more or fewer numbers than joints need are an error', () => {
    const path = script('answering', 'answer(new Float64Array(32));');
    const ask = (joints: number) => askForMatrices(path, [{ file: 'a.glb', ...SKIN }], [joints]);
    expect(ask(2)).toEqual([[new Float64Array(32)]]);
    expect(() => ask(3)).toThrow('answering.mjs gave 32 numbers, too few');
    expect(() => ask(1)).toThrow('answering.mjs gave 32 numbers where 16 were due');
});

describe.each(ENGINE_NAMES)('%s', (name) => {
    const engine = ENGINES[name as EngineName];

    test('out of time: an error that names what was asked', () => {
        const ask = () => engine([{ file: CHARACTER.path, ...SKIN }], [34], { patience: 1 });
        expect(ask).toThrow(/character\.glb.* did not end within 1 ms: killed/);
    });

    test('a file that is none: an error that names it', () => {
        const path = join(folder(), 'none.gltf');
        writeFileSync(path, '{ "asset": ');
        expect(() => engine([{ file: path, ...SKIN }], [1])).toThrow(
            /at work on .*none\.gltf, ended with 1: [\s\S]*JSON/,
        );
    });
});
