// SPDX-License-Identifier: MIT

/** Colours are for terminals alone: the built command behind a pseudo-terminal, and through pipes. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paint } from '../../../lib/cli/io';
import { inNewFolder } from '../../cli/command-line';
import { smallGltf } from '../../cli/small-gltf';
import { runProgram } from '../../support/processes';

const MAIN = join(__dirname, '../../../dist/cli/main.js');

inNewFolder();
beforeEach(() => {
    writeFileSync('small.gltf', smallGltf());
    const gltf = JSON.parse(smallGltf());
    gltf.nodes.push({ name: 'elsewhere' });
    gltf.animations[1].channels[0].target.node = 2;
    writeFileSync('warned.gltf', JSON.stringify(gltf));
});

/** Without what would decide for the user: whoever runs the tests may have set it. */
function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
    return { ...rest, TERM: 'xterm-256color', ...more };
}

const poselane = (command: string) => `"${process.execPath}" "${MAIN}" ${command}`;

/** A shell with both streams on a terminal; what came there, its line ends as in a file. */
function onTerminal(command: string, more: NodeJS.ProcessEnv = {}): string {
    const python = 'import pty, sys; pty.spawn(sys.argv[1:])';
    const options = { env: environment(more), input: '' };
    const { stdout, stderr } = runProgram('python3', ['-c', python, 'sh', '-c', poselane(command)], options);
    expect(stderr).toBe('');
    return stdout.replaceAll('\r\n', '\n');
}

/** A shell with both streams in one pipe. */
function piped(command: string, more: NodeJS.ProcessEnv = {}): string {
    const options = { env: environment(more) };
    return runProgram('sh', ['-c', `${poselane(command)} 2>&1`], options).stdout;
}

const ESC = '\u001b';
const red = (text: string) => `${ESC}[31m${text}${ESC}[39m`;
const yellow = (text: string) => `${ESC}[33m${text}${ESC}[39m`;
const green = (text: string) => `${ESC}[32m${text}${ESC}[39m`;
const MISSING = `${red('poselane:')} missing.glb: cannot read the file: ENOENT: there is no such file; check its name and folder\n`;
const bold = (text: string) => `${ESC}[1m${text}${ESC}[22m`;

const hasPty = process.platform !== 'win32' && runProgram('python3', ['-c', 'import pty; pty.openpty()']).status === 0;
const withPty = hasPty ? test : test.skip;
const skipped = hasPty ? '' : ' [skipped: needs python3 and pseudo-terminals]';

withPty(`on a terminal: errors, warnings, headings and verdicts stand out${skipped}`, () => {
    expect(onTerminal('inspect missing.glb')).toBe(MISSING);
    expect(onTerminal('inspect small.gltf').split('\n').slice(0, 3)).toEqual([
        `${bold('small.gltf')}: 2 nodes, 1 skin, 2 clips`,
        `  ${bold('skin 0')} '': 2 joints, 0 meshes, 0 vertices`,
        `  ${bold('clip #0')} 'Walk': 1 s, 1 channel, up to 2 keys, at 1 a second`,
    ]);
    expect(onTerminal('bake warned.gltf -o out')).toContain(
        `poselane: ${yellow('warning CLIP_NOT_ANIMATED:')} warned.gltf#/animations/1: `,
    );
    expect(onTerminal('verify warned.gltf out/warned.bake.json')).toContain(
        `out/warned.bake.json: ${green('rows proved')}: 50 rows, `,
    );
    const wrong = onTerminal('verify small.gltf out/warned.bake.json');
    expect(wrong).toContain(`out/warned.bake.json: ${red('WRONG')}: nothing was compared\n`);
    expect(wrong).toContain(`\n${red('poselane:')} out/warned.bake.json: not the bake that small.gltf `);
});

withPty(`each stream is looked at by itself${skipped}`, () => {
    const shown = onTerminal('inspect warned.gltf missing.glb > lines');
    expect(shown).toContain(`poselane: ${yellow('warning PARTS_NOT_BAKED:')} warned.gltf: `);
    // Warnings are told in the end, each once.
    expect(shown.replace(/^poselane: .*warning.*\n/m, '')).toBe(
        `${MISSING}${red('poselane:')} 1 of 2 files could not be read\n`,
    );
    const lines = readFileSync('lines', 'utf8');
    expect(lines).toMatch(/^warned\.gltf: 3 nodes/);
    expect(lines).not.toContain(ESC);
});

const COMMANDS = [
    'inspect warned.gltf missing.glb',
    'bake warned.gltf -o out',
    'verify small.gltf out/warned.bake.json',
];

withPty(`a terminal that knows no colours, or NO_COLOR: the same bytes as through a pipe${skipped}`, () => {
    // No progress bar here, which moves the cursor.
    const plain = piped(COMMANDS[0]!);
    for (const more of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
        expect(onTerminal(COMMANDS[0]!, more)).toBe(plain);
        for (const command of COMMANDS.slice(1)) {
            const codes = onTerminal(command, more).split(ESC).slice(1);
            expect(codes.filter((text) => /^\[\d+m/.test(text))).toEqual([]);
        }
    }
});

test('through a pipe there is no escape, whatever else speaks for colours', () => {
    for (const command of COMMANDS) {
        const plain = piped(command, { FORCE_COLOR: '1', CI: 'true' });
        expect(plain).not.toContain(ESC);
        expect(plain).not.toBe('');
    }
});

test('picocolors is loaded for a terminal only', () => {
    const loads = (isTTY: boolean) => {
        let loaded = false;
        jest.isolateModules(() => {
            jest.doMock('picocolors', () => {
                loaded = true;
                return { createColors: () => ({ red: (text: string) => `<${text}>` }) };
            });
            const fresh: typeof import('../../../lib/cli/io') = require('../../../lib/cli/io');
            expect(fresh.paint({ isTTY, write() {} }, 'red', 'x')).toBe(isTTY ? '<x>' : 'x');
        });
        jest.dontMock('picocolors');
        return loaded;
    };
    const { NO_COLOR, TERM } = process.env;
    try {
        delete process.env.NO_COLOR;
        process.env.TERM = 'xterm';
        expect([loads(false), loads(true)]).toEqual([false, true]);
        process.env.NO_COLOR = '1';
        expect(paint({ isTTY: true, write() {} }, 'green', 'x')).toBe('x');
    } finally {
        for (const [name, value] of Object.entries({ NO_COLOR, TERM })) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
    }
});
