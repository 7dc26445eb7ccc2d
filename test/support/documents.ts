// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './processes';

const ROOT = join(__dirname, '../..');

/** A command of a document, and the exit code that its comment names. */
interface Command {
    readonly line: string;
    readonly code: number;
}

/** Gives the code in a document by its language. */
export function blocksOf(document: string): (language: string) => string[] {
    const text = readFileSync(join(ROOT, document), 'utf8');
    return (language) =>
        [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
}

/** The lines of a document for a shell, without their comments. */
export function commandsOf(document: string): Command[] {
    return blocksOf(document)('sh')
        .flatMap((block) => block.trimEnd().split('\n'))
        .map((text) => {
            const [, line, code] = /^(.*?)(?:\s+# exit (\d+))?$/.exec(text)!;
            return { line: line!, code: Number(code ?? 0) };
        });
}

/** Runs a line for a shell in a folder, as if the package were installed. */
export function runPoselane(line: string, cwd: string) {
    const poselane = `poselane() { "${process.execPath}" "${join(ROOT, 'dist/cli/main.js')}" "$@"; }`;
    return runProgram('bash', ['-c', `${poselane}\n${line}`], { cwd });
}

/**
 * Runs commands of a document in a folder, one after the other: each exits with the code in its comment. Stderr has
 * only expected errors and the warnings about the example at its keys' rate.
 */
export function expectToRun(commands: readonly Command[], cwd: string): void {
    for (const { line, code } of commands) {
        expect(line).toMatch(/^(POSELANE_\w+=\w+ )?poselane [a-z]/);
        const { status, stderr } = runPoselane(line, cwd);
        const said = stderr.replace(/^poselane: warning PLAYBACK_ERROR_LARGE: .+\n/gm, '');
        expect({ line, status, said }).toEqual({
            line,
            status: code,
            said: code === 0 ? '' : expect.stringMatching(/./),
        });
    }
}
