// SPDX-License-Identifier: MIT

/**
 * node scripts/docs/tables.mjs [--check]: the pages of docs/tables that follow from the source: options of the commands, methods of the Rig, keys
 * of the manifest, codes of errors. Needs `npm run build`. With --check it writes nothing and fails where a page is out of date.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { endWith, root } from '../lib.mjs';

const require = createRequire(import.meta.url);
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const cell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);

function optionsPage() {
    const names = [
        'inspect',
        'bake',
        'reduce',
        'rig',
        'view',
        'verify',
        'diff',
        'cache',
        'merge-reports',
        'info',
        'bench',
    ];
    const commands = names.flatMap((name) => {
        const module = require(path.join(root, 'dist/cli', `${name}.js`));
        const command = Object.values(module).find((value) => /Command$/.test(value.name))({});
        return command.commands.length > 0
            ? command.commands.map((sub) => [`${name} ${sub.name()}`, sub])
            : [[name, command]];
    });
    return commands.flatMap(([name, command]) => {
        const rows = command.options.map(({ flags, description, argChoices, defaultValue }) => {
            const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
            const standard = ['string', 'number'].includes(typeof defaultValue) ? ` Default: ${defaultValue}` : '';
            return [`\`${flags}\``, `${description}${choices}${standard}`];
        });
        return [`## poselane ${name}`, '', command.description(), '', ...table(['option', 'meaning'], rows), ''];
    });
}

/** The text of a comment in front of its first tag. */
function proseOf(comment) {
    const lines = comment
        .split('\n')
        .map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*(?!\/))?\s?/, '').replace(/\*\/\s*$/, ''));
    const end = lines.findIndex((line) => /^\s*@/.test(line));
    const text = lines
        .slice(0, end < 0 ? undefined : end)
        .join('\n')
        .trim();
    return text.split(/\n\s*\n/)[0].replace(/\{@link (\w+)\}/g, '`$1`');
}

function methodsPage() {
    const source = ['rig', 'rig-base'].map((name) => read(`dist/rig/${name}.d.ts`)).join('\n');
    const methods = [
        ...source.matchAll(/^ {4}(\/\*\*(?:(?!\*\/)[\s\S])*?\*\/)\n {4}(?:static |async )*(\w+)\((.*)\): (.+);$/gm),
    ];
    const rows = methods
        .filter(([, comment]) => !comment.includes('@internal'))
        .map(([, comment, name, parameters]) => [
            `\`${name}(${[...parameters.matchAll(/(?:^|, )(\w+\??): /g)].map(([, one]) => one).join(', ')})\``,
            proseOf(comment),
        ]);
    return table(['method', 'result'], rows);
}

function keysPage() {
    const schema = JSON.parse(read('lib/format/manifest.schema.json'));
    const resolve = ({ $ref, ...own }) => {
        const base = $ref === undefined ? {} : resolve(schema.$defs[$ref.slice('#/$defs/'.length)]);
        return { ...base, ...own, properties: { ...base.properties, ...own.properties } };
    };
    const typeOf = ({ type, const: only, enum: values, oneOf, items }) => {
        if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
        if (only !== undefined) return JSON.stringify(only);
        if (oneOf !== undefined) return 'object';
        if (type === 'array' && items) return `${typeOf(resolve(items))}[]`;
        return type === undefined ? 'any' : [type].flat().join(' or ');
    };
    const rows = [];
    const add = (name, given, required) => {
        const one = resolve(given);
        rows.push([`\`${name}\`${required ? '' : ' (optional)'}`, typeOf(one), one.description ?? '']);
        const inner = one.type === 'array' && one.items ? resolve(one.items) : one;
        const prefix = one === inner ? name : `${name}[]`;
        for (const [key, value] of Object.entries(inner.properties ?? {})) {
            if (!/^arrays\.\w+\.(byteOffset|byteLength|dtype|shape|layout)$/.test(`${prefix}.${key}`))
                add(`${prefix}.${key}`, value, inner.required?.includes(key));
        }
        if (one.oneOf)
            for (const [key, value] of Object.entries(resolve(one.oneOf.at(-1)).properties)) {
                if (key === 'pivots') add(`${name}.${key}`, value, false);
            }
    };
    for (const [name, value] of Object.entries(schema.properties)) add(name, value, schema.required.includes(name));
    for (const [name, value] of Object.entries(schema.$defs.array.properties)) add(`arrays.*.${name}`, value, true);
    return table(['key', 'value', 'meaning'], rows);
}

function codesPage() {
    const codes = [...read('lib/base/errors.ts').matchAll(/^ {4}(\/\*\*(?:(?!\*\/)[\s\S])*?\*\/)\n {4}\| '(\w+)'/gm)];
    return table(
        ['code', 'meaning'],
        codes.map(([, comment, code]) => [`\`${code}\``, proseOf(comment)]),
    );
}

const PAGES = {
    options: ['Options of the commands', optionsPage],
    'rig-methods': ['Methods of the Rig', methodsPage],
    manifest: ['Keys of the manifest', keysPage],
    errors: ['Error codes', codesPage],
};

const faults = [];
for (const [name, [title, linesOf]] of Object.entries(PAGES)) {
    const file = path.join(root, `docs/tables/${name}.md`);
    const text = `# ${title}\n\nWritten by \`node scripts/docs/tables.mjs\` from the source.\n\n${linesOf().join('\n').trim()}\n`;
    if (!process.argv.includes('--check')) fs.writeFileSync(file, text);
    else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text)
        faults.push(`docs/tables/${name}.md is out of date: node scripts/docs/tables.mjs`);
}
endWith(faults, 'docs', `docs/tables: ${faults.length} faults`);
