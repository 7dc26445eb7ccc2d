// SPDX-License-Identifier: MIT

/** Facts about the bakes, in tables and sentences. */

import type { ReportData, ReportReduced } from '../data';
import { type Bake, type Entry, type Output, worstOfAll } from './bakes';
import { byId, count, distance, make, percent, seconds, size, units } from './dom';
import type { State } from './state';

type Cell = Node | string;

/** Maximum number of warnings shown. */
const SHOWN = 20;

export function showFacts(data: ReportData, bakes: readonly Bake[]): void {
    if (data.reduced) {
        byId('facts').replaceChildren(...factsOfReduced(data, data.reduced));
        return;
    }
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

function factsOfReduced(
    { modelBytes }: ReportData,
    { bytes, before, after, clips, problems, maxError }: ReportReduced,
) {
    const worst = clips.reduce((at, { error }, i) => (error > clips[at]!.error ? i : at), 0);
    const sizes: Cell[][] = [
        ['Keys', count(before.keys), count(after.keys)],
        ['Keys and their times', size(before.bytes), size(after.bytes)],
        ['The same, compressed (gzip)', size(before.gzip), size(after.gzip)],
        ['The whole file', size(modelBytes), size(bytes)],
    ];
    const rows = clips.map(({ name, animation, before: had, after: has, error, share, ok }): Cell[] => [
        name || `#${animation}`,
        `${distance(error)} (${percent(share, 3)})${ok ? '' : ', beyond'}`,
        `${count(had.keys)} → ${count(has.keys)}`,
        `${size(had.bytes)} → ${size(has.bytes)}`,
    ]);
    const beyond = clips.flatMap(({ name, animation, error, what, time, turn, ok }) => {
        if (ok) return [];
        const off = `off by ${distance(error)} at ${seconds(time)}: ${what}; ${distance(maxError)} are allowed`;
        const turned = `${turn?.what} carries no vertex, and is turned by ${units(turn?.angle ?? 0)}° at ${seconds(turn?.time ?? 0)}`;
        return make('li', {}, `Clip #${animation} '${name}': ${error > maxError || !turn ? off : turned}.`);
    });
    const different = problems.map(({ code, pointer, message }) => itemOf(`${pointer}: ${message}`, code));
    return [
        section('Before and after', table(['', 'Before', 'After'], sizes)),
        section('Warnings', listOf([...beyond, ...different])),
        section('Clips', table(['Clip', 'Off at most', 'Keys', 'Keys and their times'], rows, worst)),
    ];
}

const itemOf = (sentence: string, where: string): HTMLElement =>
    make('li', {}, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ' ', make('small', {}, where));

function listOf(items: readonly Node[]): HTMLElement {
    if (items.length === 0) return make('p', {}, 'There are none.');
    const more = items.length > SHOWN ? [make('li', {}, `And ${count(items.length - SHOWN)} more.`)] : [];
    return make('ul', {}, ...items.slice(0, SHOWN), ...more);
}

function warningsOf(bakes: readonly Bake[]): HTMLElement {
    const all = bakes.flatMap(({ outputs }) => outputs.flatMap(({ manifest }) => manifest.warnings ?? []));
    const warnings = new Map(all.map((warning) => [warning.code + warning.pointer + warning.message, warning]));
    const items = [...warnings.values()].map(({ code, message, pointer }) =>
        itemOf(message.charAt(0).toUpperCase() + message.slice(1), pointer === '' ? code : `${code} at ${pointer}`),
    );
    return section('Warnings', listOf(items));
}

function seamOf({ clips }: ReportReduced, clip: number): string {
    const { what, seam } = clips[clip]!;
    const most = what === '' ? '' : `Off the most is ${what}. `;
    const closes = seam === null ? 'It does not loop.' : `It loops: first and last pose are ${distance(seam)} apart.`;
    return `${most}${closes}`;
}

/** Describes the seam of the chosen clip. */
export function showSeam(bakes: readonly Bake[], entries: readonly Entry[], { view, listen }: State): void {
    const build = () => {
        const sentences = bakes.map((bake, b) => {
            const clip = entries[view.entry]!.clips[b]!;
            const prefix = bakes.length > 1 ? `${bake.label}: ` : '';
            if (clip < 0) return `${prefix}no such clip.`;
            if (bake.reduced) return seamOf(bake.reduced, clip);
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
