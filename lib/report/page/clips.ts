// SPDX-License-Identifier: MIT

/** The list of clips, with its search field. */

import { visible } from '../../base/messages';
import { type Bake, type Entry, worstOf } from './bakes';
import { byId, input, make, percent, seconds } from './dom';
import type { State } from './state';

export function createClipList(bakes: readonly Bake[], entries: readonly Entry[], { view, set, listen }: State): void {
    const details = byId<HTMLDetailsElement>('clips');
    const isWide = matchMedia('(min-width: 56rem)');
    const items = entries.map((entry, index) => {
        const radio = make('input', { type: 'radio', name: 'clip', value: String(index) });
        const errors = bakes.map((bake, b) => {
            const clip = entry.clips[b]!;
            return clip < 0 ? 0 : worstOf(bake, clip, 'lerp') / (bake.extent || 1);
        });
        const note = make('small', {}, percent(Math.max(...errors)));
        radio.onchange = () => set({ entry: index, seconds: 0 });
        const title = `${entry.name}: ${seconds(entry.duration)}, maximum error ${percent(Math.max(...errors))} of the extent`;
        const label = make(
            'label',
            { className: 'choice row', title },
            radio,
            make('span', {}, make('b', {}, entry.name), note),
        );
        return { label, radio, text: entry.name.toLowerCase() };
    });
    byId('clip-list').append(...items.map(({ label }) => label));

    const search = input('search');
    search.oninput = () => {
        const wanted = search.value.trim().toLowerCase();
        for (const { label, text } of items) label.hidden = !text.includes(wanted);
        const found = items.filter(({ label }) => !label.hidden).length;
        byId('found').textContent = wanted === '' ? '' : `${found} of ${items.length} clips`;
    };
    // In a small window, the list would hide the picture, so it is folded.
    const fold = () => {
        details.open = isWide.matches;
    };
    isWide.onchange = fold;
    byId('clip-list').addEventListener('click', ({ detail }) => {
        if (detail > 0 && !isWide.matches) details.open = false;
    });
    const mark = () => {
        const { label, radio } = items[view.entry]!;
        radio.checked = true;
        byId('clip-name').textContent = visible(entries[view.entry]!.name);
        const list = byId('clip-list');
        if (
            label.offsetTop < list.scrollTop ||
            label.offsetTop + label.offsetHeight > list.scrollTop + list.clientHeight
        )
            list.scrollTop = label.offsetTop - list.clientHeight / 2;
    };
    listen((changed) => changed.has('entry') && mark());
    fold();
    mark();
}
