// SPDX-License-Identifier: MIT

/** Facts about the bakes, in tables and sentences. */

import type { FolderFacts } from '../../format/folder-facts';
import type { ReportData, ReportReduced } from '../data';
import { type Bake, type Entry, type Output, ratesOf, type Worst, worstOfAll } from './bakes';
import { byId, count, distance, rates as fpsOf, make, seconds, size, units } from './dom';
import { percent, shareText } from './share';
import type { State } from './state';
import { foldedItem, warningItems } from './warnings';

type Cell = Node | string;

export function showFacts(data: ReportData, bakes: readonly Bake[]): void {
    if (data.reduced) {
        byId('facts').replaceChildren(...factsOfReduced(data, data.reduced, bakes[0]!));
        return;
    }
    const warnings = warningsOf(bakes.flatMap(itemsOf));
    const parts = [warnings, sizesOf(data, bakes), ...(data.rates.length > 0 ? [otherRates(data, bakes)] : [])];
    byId('facts').replaceChildren(...parts);
}

function section(title: string, ...children: Node[]): HTMLElement {
    return make('section', { className: 'card' }, make('h2', {}, title), ...children);
}

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[], marked = -1): HTMLElement {
    const line = (cells: readonly Cell[], tag: 'th' | 'td', index: number) =>
        make(
            'tr',
            { className: index === marked ? 'marked' : '' },
            ...cells.map((cell, i) =>
                cell !== '' && (i === 0 || tag === 'th')
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
    return make('div', { className: 'table', tabIndex: 0, role: 'group', ariaLabel: 'Table' }, whole);
}

function sizesOf(data: ReportData, bakes: readonly Bake[]): HTMLElement {
    const { modelBytes } = data;
    const columns = bakes.flatMap((bake) => bake.outputs.map((output) => ({ bake, output })));
    const name = ({ bake, output }: (typeof columns)[0]) =>
        bakes.length > 1 ? (bake.outputs.length > 1 ? `${bake.label}: ${output.stem}` : bake.label) : output.stem;
    const row = (title: string, of: (output: Output, bake: Bake) => Cell): Cell[] => [
        title,
        ...columns.map(({ bake, output }) => of(output, bake)),
    ];
    const palette = ({ manifest }: Output) => manifest.arrays.palette;
    const columnsOf = ({ manifest: { skin, attachments, arrays } }: Output) =>
        arrays.palette === undefined ? 0 : (skin?.joints.length ?? 0) + attachments.length;
    const rowsOf = ({ manifest }: Output) => manifest.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    const lines = [
        row('Clips', ({ manifest }) => count(manifest.clips.length)),
        row('Rows × columns', (output) => `${count(rowsOf(output))} × ${count(columnsOf(output))}`),
        row('Bytes per row', (output) => size((palette(output)?.byteLength ?? 0) / rowsOf(output))),
        row('Layout', (output) => `${palette(output)?.layout ?? 'no palette'} ${palette(output)?.dtype ?? ''}`),
        row('Rate', (_, bake) => fpsOf(ratesOf(bake) ?? [0, 0])),
        row('Arrays', ({ bytes }) => size(bytes)),
        row('Arrays after gzip', ({ gzipBytes }) => size(gzipBytes)),
        row('Maximum error, interpolated', (_, bake) => errorCell(worstOfAll(bake, 'lerp'), bake.bound)),
        row('Maximum error, nearest row', (_, bake) => errorCell(worstOfAll(bake, 'nearest'), bake.bound)),
    ];
    if (modelBytes > 0) lines.unshift(row('Model', () => size(modelBytes)));
    const folders = data.bakes.flatMap((bake) => bake.folders ?? []);
    return section(
        'Sizes',
        table(['', ...columns.map(name)], lines),
        ...folders.map((facts) => make('p', { className: 'quiet' }, folderText(facts))),
    );
}

function folderText({ folder, frames, bytes, error, extent }: FolderFacts): string {
    const off = `error ${percent(error.between / extent)} between frames, ${percent(error.frames / extent)} in frames`;
    return `${folder}: ${count(frames)} frames, ${size(bytes)}, ${off}`;
}

function errorCell({ share, distance: length }: Worst, bound: number): HTMLElement {
    return make('span', {}, shareText(share, bound), ` (${distance(length)})`);
}

function otherRates({ rates }: ReportData, bakes: readonly Bake[]): HTMLElement {
    const own = bakes[0]!.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    return section(
        'Other rates',
        table(
            ['Rate', 'Rows', 'Size', 'Maximum error'],
            rates.map(({ label, rows, bytes, maxLerp, maxLerpShare }) => [
                /^[\d.]+$/.test(label) ? `${label} fps` : label,
                count(rows),
                size(bytes),
                errorCell({ share: maxLerpShare, distance: maxLerp }, bakes[0]!.bound),
            ]),
            rates.findIndex(({ rows }) => rows === own),
        ),
        make(
            'p',
            { className: 'quiet' },
            'Percentages are of the model’s extent. A marked rate has as many rows as this bake.',
        ),
    );
}

function factsOfReduced(
    { modelBytes }: ReportData,
    { bytes, before, after, clips, maxError }: ReportReduced,
    bake: Bake,
) {
    const worst = clips.reduce((at, { error }, i) => (error > clips[at]!.error ? i : at), 0);
    const sizes: Cell[][] = [
        ['Keys', count(before.keys), count(after.keys)],
        ['Keys and their times', size(before.bytes), size(after.bytes)],
        ['Keys and their times after gzip', size(before.gzip), size(after.gzip)],
        ['Whole file', size(modelBytes), size(bytes)],
    ];
    const rows = clips.map(({ name, animation, before: had, after: has, error, share, ok }): Cell[] => [
        name || `#${animation}`,
        make(
            'span',
            {},
            shareText(share, bake.bound),
            ` (${distance(error)})${ok || error > maxError ? '' : ', rotated'}`,
        ),
        `${count(had.keys)} → ${count(has.keys)}`,
        `${size(had.bytes)} → ${size(has.bytes)}`,
    ]);
    const beyond = clips.flatMap(({ name, animation, error, what, time, turn, ok }) => {
        if (ok) return [];
        const off = `error ${distance(error)} at ${seconds(time)}, ${what}; the bound is ${distance(maxError)}`;
        const turned = `${turn?.what} carries no vertex, and is rotated by ${units(turn?.angle ?? 0)}° at ${seconds(turn?.time ?? 0)}`;
        return make('p', {}, `Clip #${animation} '${name}': ${error > maxError || !turn ? off : turned}.`);
    });
    const above = beyond.length === 0 ? [] : [foldedItem(make('b', {}, 'Clips above the bound'), beyond)];
    return [
        section('Before and after', table(['', 'Before', 'After'], sizes)),
        warningsOf([...above, ...itemsOf(bake)]),
        section('Clips', table(['Clip', 'Maximum error', 'Keys', 'Keys and their times'], rows, worst)),
    ];
}

const itemsOf = ({ warnings }: Bake): HTMLElement[] => warningItems(warnings);

function warningsOf(items: readonly Node[]): HTMLElement {
    const list = items.length === 0 ? make('p', { className: 'quiet' }, 'None.') : make('ul', {}, ...items);
    list.classList.add('warnings');
    return Object.assign(section('Warnings', list), { id: 'warnings' });
}

function seamOf({ clips }: ReportReduced, clip: number): string {
    const { what, seam } = clips[clip]!;
    const most = what === '' ? '' : `The maximum error is at ${what}. `;
    const closes =
        seam === null ? 'It does not loop.' : `It loops; its first and last pose differ by ${distance(seam)}.`;
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
                    : ` Its first and last row differ by ${percent(bake.extent > 0 ? seam / bake.extent : 0)} of the extent.`;
            return `${prefix}${animated ? (loop ? 'It loops.' : 'It does not loop.') : 'It is not animated.'}${apart}`;
        });
        byId('seam').textContent = sentences.join(' ');
    };
    listen((changed) => changed.has('entry') && build());
    build();
}
