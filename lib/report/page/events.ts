// SPDX-License-Identifier: MIT

/** The events of the clip: buttons that seek to them. The graph has them as lines. */

import type { Bake, Entry } from './bakes';
import { byId, make, seconds } from './dom';
import type { State } from './state';

export function createEvents(bakes: readonly Bake[], entries: readonly Entry[], { view, set, listen }: State): void {
    const list = byId('events');
    const build = () => {
        // A diff shows those of the last bake that has the clip.
        const own = entries[view.entry]!.clips.map((clip, b) => bakes[b]!.clips[clip]?.events ?? []);
        const events = own.findLast((one) => one.length > 0) ?? [];
        list.hidden = events.length === 0;
        list.replaceChildren(
            ...events.map(({ name, time }) => {
                const button = make('button', { type: 'button' }, name || 'unnamed', ' ', seconds(time));
                button.onclick = () => set({ playing: false, seconds: time });
                return make('li', {}, button);
            }),
        );
    };
    listen((changed) => {
        if (changed.has('entry')) build();
    });
    build();
}
