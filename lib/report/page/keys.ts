// SPDX-License-Identifier: MIT

/** The keyboard, and the list of its keys. */

import { byId, make } from './dom';

export interface Key {
    /** Values of `KeyboardEvent.key`. */
    readonly keys: readonly string[];
    /** Text in the list. */
    readonly shown: string;
    readonly does: string;
    readonly act: (key: string, shift: boolean) => void;
}

/** Controls that use these keys themselves. */
const OWN: Readonly<Record<string, string>> = {
    search: 'input[type=search]',
    arrows: '#modes input, #speed',
    vertical: '#clip-list input, input[type=range]',
    space: 'button, summary, a, input[type=checkbox], input[type=radio]',
};

function isTaken(target: Element, key: string): boolean {
    if (target.closest('dialog')) return true;
    if (target.matches(OWN.search!)) return key !== 'Escape';
    if (key === ' ') return target.matches(OWN.space!);
    if (/^(Arrow|Home|End)/.test(key) && target.matches(OWN.arrows!)) return true;
    return /^Arrow(Up|Down)/.test(key) && target.matches(OWN.vertical!);
}

export function createKeys(keys: readonly Key[], canvas: Readonly<Record<string, () => void>>): void {
    const help = byId<HTMLDialogElement>('help');
    const all: Key[] = [...keys, { keys: ['?'], shown: '?', does: 'This list', act: () => help.showModal() }];
    byId('keys').append(
        ...all.flatMap(({ shown, does }) => [
            make('dt', {}, ...shown.split(' ').map((key) => make('kbd', {}, key))),
            make('dd', {}, does),
        ]),
        make('dt', {}, make('kbd', {}, 'arrows'), make('kbd', {}, '+'), make('kbd', {}, '−')),
        make('dd', {}, 'Turn and zoom the view while the picture has the focus; or drag, and use the wheel'),
    );
    byId('help-open').onclick = () => help.showModal();
    document.addEventListener('keydown', (event) => {
        const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
        if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
        const own = target.id === 'canvas' ? canvas[key] : undefined;
        const found = all.find(({ keys: of }) => of.includes(key) || of.includes(key.toLowerCase()));
        if (own === undefined && (found === undefined || isTaken(target, key))) return;
        event.preventDefault();
        if (own) own();
        else found!.act(key, shiftKey);
    });
}
