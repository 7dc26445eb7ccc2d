// SPDX-License-Identifier: MIT

/** Only terminals get colors. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectRun, inNewFolder, poselane } from '../../cli/command-line';
import { smallGltf } from '../../cli/small-gltf';
import { runProgram } from '../../support/processes';
import { testUnless } from '../../support/unless';

const MAIN = join(__dirname, '../../../dist/cli/main.js');

const { env } = process;
inNewFolder();
beforeEach(() => {
    // Without variables that set colors, which the user can have in the environment.
    const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = env;
    process.env = { ...rest, TERM: 'xterm-256color' };
    writeFileSync('small.gltf', smallGltf());
    const gltf = JSON.parse(smallGltf());
    gltf.nodes.push({ name: 'elsewhere' });
    gltf.animations[1].channels[0].target.node = 2;
    writeFileSync('warned.gltf', JSON.stringify(gltf));
});
afterEach(() => {
    process.env = env;
});

const ESC = '\u001b';
const red = (text: string) => `${ESC}[31m${text}${ESC}[39m`;
const yellow = (text: string) => `${ESC}[33m${text}${ESC}[39m`;
const green = (text: string) => `${ESC}[32m${text}${ESC}[39m`;
const bold = (text: string) => `${ESC}[1m${text}${ESC}[22m`;
const MISSING = `${red('poselane:')} missing.glb: cannot read the file: ENOENT: there is no such file; check its name and folder\n`;

const hasPty = process.platform !== 'win32' && runProgram('python3', ['-c', 'import pty; pty.openpty()']).status === 0;
testUnless(!hasPty && 'needs python3 and pseudo-terminals', 'the built command knows a terminal, and a pipe', () => {
    const python = 'import pty, sys; pty.spawn(sys.argv[1:])';
    const command = [process.execPath, MAIN, 'inspect', 'missing.glb'];
    const { stdout } = runProgram('python3', ['-c', python, ...command], { env: process.env, input: '' });
    expect(stdout.replaceAll('\r\n', '\n')).toBe(MISSING);
    const options = { env: { ...process.env, FORCE_COLOR: '1', CI: 'true' } };
    const { stderr } = runProgram(command[0]!, command.slice(1), options);
    expect(stderr).toBe(MISSING.replace(red('poselane:'), 'poselane:'));
});

test('on a terminal: errors, warnings, headings and verdicts stand out', async () => {
    const onTerminal = (line: string) => poselane(line, { isTTY: 'both' });
    expect((await onTerminal('inspect missing.glb')).stderr).toBe(MISSING);
    expect((await onTerminal('inspect small.gltf')).stdout.split('\n').slice(0, 3)).toEqual([
        `${bold('small.gltf')}: 2 nodes, 1 skin, 2 clips`,
        `  ${bold('skin 0')} '': 2 joints, 0 meshes, 0 vertices`,
        `  ${bold('clip #0')} 'Walk': 1 s, 1 channel, up to 2 keys, at 1 a second`,
    ]);
    const warning = `poselane: ${yellow('warning CLIP_NOT_ANIMATED:')} warned.gltf#/animations/1: `;
    expect((await onTerminal('bake warned.gltf -o out --fps 24')).stderr).toContain(warning);
    const right = await onTerminal('verify warned.gltf out/warned.bake.json');
    expect(right.stdout).toContain(`out/warned.bake.json: ${green('rows proved')}: 50 rows, `);
    const wrong = await onTerminal('verify small.gltf out/warned.bake.json');
    expect(wrong.stdout).toContain(`out/warned.bake.json: ${red('WRONG')}: nothing was compared\n`);
    expect(wrong.stderr).toContain(`${red('poselane:')} out/warned.bake.json: not the bake that small.gltf `);
});

test('each stream has colors if it is a terminal', async () => {
    const { stdout, stderr } = await poselane('inspect warned.gltf missing.glb', { isTTY: true });
    expect(stderr).toContain(`poselane: ${yellow('warning PARTS_NOT_BAKED:')} warned.gltf: `);
    // Prints each warning once, at the end.
    const errors = `${MISSING}${red('poselane:')} 1 of 2 files could not be read\n`;
    expect(stderr.replace(/^poselane: .*warning.*\n/m, '')).toBe(errors);
    expect(stdout).toMatch(/^warned\.gltf: 3 nodes/);
    expect(stdout).not.toContain(ESC);
});

test.each([
    ['inspect warned.gltf missing.glb', 5],
    ['bake warned.gltf -o out', 0],
    ['verify small.gltf warned.gltf', 4],
])('no colors with NO_COLOR, without a terminal, or on a terminal without colors: %s', async (line, code) => {
    const environments = [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '1', CI: 'true' }];
    for (const [i, more] of environments.entries()) {
        Object.assign(process.env, { NO_COLOR: '', TERM: 'xterm' }, more);
        const isTTY = i < 2 && 'both';
        const { stdout, stderr } = await expectRun(line, { code, stdout: null, stderr: null }, { isTTY });
        // A progress bar moves the cursor.
        const codes = (stdout + stderr).split(ESC).slice(1);
        expect(codes.filter((text) => !isTTY || /^\[\d+m/.test(text))).toEqual([]);
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
    expect([loads(false), loads(true)]).toEqual([false, true]);
});
