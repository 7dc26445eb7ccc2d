// SPDX-License-Identifier: MIT

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { runProgram } from '../support/processes';

// The scripts in the shells that they are for.

const folder = mkdtempSync(join(tmpdir(), 'poselane-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function printed(...argv: string[]): Promise<string> {
    let text = '';
    const io = { write: (more: string) => (text += more) };
    expect(await run(argv, { stdout: io, stderr: io })).toBe(0);
    return text;
}

const COMMANDS = 'bake bench cache completion diff info inspect merge-reports reduce verify view'.split(' ');

/** Lines to complete, and what follows: some at least, or exactly these. */
const WORDS: [line: string, words: string[]][] = [
    ['b', ['bake', 'bench']],
    ['bake --la', ['--layout']],
    ['bake --layout ', ['mat3x4', 'mat4', 'qts16']],
    ['bake hero.glb -o out/ --dtype f1', ['f16']],
    ['cache ', ['help', 'prune']],
    ['cache prune --m', ['--max-size']],
    ['completion ', ['bash', 'fish', 'zsh']],
    ['verify --oracle t', ['three']],
];

/** What is typed, with tabs, and what the shell then calls. */
const TYPED: [typed: string, called: string[]][] = [
    ['inspect he\t', ['inspect', 'hero.glb']],
    ['bake --layout qt\t', ['bake', '--layout', 'qts16']],
    ['bake --layout=qt\t', ['bake', '--layout=qts16']],
    ['bake he\t-o ou\t', ['bake', 'hero.glb', '-o', 'out folder.txt']],
    ['ca\tpr\tsto\t', ['cache', 'prune', 'stones']],
];

/** The options that the help of a command lists. */
async function helpOf(command: string): Promise<string[]> {
    const text = await printed(...command.split(' '), '--help');
    const [, options] = /\nOptions:\n([\s\S]*?)(\n\n|$)/.exec(text)!;
    return [...options!.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
}

beforeAll(async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
        writeFileSync(join(folder, `poselane.${shell}`), await printed('completion', shell));
    }
    for (const name of ['hero.glb', 'out folder.txt', 'stones']) writeFileSync(join(folder, name), '');
});

/** What a shell calls when lines are typed. Its own start is told how. */
function calledBy(shell: string, start: string): string[][] {
    const called = `poselane() { printf '<%s>' "$@"; echo; }\nPS1=\n`;
    writeFileSync(join(folder, '.zshrc'), `${start}\nsource ./poselane.${shell}\n${called}`);
    const command = shell === 'zsh' ? 'zsh -i' : 'bash --noprofile --rcfile .zshrc -i';
    const { stdout } = runProgram('script', ['-qec', command, '/dev/null'], {
        cwd: folder,
        env: { ...process.env, ZDOTDIR: folder, TERM: 'dumb' },
        input: `${TYPED.map(([typed]) => `poselane ${typed}\n`).join('')}exit\n`,
        limit: 60_000,
    });
    const lines = stdout.split(/[\r\n]+/).filter((line) => /^<.*>$/.test(line));
    return lines.map((line) => line.slice(1, -1).split('><'));
}

const has = (program: string) => runProgram('sh', ['-c', `command -v ${program}`]).status === 0;
const posix = process.platform !== 'win32';
const linux = process.platform === 'linux';
const shells = Object.fromEntries(['bash', 'zsh', 'fish'].map((shell) => [shell, posix && has(shell)]));
const describeWith = (shell: string) => (shells[shell] ? describe : describe.skip);
const why = (shell: string) => (shells[shell] ? '' : ` [skipped: needs ${posix ? shell : 'a POSIX shell'}]`);
const onTerminal = linux ? test : test.skip;
const whyNone = linux ? '' : ' [skipped: needs Linux]';

describeWith('bash')(`bash${why('bash')}`, () => {
    /** What bash has for each of some lines. */
    function completed(lines: readonly string[]): string[][] {
        const script = `source ./poselane.bash
            while IFS= read -r line; do
                read -ra COMP_WORDS <<<"$line"
                [[ $line == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _poselane; echo "\${COMPREPLY[@]}"
            done`;
        const input = lines.map((line) => `poselane ${line}\n`).join('');
        const { stdout, stderr } = runProgram('bash', ['-c', script], { cwd: folder, input });
        expect(stderr).toBe('');
        return stdout
            .trimEnd()
            .split('\n')
            .map((line) => line.split(' ').sort());
    }

    test('commands, options and choices', async () => {
        expect(completed(WORDS.map(([line]) => line))).toEqual(WORDS.map(([, words]) => words));
        expect(completed([''])[0]).toEqual([...COMMANDS, 'help'].sort());
        for (const command of [...COMMANDS, 'cache prune']) {
            expect(completed([`${command} --`])[0]).toEqual([...new Set(await helpOf(command))].sort());
        }
    });

    onTerminal(`and file names, where a person types${whyNone}`, () => {
        expect(calledBy('bash', "bind 'set bell-style none'")).toEqual(TYPED.map(([, called]) => called));
    });
});

describeWith('zsh')(`zsh${why('zsh')}`, () => {
    onTerminal(`commands, options, choices and file names, where a person types${whyNone}`, () => {
        const start = 'autoload -Uz compinit; compinit -u -D; unsetopt PROMPT_SP BEEP';
        expect(calledBy('zsh', start)).toEqual(TYPED.map(([, called]) => called));
    });
});

describeWith('fish')(`fish${why('fish')}`, () => {
    function completed(lines: readonly string[]): string[][] {
        const asked = lines.map((line) => `complete -C 'poselane ${line}'; echo`).join('\n');
        const { stdout, stderr } = runProgram('fish', ['-N', '-c', `source poselane.fish\n${asked}`], { cwd: folder });
        expect(stderr).toBe('');
        const blocks = stdout.split('\n\n').slice(0, lines.length);
        return blocks.map((block) =>
            block
                .split('\n')
                .flatMap((line) => line.split('\t')[0] || [])
                .sort(),
        );
    }

    test('commands, options, choices and file names', async () => {
        expect(completed(WORDS.map(([line]) => line))).toEqual(WORDS.map(([, words]) => words));
        expect(completed(['', 'inspect he', 'bake -o st', 'bake --fps he'])).toEqual([
            [...COMMANDS, 'help'].sort(),
            ['hero.glb'],
            ['stones'],
            [],
        ]);
        for (const command of [...COMMANDS, 'cache prune']) {
            expect(completed([`${command} --`])[0]).toEqual([...new Set(await helpOf(command))].sort());
        }
    });
});
