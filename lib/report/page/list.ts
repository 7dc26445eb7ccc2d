// SPDX-License-Identifier: MIT

/** A list with a search field and an order: the clips of a page, the files of an index. */

import { byId, count, input } from './dom';

export interface Item {
    readonly element: HTMLElement;
    /** Searched without regard to case. */
    readonly text: string;
    /** Sort keys by the values of the field `sort`. Texts ascend, numbers descend; a missing key keeps the given order. */
    readonly keys: Readonly<Record<string, number | string>>;
}

/**
 * Connects the fields `search` and `sort`. Enter and Escape leave the search, so that the page's keys work again.
 *
 * @param noun Plural, for the number of found items.
 * @param choose Called on Enter, with the items found by a search that is not empty.
 */
export function createList<I extends Item>(
    list: HTMLElement,
    items: readonly I[],
    noun: string,
    choose: (found: readonly I[]) => void,
) {
    const [search, sort] = [input('search'), byId<HTMLSelectElement>('sort')];
    let order = items;
    const shown = () => order.filter(({ element }) => !element.hidden);
    const find = () => {
        const wanted = search.value.trim().toLowerCase();
        for (const { element, text } of items) element.hidden = !text.toLowerCase().includes(wanted);
        byId('found').textContent = wanted === '' ? '' : `${count(shown().length)} of ${count(items.length)} ${noun}`;
    };
    const arrange = () => {
        const { value } = sort;
        order = [...items].sort(({ keys: { [value]: a } }, { keys: { [value]: b } }) => {
            if (a === undefined || b === undefined || a === b) return 0;
            return a < b === (typeof a === 'string') ? -1 : 1;
        });
        list.append(...order.map(({ element }) => element));
    };
    search.oninput = find;
    sort.onchange = arrange;
    search.onkeydown = (event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        search.blur();
        if (event.key === 'Enter' && search.value.trim() !== '') choose(shown());
        else if (event.key === 'Escape') {
            search.value = '';
            find();
        }
    };
    // Browsers keep the fields' values when a page is loaded again.
    find();
    arrange();
    return { shown };
}
