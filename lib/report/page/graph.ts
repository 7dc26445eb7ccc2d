// SPDX-License-Identifier: MIT

/** The error over time: a pane for each interpolation, each with its own scale. */

import type { ReportReduced } from '../data';
import { type Bake, type Entry, errorsOf, frameTime, type Series, worstOf } from './bakes';
import { byId, distance, draw, make, percent, seconds, units } from './dom';
import type { State } from './state';

const [WIDTH, HEIGHT] = [1000, 60];

interface Pane {
    readonly bake: Bake;
    readonly clip: number;
    readonly title: string;
    readonly series: Series;
    readonly inUse: boolean;
}

export const NAMES: Readonly<Record<Series, string>> = { lerp: 'Rows mixed', nearest: 'Nearest row' };

/** Time of a clip's maximum error, seconds. For a bake, the middle of the interval; null if it is not known. */
export function worstMoment(bake: Bake, clip: number, series: Series): number | null {
    if (bake.reduced) return bake.reduced.clips[clip]!.time;
    const errors = errorsOf(bake, clip, series);
    const worst = errors.reduce((at, error, i) => (error > errors[at]! ? i : at), 0);
    return errors.length === 0 ? null : (frameTime(bake, clip, worst) + frameTime(bake, clip, worst + 1)) / 2;
}

export function createGraph(bakes: readonly Bake[], entries: readonly Entry[], { view, set, listen }: State): void {
    const graph = byId('graph');
    const cursor = make('div', { className: 'cursor' });
    const move = () => {
        const { duration } = entries[view.entry]!;
        cursor.style.left = `${duration > 0 ? (view.seconds / duration) * 100 : 0}%`;
    };
    const build = () => {
        const entry = entries[view.entry]!;
        const series: Series = view.nearest ? 'nearest' : 'lerp';
        const isOne = bakes.length > 1 || bakes[0]!.reduced !== null;
        const shown: Series[] = isOne ? [series] : ['lerp', 'nearest'];
        const panes = bakes.flatMap((bake, b): Pane[] =>
            shown
                .filter(() => entry.clips[b]! >= 0)
                .map((one) => ({
                    bake,
                    clip: entry.clips[b]!,
                    title: bakes.length > 1 ? bake.label : NAMES[one],
                    series: one,
                    inUse: one === series,
                })),
        );
        graph.replaceChildren(...panes.map((pane) => paneOf(pane, entry.duration)), cursor);
        cursor.hidden = graph.querySelector('svg') === null;
        move();
    };
    // Not for the keyboard: the slider, the buttons and the keys reach the same times.
    const seek = ({ clientX, buttons }: PointerEvent) => {
        if (buttons !== 1 || cursor.hidden) return;
        const { left, width } = graph.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (clientX - left) / width));
        set({ playing: false, seconds: share * entries[view.entry]!.duration });
    };
    graph.addEventListener('pointerdown', seek);
    graph.addEventListener('pointermove', seek);
    listen((changed) => {
        if (changed.has('entry') || changed.has('nearest')) build();
        else if (changed.has('seconds')) move();
    });
    build();
}

type Point = readonly [x: number, y: number];
const pathOf = (points: readonly Point[]) => points.map(([x, y]) => `L${x} ${y}`).join('');

/** A drawing with an area below a line. */
function drawingOf(label: string, points: readonly Point[], ...others: readonly SVGElement[]): SVGElement {
    const line = pathOf(points);
    return draw(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
        draw('path', { class: 'area', d: `M0 ${HEIGHT}${line}L${points.at(-1)?.[0] ?? 0} ${HEIGHT}Z` }),
        draw('path', { class: 'line', d: line.replace('L', 'M') }),
        ...others,
    );
}

/** The pane of a reduced clip. The tolerance is a line, the maximum error a dot. */
function paneOfReduced({ maxError, clips }: ReportReduced, index: number, duration: number): HTMLElement {
    const { times, errors, error, share, time } = clips[index]!;
    const top = Math.max(error, maxError, Number.MIN_VALUE);
    const at = (seconds: number, off: number): Point => [
        duration > 0 ? (seconds / duration) * WIDTH : 0,
        HEIGHT - 4 - (off / top) * (HEIGHT - 8),
    ];
    const [[x, y], [, bound]] = [at(time, error), at(0, maxError)];
    const most = `at most ${distance(error)}, ${percent(share, 3)} of the extent, at ${seconds(time)} (dot)`;
    const words = `${error > 0 ? most : 'none'}; tolerance ${distance(maxError)} (dashed)`;
    const picture = drawingOf(
        `Error over time: ${words}`,
        errors.map((off, i) => at(times[i]!, off)),
        draw('path', { class: 'jump', d: `M0 ${bound}H${WIDTH}` }),
        // Stays round, even if the drawing is stretched.
        draw('path', { class: 'worst', d: `M${x} ${y}h0` }),
    );
    return make(
        'figure',
        { className: 'pane in-use' },
        make('figcaption', {}, make('strong', {}, 'Maximum displacement'), ` ${words}`),
        picture,
    );
}

function paneOf({ bake, clip, title, series, inUse }: Pane, duration: number): HTMLElement {
    if (bake.reduced) return paneOfReduced(bake.reduced, clip, duration);
    const errors = errorsOf(bake, clip, series);
    const worst = worstOf(bake, clip, series);
    const { extent, clips } = bake;
    const at = (frame: number) => (duration > 0 ? (frameTime(bake, clip, frame) / duration) * WIDTH : 0);
    const top = Math.max(worst, Number.MIN_VALUE);
    const y = (error: number) => HEIGHT - (error / top) * (HEIGHT - 4);
    const jumps = clips[clip]!.discontinuities;
    const share = `${percent(extent > 0 ? worst / extent : 0)} of the extent`;
    const words = `at most ${units(worst)}, ${share}${jumps.length === 0 || !inUse ? '' : `; ${countOf(jumps.length)}, dashed`}`;
    const picture = drawingOf(
        `Error over time, ${title}: ${words}`,
        errors.flatMap((error, i): Point[] => [
            [at(i), y(error)],
            [at(i + 1), y(error)],
        ]),
        ...jumps.map((frame) => draw('path', { class: 'jump', d: `M${at(frame)} 0V${HEIGHT}` })),
    );
    const caption = make('figcaption', {}, make('strong', {}, title), ` ${words}`);
    const pane = make('figure', { className: inUse ? 'pane in-use' : 'pane' }, caption);
    if (errors.length > 0) pane.append(picture);
    return pane;
}

const countOf = (jumps: number) => (jumps === 1 ? '1 jump' : `${jumps} jumps`);
