// SPDX-License-Identifier: MIT

/** The index of a batch: a card for each file. */

import type { IndexData, IndexEntry } from '../data';
import { byId, input, distance as lengthOf, make, plural, rates, size } from './dom';
import { createList } from './list';
import { meter, percent, shareText, sign } from './share';
import { warningItems } from './warnings';

/** Sources of pictures that are not loaded. `loading: 'lazy'` has no effect on `data:`. */
const pictures = new Map<Element, string>();
const near = new IntersectionObserver(
    (changes) => {
        for (const { isIntersecting, target } of changes) {
            if (!isIntersecting) continue;
            (target as HTMLImageElement).src = pictures.get(target)!;
            near.unobserve(target);
        }
    },
    { rootMargin: '100%' },
);
const { poselane, title, entries } = JSON.parse(byId('report').textContent!) as IndexData;
byId('title').textContent = title;
byId('made').textContent = `Made by poselane ${poselane}`;
byId('summary').append(...totals().map((figure) => make('li', {}, figure)));
const items = entries.map((entry) => {
    const { input: name, error, failure, warnings, bytes } = entry;
    const text = [name, failure ?? '', error?.clip ?? '', ...warnings.map(({ code }) => code)].join('\n');
    // Failures come before the maximum error.
    const keys = { name, error: failure === null ? (error?.share ?? 0) : Infinity, bytes, warnings: warnings.length };
    return { element: cardOf(entry), text, keys };
});
createList(byId('files'), items, 'files', ([first]) => first?.element.querySelector('a')?.focus());
document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === input('search')) return;
    event.preventDefault();
    input('search').focus();
});
document.body.dataset.ready = 'yes';

function totals(): (Node | string)[] {
    const sum = (of: (entry: IndexEntry) => number) => entries.reduce((total, entry) => total + of(entry), 0);
    const over = sum(({ error, bound }) => Number(error !== null && error.share > bound));
    const warnings = sum((entry) => entry.warnings.length);
    return [
        plural(
            sum(({ clips }) => clips),
            'clip',
        ),
        plural(
            sum(({ rows }) => rows),
            'row',
        ),
        size(sum(({ bytes }) => bytes)),
        over === 0
            ? 'every error within the bound'
            : make('span', { className: 'over' }, sign(), `${plural(over, 'file')} above the bound`),
        ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
    ];
}

function cardOf({
    input: path,
    href,
    thumbnail,
    clips,
    rows,
    fps,
    bytes,
    error,
    bound,
    warnings,
    failure,
}: IndexEntry) {
    const [, folder = '', file = path] = /^(.*)\/(.*)$/s.exec(path) ?? [];
    const name = href === null ? file : make('a', { href }, file);
    const heading = make('h2', {}, name, ...(folder === '' ? [] : [make('small', {}, folder)]));
    const figures = [plural(clips, 'clip'), plural(rows, 'row'), ...(fps ? [rates(fps)] : []), size(bytes)];
    const picture = thumbnail === null ? make('span') : make('img', { alt: '' });
    if (thumbnail !== null) {
        pictures.set(picture, `data:image/png;base64,${thumbnail}`);
        near.observe(picture);
    }
    picture.className = 'picture';
    const card = make('li', { className: 'card file' }, picture);
    if (failure !== null) {
        card.append(heading, make('p', { className: 'failure' }, sign(), failure));
        return card;
    }
    card.append(
        make('div', {}, heading, make('ul', { className: 'figures' }, ...figures.map((one) => make('li', {}, one)))),
    );
    if (error !== null) {
        const { share, distance, clip } = error;
        const where = share > 0 ? `${lengthOf(distance)}, ${clip}` : '';
        const words = make(
            'p',
            {},
            shareText(share, bound),
            make('small', {}, `of the extent, bound ${percent(bound)}`),
        );
        card.append(make('div', { className: 'error' }, words, meter(share, bound), make('small', {}, where)));
    }
    if (warnings.length > 0) {
        const codes = [...new Set(warnings.map(({ code }) => code))].join(', ');
        const list = make('ul', { className: 'warnings' }, ...warningItems(warnings));
        card.append(
            make(
                'details',
                {},
                make('summary', {}, sign(), plural(warnings.length, 'warning'), make('small', {}, ` ${codes}`)),
                list,
            ),
        );
    }
    return card;
}
