// SPDX-License-Identifier: MIT

/** Errors as shares of the extent, against the bound: their text, and the one scale of all bars and charts. */

import { significant } from '../../base/messages';
import { draw, make } from './dom';

/** Decades below the bound on the scale, and at least above it. */
const DECADES = 2;

/** The smallest share that is shown as a number, unless the bound is near it. */
const TINY = 1e-4;

export const percent = (share: number, digits = 3): string => `${significant(share * 100, digits)}%`;

/** Decades above the bound that the scale needs for an error. */
export const decadesFor = (share: number, bound: number): number =>
    Math.max(DECADES, Math.ceil(Math.log10(share / bound)) || 0);

/** Place on the logarithmic scale, from 0 at a hundredth of the bound to 1. With the default the bound is at 0.5. */
export function placeOf(share: number, bound: number, above = DECADES): number {
    const place = (Math.log10(share / bound) + DECADES) / (DECADES + above);
    return Math.min(1, Math.max(0, place));
}

/** The shares at the decades of the scale. */
export const ticksOf = (bound: number, above: number): number[] =>
    Array.from({ length: DECADES + above + 1 }, (_, i) => bound * 10 ** (i - DECADES));

/** A sign for warnings and errors above the bound. */
export const sign = (): SVGElement =>
    draw(
        'svg',
        { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
        draw('path', { d: 'M8 1 0.5 14.5h15zM7.2 6h1.6v4.6H7.2zM7.2 11.6h1.6v1.6H7.2z', 'fill-rule': 'evenodd' }),
    );

/** The text of a share. Above the bound it has a sign, a color and hidden words. */
export function shareText(share: number, bound: number): HTMLElement {
    const isTiny = share > 0 && share < Math.min(TINY, bound / 10);
    const text = isTiny ? `< ${percent(Math.min(TINY, bound / 10), 1)}` : percent(share);
    if (!(share > bound)) return make('span', {}, text);
    const words = make('span', { className: 'visually-hidden' }, ' (above the bound)');
    return make('span', { className: 'over' }, sign(), text, words);
}

/** A bar on the scale, with a mark at the bound. */
export function meter(share: number, bound: number): HTMLElement {
    const fill = make('span', { className: share > bound ? 'fill beyond' : 'fill' });
    fill.style.width = `${100 * placeOf(share, bound)}%`;
    return make('div', { className: 'meter', ariaHidden: 'true' }, fill, make('span', { className: 'bound' }));
}
