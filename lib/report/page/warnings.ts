// SPDX-License-Identifier: MIT

import { groupWarnings } from '../../base/messages';
import type { Warning } from '../../gltf/scene';
import { count, make } from './dom';
import { sign } from './share';

/** The warnings of a file as the command line groups them. */
export const warningItems = (warnings: readonly Warning[]): HTMLElement[] =>
    groupWarnings(warnings).map((group) => foldedItem(make('code', {}, group[0]!.code), group.map(textOf)));

/** A title with the number of texts, the first one, and the others folded. */
export function foldedItem(title: HTMLElement, [first, ...others]: readonly HTMLElement[]): HTMLElement {
    const times = others.length === 0 ? [] : [` × ${count(others.length + 1)}`];
    const item = make('li', {}, sign(), title, ...times, first!);
    if (others.length === 0) return item;
    const rest = make('ul', {}, ...others.map((other) => make('li', {}, other)));
    item.append(make('details', {}, make('summary', {}, `${count(others.length)} more`), rest));
    return item;
}

function textOf({ pointer, message }: Warning): HTMLElement {
    const sentence = message.charAt(0).toUpperCase() + message.slice(1);
    const where = pointer === '' ? [] : [' ', make('small', {}, pointer)];
    return make('p', {}, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ...where);
}
