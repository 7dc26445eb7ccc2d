// SPDX-License-Identifier: MIT

import { significant, visible } from '../base/messages';
import type { Warning } from '../gltf/scene';

export { visible as oneLine };

type Colour = 'red' | 'yellow' | 'green' | 'bold';

export interface Output {
    write(text: string): unknown;
    /** Whether it is a terminal: progress and colours are shown only there. */
    readonly isTTY?: boolean;
}

/** A part of a line that stands out where a person looks at it. */
export interface Painted {
    readonly colour: Colour;
    readonly text: string;
}

const as = (colour: Colour) => (text: string) => ({ colour, text });

export const red = as('red');
export const yellow = as('yellow');
export const green = as('green');
export const bold = as('bold');

/**
 * The text with the terminal's codes around it, where `output` is a terminal; elsewhere, and where NO_COLOR is set or the
 * terminal knows none, the text alone.
 *
 * @param text May hold no codes of its own.
 */
export function paint(output: Output, colour: Colour, text: string): string {
    const { NO_COLOR, TERM } = process.env;
    if (!output.isTTY || NO_COLOR || TERM === 'dumb') return text;
    // Loaded here: off a terminal the command starts faster without picocolors. It looks at stdout alone, and this may be stderr, so it
    // is told to paint.
    const { createColors } = require('picocolors') as typeof import('picocolors');
    return createColors(true)[colour](text);
}

/** The outputs of a command: the process's own streams, or a test's. */
export interface Io {
    /** Results. */
    readonly stdout: Output;
    /** Errors, warnings, progress. */
    readonly stderr: Output;
    /** Aborted by Ctrl-C. */
    readonly signal?: AbortSignal;
}

/** Writes one line. Names come from files, so the line has no character that `visible` escapes. */
export function writeLine(output: Output, ...parts: readonly (string | Painted)[]): void {
    const texts = parts.map((part) =>
        typeof part === 'string' ? visible(part) : paint(output, part.colour, visible(part.text)),
    );
    output.write(`${texts.join('')}\n`);
}

/** One line on stderr. */
export function writeError({ stderr }: Io, message: string): void {
    writeLine(stderr, red('poselane:'), ` ${message}`);
}

/**
 * One line on stderr for each code: the first warning, and how many more there are.
 *
 * @param where What lists all of them.
 */
export function writeWarnings(io: Io, file: string, warnings: readonly Warning[], where: string): void {
    // One without a place is about the whole file, and not one more of those that have a place.
    const keyOf = ({ code, pointer, message }: Warning) => `${code} ${pointer === '' ? message : ''}`;
    writeGroups(io, [{ file, warnings }], keyOf, where);
}

/** The warnings of a file. */
export interface FileWarnings {
    readonly file: string;
    readonly warnings: readonly Warning[];
}

/** The same for several files: each code once, with its first file and how many have it. */
export function writeBatchWarnings(io: Io, files: readonly FileWarnings[], where: string): void {
    writeGroups(io, files, ({ code }) => code, where);
}

function writeGroups(
    { stderr }: Io,
    files: readonly FileWarnings[],
    keyOf: (warning: Warning) => string,
    where: string,
): void {
    const groups = new Map<
        string,
        { readonly file: string; readonly first: Warning; others: number; files: Set<string> }
    >();
    for (const { file, warnings } of files) {
        for (const warning of warnings) {
            const key = keyOf(warning);
            const group = groups.get(key) ?? { file, first: warning, others: -1, files: new Set() };
            group.others++;
            group.files.add(file);
            groups.set(key, group);
        }
    }
    for (const { file, first, others, files } of groups.values()) {
        const { code, pointer, message } = first;
        const place = pointer === '' ? file : `${file}#${pointer}`;
        const all = files.size > 1 ? `, in ${groupDigits(files.size)} files` : '';
        const more = others === 0 ? '' : `; and ${groupDigits(others)} more of these${all} (${where})`;
        writeLine(stderr, 'poselane: ', yellow(`warning ${code}:`), ` ${place}: ${message}${more}`);
    }
}

/** A text of several lines, its characters as `visible` writes them. */
function lines(text: string): string {
    return text.split('\n').map(visible).join('\n');
}

/** Writes a text of several lines, which ends with a line end. */
export function writeText(output: Output, text: string): void {
    output.write(lines(text));
}

/** JSON for people and programs: escapes are those of JSON, and the value is the same. */
export function jsonText(value: unknown): string {
    return `${lines(JSON.stringify(value, null, 2))}\n`;
}

/** Writes JSON. */
export function writeJson(output: Output, value: unknown): void {
    output.write(jsonText(value));
}

/** `1234567` -> `1,234,567`. Not `toLocaleString`: the same on every machine. */
export function groupDigits(value: number): string {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(count: string, noun: string): string {
    return `${count} ${noun}${count === '1' ? '' : 's'}`;
}

/** A number with three digits: `0.00123`, `12.3`, `1.2e-7`. */
export function threeDigits(value: number): string {
    return significant(value, 3);
}
