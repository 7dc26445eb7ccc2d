// SPDX-License-Identifier: MIT

import { groupWarnings } from '../../base/messages';
import type { Warning } from '../../gltf/scene';
import { count, make } from './dom';
import { sign } from './share';

/** The warnings of a file as the command line groups them: each code once, with its text, and the others folded. */
export function warningItems(warnings: readonly Warning[]): HTMLElement[] {
    return groupWarnings(warnings).map(([first, ...others]) => {
        const times = others.length === 0 ? [] : [` × ${count(others.length + 1)}`];
        const item = make('li', {}, sign(), make('code', {}, first!.code), ...times, textOf(first!));
        if (others.length === 0) return item;
        const rest = make('ul', {}, ...others.map((other) => make('li', {}, textOf(other))));
        item.append(make('details', {}, make('summary', {}, `${count(others.length)} more`), rest));
        return item;
    });
}

function textOf({ pointer, message }: Warning): HTMLElement {
    const sentence = message.charAt(0).toUpperCase() + message.slice(1);
    const where = pointer === '' ? [] : [' ', make('small', {}, pointer)];
    return make('p', {}, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ...where);
}
