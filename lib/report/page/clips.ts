// SPDX-License-Identifier: MIT

/** The list of clips, with its search field and its order. */

import { visible } from '../../base/messages';
import { type Bake, bytesOf, type Entry, worstOf } from './bakes';
import { byId, make, seconds, size } from './dom';
import { createList } from './list';
import { shareText } from './share';
import type { State } from './state';

/** A name that breaks after its punctuation. */
const breakable = (name: string) => name.split(/(?<=[_|.-])/).flatMap((part) => [part, make('wbr')]);

export function createClipList(bakes: readonly Bake[], entries: readonly Entry[], { view, set, listen }: State) {
    const details = byId<HTMLDetailsElement>('clips');
    const list = byId('clip-list');
    const isWide = matchMedia('(min-width: 56rem)');
    const items = entries.map((entry, index) => {
        const radio = make('input', { type: 'radio', name: 'clip', value: String(index) });
        const there = bakes.flatMap((bake, b) => (entry.clips[b]! < 0 ? [] : { bake, clip: entry.clips[b]! }));
        const errors = there.map(({ bake, clip }) => ({ ...worstOf(bake, clip, 'lerp'), bound: bake.bound }));
        const { share, bound } = errors.reduce((a, b) => (b.share > a.share ? b : a));
        const bytes = Math.max(...there.map(({ bake, clip }) => bytesOf(bake, clip)));
        radio.onchange = () => set({ entry: index, seconds: 0 });
        const figures = `${seconds(entry.duration)} · ${size(bytes)}`;
        const note = make('small', {}, make('span', {}, figures), shareText(share, bound));
        const element = make(
            'label',
            { className: 'choice row' },
            radio,
            make('span', {}, make('b', {}, ...breakable(entry.name)), note),
        );
        const keys = { name: entry.name.toLowerCase(), error: share, length: entry.duration, bytes };
        return { element, radio, index, text: entry.name, keys };
    });
    const { shown } = createList(list, items, 'clips', (found) => {
        const isFound = found.some(({ index }) => index === view.entry);
        if (found[0] && !isFound) set({ entry: found[0].index, seconds: 0 });
    });
    // In a small window, the list would hide the picture, so it is folded.
    const fold = () => {
        details.open = isWide.matches;
    };
    isWide.onchange = fold;
    list.addEventListener('click', ({ detail }) => {
        if (detail > 0 && !isWide.matches) details.open = false;
    });
    const mark = () => {
        const { element, radio } = items[view.entry]!;
        radio.checked = true;
        byId('clip-name').textContent = visible(entries[view.entry]!.name);
        const { offsetTop: top, offsetHeight: height } = element;
        if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
            list.scrollTop = top - list.clientHeight / 2;
    };
    listen((changed) => changed.has('entry') && mark());
    fold();
    mark();
    return {
        /** Goes to a clip before or after, in the order of the list, among those found. */
        choose(by: number): void {
            const among = shown();
            const at = among.findIndex(({ index }) => index === view.entry);
            const next = among[Math.min(among.length - 1, Math.max(0, at + by))];
            if (next) set({ entry: next.index, seconds: 0 });
        },
    };
}
