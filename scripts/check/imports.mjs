// SPDX-License-Identifier: MIT

/** What a source file imports of this project. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseSync } from '@swc/core';

/** How an import without an extension may end. */
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

const isFile = (file) => fs.existsSync(file) && fs.statSync(file).isFile();

/** Whether a declaration leaves nothing in the program: `import type`, or nothing but names that are types. */
function isOfTypes({ typeOnly, specifiers = [] }) {
    return typeOnly || (specifiers.length > 0 && specifiers.every(({ isTypeOnly }) => isTypeOnly));
}

/** What a node of the syntax tree imports from; undefined where it is no import. */
function sourceOf(node) {
    if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type)) {
        return isOfTypes(node) ? undefined : node.source?.value;
    }
    if (node.type === 'CallExpression') {
        const { callee } = node;
        const isImport = callee.type === 'Import' || (callee.type === 'Identifier' && callee.value === 'require');
        const argument = node.arguments[0]?.expression;
        if (isImport && argument?.type === 'StringLiteral') return argument.value;
    }
    return undefined;
}

function* nodesOf(value) {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.type === 'string') yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
}

/**
 * The files that a TypeScript file imports when it runs, by relative paths; packages are left out.
 *
 * @param root Of the working tree; `file` and what is returned are relative to it, with slashes.
 * @throws Error An import leads nowhere.
 */
export function importsOf(root, file) {
    const tree = parseSync(fs.readFileSync(path.join(root, file), 'utf8'), { syntax: 'typescript', target: 'es2022' });
    const found = new Set();
    for (const node of nodesOf(tree)) {
        const source = sourceOf(node);
        if (!source?.startsWith('.')) continue;
        const place = path.posix.join(path.posix.dirname(file), source);
        const candidates = [...ENDINGS.map((ending) => place + ending), place.replace(/\.js$/, '.ts')];
        const target = candidates.find((candidate) => isFile(path.join(root, candidate)));
        if (target === undefined) throw new Error(`${file}: no file for the import of ${source}`);
        found.add(target);
    }
    return [...found];
}
