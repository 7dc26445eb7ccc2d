// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';
import { describeUnless, testUnless } from '../support/unless';
import { printed } from './command-line';

// The scripts in the shells that they are for.

const folder = scratchFolder();

const COMMANDS = 'bake bench cache completion convert diff info inspect merge-reports reduce rig verify view'.split(
    ' ',
);

/** Lines to complete, and the completions: at least these, or exactly these. */
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

/** Typed text with tabs, and the command that the shell then runs. */
const TYPED: [typed: string, called: string[]][] = [
    ['inspect he\t', ['inspect', 'hero.glb']],
    ['bake --layout qt\t', ['bake', '--layout', 'qts16']],
    ['bake --layout=qt\t', ['bake', '--layout=qts16']],
    ['bake he\t-o ou\t', ['bake', 'hero.glb', '-o', 'out folder.txt']],
    ['ca\tpr\tsto\t', ['cache', 'prune', 'stones']],
];

/** Options listed by the help of a command. */
async function helpOf(command: string): Promise<string[]> {
    const text = await printed(`${command} --help`);
    const [, options] = /\nOptions:\n([\s\S]*?)(\n\n|$)/.exec(text)!;
    return [...options!.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
}

beforeAll(async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
        writeFileSync(join(folder(), `poselane.${shell}`), await printed(`completion ${shell}`));
    }
    for (const name of ['hero.glb', 'out folder.txt', 'stones']) writeFileSync(join(folder(), name), '');
});

/** Commands that a shell runs when lines are typed, for a shell started by the given command. */
function calledBy(shell: string, start: string): string[][] {
    const called = `poselane() { printf '<%s>' "$@"; echo; }\nPS1=\n`;
    writeFileSync(join(folder(), '.zshrc'), `${start}\nsource ./poselane.${shell}\n${called}`);
    const command = shell === 'zsh' ? 'zsh -i' : 'bash --noprofile --rcfile .zshrc -i';
    const { stdout } = runProgram('script', ['-qec', command, '/dev/null'], {
        cwd: folder(),
        env: { ...process.env, ZDOTDIR: folder(), TERM: 'dumb' },
        input: `${TYPED.map(([typed]) => `poselane ${typed}\n`).join('')}exit\n`,
        limit: 60_000,
    });
    const lines = stdout.split(/[\r\n]+/).filter((line) => /^<.*>$/.test(line));
    return lines.map((line) => line.slice(1, -1).split('><'));
}

const why = (shell: string) => {
    if (process.platform === 'win32') return 'needs a POSIX shell';
    return runProgram('sh', ['-c', `command -v ${shell}`]).status !== 0 && `needs ${shell}`;
};
const noTerminal = process.platform !== 'linux' && 'needs Linux';

/** Expects the completions of commands, options and choices to be all those of help. */
async function expectWords(completed: (lines: readonly string[]) => string[][]): Promise<void> {
    expect(completed(WORDS.map(([line]) => line))).toEqual(WORDS.map(([, words]) => words));
    expect(completed([''])[0]).toEqual([...COMMANDS, 'help'].sort());
    for (const command of [...COMMANDS, 'cache prune']) {
        expect(completed([`${command} --`])[0]).toEqual([...new Set(await helpOf(command))].sort());
    }
}

describeUnless(why('bash'), 'bash', () => {
    /** Completions of bash for some lines. */
    function completed(lines: readonly string[]): string[][] {
        const script = `source ./poselane.bash
            while IFS= read -r line; do
                read -ra COMP_WORDS <<<"$line"
                [[ $line == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _poselane; echo "\${COMPREPLY[@]}"
            done`;
        const input = lines.map((line) => `poselane ${line}\n`).join('');
        const { stdout, stderr } = runProgram('bash', ['-c', script], { cwd: folder(), input });
        expect(stderr).toBe('');
        return stdout
            .trimEnd()
            .split('\n')
            .map((line) => line.split(' ').sort());
    }

    test('commands, options and choices', () => expectWords(completed));

    testUnless(noTerminal, 'and file names, where a person types', () => {
        expect(calledBy('bash', "bind 'set bell-style none'")).toEqual(TYPED.map(([, called]) => called));
    });
});

describeUnless(why('zsh'), 'zsh', () => {
    testUnless(noTerminal, 'commands, options, choices and file names, where a person types', () => {
        const start = 'autoload -Uz compinit; compinit -u -D; unsetopt PROMPT_SP BEEP';
        expect(calledBy('zsh', start)).toEqual(TYPED.map(([, called]) => called));
    });
});

describeUnless(why('fish'), 'fish', () => {
    function completed(lines: readonly string[]): string[][] {
        const asked = lines.map((line) => `complete -C 'poselane ${line}'; echo`).join('\n');
        const { stdout, stderr } = runProgram('fish', ['-N', '-c', `source poselane.fish\n${asked}`], {
            cwd: folder(),
        });
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
        await expectWords(completed);
        const files = completed(['inspect he', 'bake -o st', 'bake --fps he']);
        expect(files).toEqual([['hero.glb'], ['stones'], []]);
    });
});
