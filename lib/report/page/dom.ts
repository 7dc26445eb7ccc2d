// SPDX-License-Identifier: MIT

/** Creates elements, and formats numbers for people. */

import { roughSizeOf, significant, visible } from '../../base/messages';

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

export const modeInput = (mode: string) => document.querySelector<HTMLInputElement>(`input[name=mode][value=${mode}]`)!;
export const input = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);

/** Creates an element with properties and children. Text is never parsed as HTML, because names come from files. */
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Partial<HTMLElementTagNameMap[K]> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
    return element;
}

/** Creates an SVG element with attributes. */
export function draw(
    tag: string,
    attributes: Readonly<Record<string, string | number>>,
    ...children: Node[]
): SVGElement {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}

const told = new Set<string>();

/** Shows a sentence at the top of the page. Repeated sentences are shown once. */
export function say(sentence: string): void {
    if (told.has(sentence)) return;
    told.add(sentence);
    byId('messages').append(make('p', { className: 'message' }, sentence));
}

/** The message of an error, as the end of a sentence. */
export function reasonOf(error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    return /[.!?]$/.test(text) ? text : `${text}.`;
}

export const count = (value: number): string => value.toLocaleString('en');
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
export const size = (bytes: number): string => roughSizeOf(Math.round(bytes));
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const units = (value: number): string => significant(value, 3);
/** A unit of a glTF model is a meter (glTF 2.0, 3.4). */
export const distance = (value: number): string => (value < 1 ? `${units(value * 1000)} mm` : `${units(value)} m`);
/** The rates of clips: minimum and maximum. */
export const rates = ([low, high]: readonly [number, number]): string =>
    `${[...new Set([low, high])].map((fps) => significant(fps, 5)).join('–')} fps`;
