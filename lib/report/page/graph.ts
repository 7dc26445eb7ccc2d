// SPDX-License-Identifier: MIT

/** The error over time: a pane for each interpolation. All panes of all clips have one logarithmic scale. */

import { type Bake, type Entry, errorsOf, frameTime, type Series, worstOf, worstOfAll } from './bakes';
import { byId, draw, distance as lengthOf, make, seconds } from './dom';
import { decadesFor, percent, placeOf, shareText, ticksOf } from './share';
import type { State } from './state';

const [WIDTH, HEIGHT] = [1000, 100];

interface Pane {
    readonly bake: Bake;
    readonly clip: number;
    readonly title: string;
    readonly series: Series;
    readonly inUse: boolean;
}

export const NAMES: Readonly<Record<Series, string>> = { lerp: 'Interpolated', nearest: 'Nearest row' };

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
    const isOne = bakes.length > 1 || bakes[0]!.reduced !== null;
    const all = bakes.flatMap((bake) => (isOne ? [] : [worstOfAll(bake, 'nearest')]).concat(worstOfAll(bake, 'lerp')));
    const { bound } = bakes[0]!;
    const scale: Scale = { bound, above: decadesFor(Math.max(...all.map(({ share }) => share)), bound) };
    const move = () => {
        const { duration } = entries[view.entry]!;
        cursor.style.left = `${duration > 0 ? (view.seconds / duration) * 100 : 0}%`;
    };
    const build = () => {
        const entry = entries[view.entry]!;
        const series: Series = view.nearest ? 'nearest' : 'lerp';
        const shown: Series[] = isOne ? [series] : ['lerp', 'nearest'];
        const panes = bakes.flatMap((bake, b): Pane[] =>
            shown
                .filter(() => entry.clips[b]! >= 0)
                .map((one) => ({
                    bake,
                    clip: entry.clips[b]!,
                    title: isOne ? bake.label : NAMES[one],
                    series: one,
                    inUse: one === series,
                })),
        );
        graph.replaceChildren(...panes.map((pane) => paneOf(pane, entry.duration, scale)), cursor);
        cursor.hidden = graph.querySelector('.plot') === null;
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

/** The scale of all panes: the bound, and the decades above it. */
interface Scale {
    readonly bound: number;
    readonly above: number;
}

type Point = readonly [seconds: number, share: number];

/** Errors over time. Between two frames of a bake, the error is the maximum there. */
function pointsOf(bake: Bake, clip: number, series: Series): readonly Point[] {
    if (bake.reduced) {
        const { times, errors } = bake.reduced.clips[clip]!;
        return times.map((time, i): Point => [time, errors[i]! / (bake.extent || 1)]);
    }
    return errorsOf(bake, clip, series).flatMap((share, i): Point[] => [
        [frameTime(bake, clip, i), share],
        [frameTime(bake, clip, i + 1), share],
    ]);
}

const rounded = (value: number) => Math.round(value * 10) / 10;

function paneOf({ bake, clip, title, series, inUse }: Pane, duration: number, { bound, above }: Scale): HTMLElement {
    const { share, distance } = worstOf(bake, clip, series);
    const { discontinuities: jumps, events = [] } = bake.clips[clip]!;
    const moment = worstMoment(bake, clip, series);
    const x = (time: number) => rounded(duration > 0 ? (time / duration) * WIDTH : 0);
    const y = (error: number) => rounded(HEIGHT * (1 - placeOf(error, bound, above)));
    const words =
        distance > 0
            ? [' at most ', shareText(share, bake.bound), ` of the extent, ${lengthOf(distance)}`]
            : [' no error'];
    if (moment !== null && distance > 0) words.push(`, at ${seconds(moment)}`);
    if (jumps.length > 0 && inUse) words.push(`; ${jumps.length === 1 ? '1 jump' : `${jumps.length} jumps`}, dotted`);
    if (events.length > 0 && inUse) {
        words.push(`; ${events.length === 1 ? '1 event' : `${events.length} events`}, finely dotted`);
    }
    const caption = make('figcaption', {}, make('strong', {}, title), ...words);
    const pane = make('figure', { className: inUse ? 'pane in-use' : 'pane' }, caption);
    const points = pointsOf(bake, clip, series);
    if (points.length === 0) return pane;

    const line = points.map(([time, error]) => `L${x(time)} ${y(error)}`).join('');
    const level = (error: number) => `M0 ${y(error)}H${WIDTH}`;
    const ticks = ticksOf(bound, above);
    const label = `Error over time, ${title}:${caption.textContent!.slice(title.length)}; bound ${percent(bake.bound)}`;
    const picture = draw(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
        draw('rect', { class: 'beyond', width: WIDTH, height: y(bake.bound) }),
        ...ticks.map((tick) => draw('path', { class: 'tick', d: level(tick) })),
        draw('path', { class: 'area', d: `M0 ${HEIGHT}${line}L${x(points.at(-1)![0])} ${HEIGHT}Z` }),
        draw('path', { class: 'bound', d: level(bake.bound) }),
        draw('path', { class: 'line', d: line.replace('L', 'M') }),
        ...jumps.map((frame) => draw('path', { class: 'jump', d: `M${x(frameTime(bake, clip, frame))} 0V${HEIGHT}` })),
        ...events.map(({ time }) => draw('path', { class: 'event', d: `M${x(time)} 0V${HEIGHT}` })),
        // Stays round, even if the drawing is stretched.
        ...(moment !== null && share > 0 ? [draw('path', { class: 'worst', d: `M${x(moment)} ${y(share)}h0` })] : []),
    );
    const axis = make('div', { className: 'axis', ariaHidden: 'true' });
    const marks = ticks.filter((tick) => Math.abs(y(tick) - y(bake.bound)) > 12);
    for (const tick of [...marks, bake.bound]) {
        const mark = make('span', { className: tick === bake.bound ? 'mark at-bound' : 'mark' }, percent(tick));
        mark.style.bottom = `${100 * placeOf(tick, bound, above)}%`;
        axis.append(mark);
    }
    pane.append(make('div', { className: 'plot' }, axis, picture));
    return pane;
}
