// SPDX-License-Identifier: MIT

type Colour = 'red' | 'yellow' | 'green' | 'bold';

export interface Output {
    write(text: string): unknown;
    /** Whether a person looks at it as it is written: progress and colours are shown only then. */
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
    // Here and not above: off a terminal the command starts faster without it. It would judge by stdout alone, and this may
    // be stderr: so it is told.
    const { createColors } = require('picocolors') as typeof import('picocolors');
    return createColors(true)[colour](text);
}
