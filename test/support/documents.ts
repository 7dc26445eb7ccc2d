// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** What a shell finds as `poselane` once the package is installed. */
export const POSELANE = `poselane() { "${process.execPath}" "${join(ROOT, 'dist/cli/main.js')}" "$@"; }`;
