// SPDX-License-Identifier: MIT

/** The error over time: a pane for each way to play, each to its own scale. */

import { type Bake, type Entry, errorsOf, frameTime, type Series, worstOf } from './bakes';
import { byId, draw, make, percent, units } from './dom';
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

/** The middle of the interval where a clip is off most, seconds; null where that is not known. */
export function worstMoment(bake: Bake, clip: number, series: Series): number | null {
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
        const shown: Series[] = bakes.length > 1 ? [series] : ['lerp', 'nearest'];
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
        cursor.hidden = panes.every(({ bake, clip }) => errorsOf(bake, clip, 'lerp').length === 0);
        move();
    };
    // Other ways to the same moments: the slider, the buttons, the keys.
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

function paneOf({ bake, clip, title, series, inUse }: Pane, duration: number): HTMLElement {
    const errors = errorsOf(bake, clip, series);
    const worst = worstOf(bake, clip, series);
    const { extent, clips } = bake;
    const at = (frame: number) => (duration > 0 ? (frameTime(bake, clip, frame) / duration) * WIDTH : 0);
    const top = Math.max(worst, Number.MIN_VALUE);
    const y = (error: number) => HEIGHT - (error / top) * (HEIGHT - 4);
    const steps = errors.map((error, i) => `L${at(i)} ${y(error)}L${at(i + 1)} ${y(error)}`).join('');
    const jumps = clips[clip]!.discontinuities;
    const share = `${percent(extent > 0 ? worst / extent : 0)} of the extent`;
    const words = `at most ${units(worst)}, ${share}${jumps.length === 0 || !inUse ? '' : `; ${countOf(jumps.length)}, dashed`}`;
    const picture = draw(
        'svg',
        {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            preserveAspectRatio: 'none',
            role: 'img',
            'aria-label': `Error over time, ${title}: ${words}`,
        },
        draw('path', { class: 'area', d: `M0 ${HEIGHT}${steps}L${at(errors.length)} ${HEIGHT}Z` }),
        draw('path', { class: 'line', d: steps.replace('L', 'M') }),
        ...jumps.map((frame) => draw('path', { class: 'jump', d: `M${at(frame)} 0V${HEIGHT}` })),
    );
    const caption = make('figcaption', {}, make('strong', {}, title), ` ${words}`);
    const pane = make('figure', { className: inUse ? 'pane in-use' : 'pane' }, caption);
    if (errors.length > 0) pane.append(picture);
    return pane;
}

const countOf = (jumps: number) => (jumps === 1 ? '1 jump' : `${jumps} jumps`);
