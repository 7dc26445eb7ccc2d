// SPDX-License-Identifier: MIT

import { groupWarnings, significant, visible } from '../base/messages';
import type { Warning } from '../gltf/scene';

export { visible as oneLine };

type Color = 'red' | 'yellow' | 'green' | 'bold';

export interface Output {
    write(text: string): unknown;
    /** Whether it is a terminal. Only terminals get progress and colors. */
    readonly isTTY?: boolean;
}

/** A part of a line, colored on terminals. */
export interface Painted {
    readonly color: Color;
    readonly text: string;
}

const as = (color: Color) => (text: string) => ({ color, text });

export const red = as('red');
export const yellow = as('yellow');
export const green = as('green');
export const bold = as('bold');

/**
 * Colors a text for a terminal. Elsewhere, and with NO_COLOR or a terminal without colors, the text does not change.
 *
 * @param text Without escape codes of its own.
 */
export function paint(output: Output, color: Color, text: string): string {
    const { NO_COLOR, TERM } = process.env;
    if (!output.isTTY || NO_COLOR || TERM === 'dumb') return text;
    // Loaded here: without a terminal the command starts faster. picocolors looks only at stdout, and this may be stderr.
    const { createColors } = require('picocolors') as typeof import('picocolors');
    return createColors(true)[color](text);
}

/** Outputs of a command: the streams of the process, or of a test. */
export interface Io {
    readonly stdout: Output;
    /** Errors, warnings, progress. */
    readonly stderr: Output;
    /** Aborted by Ctrl-C. */
    readonly signal?: AbortSignal;
}

/** Writes one line. Names come from files, so the line has no character that `visible` escapes. */
export function writeLine(output: Output, ...parts: readonly (string | Painted)[]): void {
    const texts = parts.map((part) =>
        typeof part === 'string' ? visible(part) : paint(output, part.color, visible(part.text)),
    );
    output.write(`${texts.join('')}\n`);
}

export function writeError({ stderr }: Io, message: string): void {
    writeLine(stderr, red('poselane:'), ` ${message}`);
}

/**
 * Writes one line on stderr per warning code: the first warning, and the number of others.
 *
 * @param where Where all of them are listed.
 */
export function writeWarnings(io: Io, file: string, warnings: readonly Warning[], where: string): void {
    for (const group of groupWarnings(warnings)) writeWarning(io, file, group, 1, where);
}

export interface FileWarnings {
    readonly file: string;
    readonly warnings: readonly Warning[];
}

/** As `writeWarnings`, for several files: each code once, with its first file and the number of files. */
export function writeBatchWarnings(io: Io, files: readonly FileWarnings[], where: string): void {
    const groups = new Map<string, { readonly files: Set<string>; readonly warnings: Warning[] }>();
    for (const { file, warnings } of files) {
        for (const warning of warnings) {
            const group = groups.get(warning.code) ?? { files: new Set(), warnings: [] };
            group.warnings.push(warning);
            group.files.add(file);
            groups.set(warning.code, group);
        }
    }
    for (const { files: named, warnings } of groups.values()) {
        const [first] = named;
        writeWarning(io, first!, warnings, named.size, where);
    }
}

/** @param warnings All have the same code. The first one is printed. */
function writeWarning(
    { stderr }: Io,
    file: string,
    [first, ...others]: readonly Warning[],
    files: number,
    where: string,
): void {
    const { code, pointer, message } = first!;
    const place = pointer === '' ? file : `${file}#${pointer}`;
    const all = files > 1 ? `, in ${groupDigits(files)} files` : '';
    const more = others.length === 0 ? '' : `; and ${groupDigits(others.length)} more of these${all} (${where})`;
    writeLine(stderr, 'poselane: ', yellow(`warning ${code}:`), ` ${place}: ${message}${more}`);
}

/** A text of several lines with escapes like `visible`. */
function lines(text: string): string {
    return text.split('\n').map(visible).join('\n');
}

/** Writes a text of several lines, which must end with a line break. */
export function writeText(output: Output, text: string): void {
    output.write(lines(text));
}

/** Formats JSON. It escapes the characters that `visible` escapes. */
export function jsonText(value: unknown): string {
    return `${lines(JSON.stringify(value, null, 2))}\n`;
}

export function writeJson(output: Output, value: unknown): void {
    output.write(jsonText(value));
}

/** `1234567` -> `1,234,567`. Unlike `toLocaleString`, the same on every machine. */
export function groupDigits(value: number): string {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(count: string, noun: string): string {
    return `${count} ${noun}${count === '1' ? '' : 's'}`;
}

/** Formats a number with three digits: `0.00123`, `12.3`, `1.2e-7`. */
export function threeDigits(value: number): string {
    return significant(value, 3);
}
