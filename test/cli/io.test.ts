// SPDX-License-Identifier: MIT

/** Names from files: their control characters do not reach a terminal, and JSON keeps its value. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../lib/base/messages';
import { jsonText, red, writeLine, writeText } from '../../lib/cli/io';
import { scratchFolder } from '../support/temporary-folder';
import { poselane, put, readJson } from './command-line';
import { smallGltf } from './small-gltf';

/** C0, DEL and C1; bidirectional controls (UAX #9, 2); line and paragraph separators; other invisible characters. */
const UNSAFE = [
    '0-1f 7f-9f',
    '61c 200e-200f 202a-202e 2066-2069',
    '2028-2029',
    'ad 34f 115f-1160 200b-200d 2060-2064 3164',
    'feff fff9-fffb e0001 e0020-e007f d800-dfff',
]
    .flatMap((line) => line.split(' '))
    .flatMap((range) => {
        const [first, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16));
        return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i);
    });

const written = () => {
    const texts: string[] = [];
    return { texts, output: { write: (text: string) => texts.push(text) } };
};

test('misleading characters are printed as JSON escapes; all others stay', () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    const shown = all.map(visible);
    expect(UNSAFE.filter((code) => !/^(\\u[0-9a-f]{4}){1,2}$/.test(shown[code]!))).toEqual([]);
    const changed = all.filter((text, code) => shown[code] !== text);
    expect(changed.filter((text) => JSON.parse(`"${visible(text)}"`) !== text)).toEqual([]);
    // Letters, marks, numbers, punctuation and symbols stay, except four blank ones.
    const isSeen = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && !/[\u115f\u1160\u3164\uffa0]/.test(text);
    expect(changed.filter(isSeen)).toEqual([]);
    expect(visible('Zażółć ходьба 歩く مشي ⚔️ naïve')).toBe('Zażółć ходьба 歩く مشي ⚔️ naïve');
});

test('colors of the command itself stay; those of names do not', () => {
    const { texts, output } = written();
    const { NO_COLOR, TERM } = process.env;
    delete process.env.NO_COLOR;
    process.env.TERM = 'xterm';
    writeLine({ ...output, isTTY: true }, red('bad\u001b[32m'), ' \u202ename\n');
    Object.assign(process.env, { TERM });
    if (NO_COLOR !== undefined) process.env.NO_COLOR = NO_COLOR;
    expect(texts).toEqual(['\u001b[31mbad\\u001b[32m\u001b[39m \\u202ename\\u000a\n']);
});

test('JSON has the same value, and texts keep their lines', () => {
    const value = {
        [`key${String.fromCodePoint(0x9b)}`]: UNSAFE.map((code) => String.fromCodePoint(code)),
        more: ['\\u202e'],
    };
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(visible(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    const { texts, output } = written();
    writeText(output, 'one\u009b\ntwo\n');
    expect(texts).toEqual(['one\\u009b\ntwo\n']);
});

test('lib/cli writes to streams only by these functions', () => {
    const folder = join(__dirname, '../../lib/cli');
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
    const count = (name: string) =>
        readFileSync(join(folder, name), 'utf8').match(
            /(output|std(out|err))\.write\(|console\.|process\.std(out|err)\.write/g,
        )?.length ?? 0;
    const found = files.flatMap((name) => (count(name) === 0 ? [] : [[name, count(name)]]));
    // A line of numbers that is erased, and the writers themselves.
    expect(found.sort()).toEqual([
        ['bench.ts', 2],
        ['io.ts', 3],
    ]);
});

describe('each command, with a file whose names have such characters', () => {
    const NAME = `name\u001b\u009b\u202e\u2066\u0085\u2028\u200b\ufeff[31mend`;
    const home = process.cwd();
    const folder = scratchFolder();
    beforeAll(() => {
        process.chdir(folder());
        const json = JSON.parse(smallGltf({ clips: [NAME] }));
        for (const named of [...json.nodes, ...json.skins]) named.name = NAME;
        json.animations[0].channels.push({ sampler: 0, target: { path: 'translation' } });
        put('in\u202e.gltf', JSON.stringify(json));
        put('other\u009b.glb', 'HIERARCHY\nROOT');
    });
    afterAll(() => process.chdir(home));

    const bake = 'in\u202e.bake.json';
    test.each<string[]>([
        ['inspect', 'in\u202e.gltf'],
        ['inspect', 'in\u202e.gltf', '--json'],
        ['inspect', 'in\u202e.gltf', '--animations', 'in\u202e.gltf'],
        ['bake', 'in\u202e.gltf', '-o', '.', '-v', '--fps', '5'],
        ['bake', 'in\u202e.gltf', '-o', '.', '--json', '--fps', '5'],
        ['bake', 'in\u202e.gltf', '-o', '.', '--clips', 'no\u202e'],
        ['bake', 'in\u202e.gltf', '-o', '.', '--no\u202e'],
        ['bake', 'other\u009b.glb', '-o', '.'],
        ['bake', 'in\u202e.gltf', 'other\u009b.glb', '-o', '.', '--report', 'report.json'],
        ['bake', 'missing\u202e*.glb', '-o', '.'],
        ['reduce', 'in\u202e.gltf', '-o', 'out\u202e.glb', '-v'],
        ['reduce', 'in\u202e.gltf', '-o', 'out\u202e.glb', '--json'],
        ['verify', 'in\u202e.gltf', bake],
        ['verify', 'in\u202e.gltf', bake, '--json'],
        ['verify', 'in\u202e.gltf', 'out\u202e.glb', '--max-error', '0.1mm'],
        ['verify', 'in\u202e.gltf', 'out\u202e.glb', '--json'],
        ['diff', bake, bake, '--json'],
        ['view', 'in\u202e.gltf', '--html', 'page\u202e.html'],
        ['\u202e'],
    ])('%j %j %j %j %j', async (...argv) => {
        const { stdout, stderr } = await poselane(argv);
        const text = stdout + stderr;
        expect(text).not.toBe('');
        expect([...text].filter((character) => visible(character) !== character && character !== '\n')).toEqual([]);
        if (argv.includes('--json')) expect(() => JSON.parse(stdout)).not.toThrow();
        if (argv.includes('--report')) {
            const report = readFileSync('report.json', 'utf8');
            expect(visible(report.replaceAll('\n', ''))).toBe(report.replaceAll('\n', ''));
            const inputs = [{ input: 'in\u202e.gltf' }, { input: 'other\u009b.glb' }];
            expect(readJson('report.json')).toMatchObject({ inputs });
        }
    });
});
