// SPDX-License-Identifier: MIT

/** What is known of the bakes, in tables and sentences. */

import type { ReportData } from '../data';
import { type Bake, type Entry, type Output, worstOfAll } from './bakes';
import { byId, count, make, percent, size, units } from './dom';
import type { State } from './state';

type Cell = Node | string;

/** More warnings than these nobody reads. */
const SHOWN = 20;

export function showFacts(data: ReportData, bakes: readonly Bake[]): void {
    const parts = [sizesOf(data, bakes), ...(data.rates.length > 0 ? [ratesOf(data, bakes)] : []), warningsOf(bakes)];
    byId('facts').replaceChildren(...parts);
}

function section(title: string, ...children: Node[]): HTMLElement {
    return make('section', {}, make('h2', {}, title), ...children);
}

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[], marked = -1): HTMLElement {
    const line = (cells: readonly Cell[], tag: 'th' | 'td', index: number) =>
        make(
            'tr',
            { className: index === marked ? 'marked' : '' },
            ...cells.map((cell, i) =>
                i === 0 || tag === 'th'
                    ? make('th', { scope: tag === 'th' ? 'col' : 'row' }, cell)
                    : make('td', {}, cell),
            ),
        );
    const whole = make(
        'table',
        {},
        make('thead', {}, line(head, 'th', -2)),
        make('tbody', {}, ...rows.map((row, i) => line(row, 'td', i))),
    );
    return make('div', { className: 'table', tabIndex: 0 }, whole);
}

function sizesOf({ modelBytes }: ReportData, bakes: readonly Bake[]): HTMLElement {
    const columns = bakes.flatMap((bake) => bake.outputs.map((output) => ({ bake, output })));
    const name = ({ bake, output }: (typeof columns)[0]) =>
        bakes.length > 1 ? (bake.outputs.length > 1 ? `${bake.label}: ${output.stem}` : bake.label) : output.stem;
    const row = (title: string, of: (output: Output, bake: Bake) => string): Cell[] => [
        title,
        ...columns.map(({ bake, output }) => of(output, bake)),
    ];
    const palette = ({ manifest }: Output) => manifest.arrays.palette;
    const rowsOf = ({ manifest }: Output) => manifest.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    const off = (worst: number, { extent }: Bake) => `${units(worst)} (${percent(extent > 0 ? worst / extent : 0)})`;
    const lines = [
        row('Clips', ({ manifest }) => count(manifest.clips.length)),
        row('Rows × columns', (output) => `${count(rowsOf(output))} × ${count(palette(output)?.shape[1] ?? 0)}`),
        row('A row', (output) => size((palette(output)?.byteLength ?? 0) / rowsOf(output))),
        row('Layout', (output) => `${palette(output)?.layout ?? 'no palette'} ${palette(output)?.dtype ?? ''}`),
        row('Rate', ({ manifest }) => rateOf(manifest.recipe.fps)),
        row('The bin', ({ bytes }) => size(bytes)),
        row('Compressed (gzip)', ({ gzipBytes }) => size(gzipBytes)),
        row('Off at most, rows mixed', (_, bake) => off(worstOfAll(bake, 'lerp'), bake)),
        row('Off at most, nearest row', (_, bake) => off(worstOfAll(bake, 'nearest'), bake)),
    ];
    if (modelBytes > 0) lines.unshift(row('The model', () => size(modelBytes)));
    return section('Sizes', table(['', ...columns.map(name)], lines));
}

function rateOf([numerator, denominator]: readonly [number, number]): string {
    return `${Number((numerator / denominator).toFixed(3))} fps`;
}

function ratesOf({ rates }: ReportData, bakes: readonly Bake[]): HTMLElement {
    const own = bakes[0]!.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    return section(
        'Other rates',
        table(
            ['Rate', 'Rows', 'Palettes', 'Off at most'],
            rates.map(({ label, rows, bytes, maxLerp, maxLerpShare }) => [
                /^[\d.]+$/.test(label) ? `${label} fps` : label,
                count(rows),
                size(bytes),
                `${units(maxLerp)} (${percent(maxLerpShare)})`,
            ]),
            rates.findIndex(({ rows }) => rows === own),
        ),
        make(
            'p',
            {},
            'Distances are in the units of the model; percentages are of its extent. A marked rate has as many rows as this bake.',
        ),
    );
}

function warningsOf(bakes: readonly Bake[]): HTMLElement {
    const all = bakes.flatMap(({ outputs }) => outputs.flatMap(({ manifest }) => manifest.warnings ?? []));
    const warnings = new Map(all.map((warning) => [warning.code + warning.pointer + warning.message, warning]));
    if (warnings.size === 0) return section('Warnings', make('p', {}, 'There are none.'));
    const items = [...warnings.values()].slice(0, SHOWN).map(({ code, message, pointer }) => {
        const sentence = message.charAt(0).toUpperCase() + message.slice(1);
        const where = make('small', {}, pointer === '' ? code : `${code} at ${pointer}`);
        return make('li', {}, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ' ', where);
    });
    if (warnings.size > SHOWN) items.push(make('li', {}, `And ${count(warnings.size - SHOWN)} more.`));
    return section('Warnings', make('ul', {}, ...items));
}

/** Says how a clip closes, whenever another one is chosen. */
export function showSeam(bakes: readonly Bake[], entries: readonly Entry[], { view, listen }: State): void {
    const build = () => {
        const sentences = bakes.map((bake, b) => {
            const clip = entries[view.entry]!.clips[b]!;
            const prefix = bakes.length > 1 ? `${bake.label}: ` : '';
            if (clip < 0) return `${prefix}no such clip.`;
            const { loop, animated } = bake.clips[clip]!;
            const seams = bake.outputs.flatMap(({ errors }) => errors[clip]?.seam ?? []);
            const seam = Math.max(...seams);
            const apart =
                seams.length === 0
                    ? ''
                    : ` First and last row are ${units(seam)} apart (${percent(bake.extent > 0 ? seam / bake.extent : 0)} of the extent).`;
            return `${prefix}${animated ? (loop ? 'It loops.' : 'It does not loop.') : 'Nothing moves in it.'}${apart}`;
        });
        byId('seam').textContent = sentences.join(' ');
    };
    listen((changed) => changed.has('entry') && build());
    build();
}
