// SPDX-License-Identifier: MIT

/** Clips of other skeletons: source and target side by side, with the traces of their feet and where they slide. */

import type { ReportData, ReportRetargeted } from '../data';
import type { Bake, Entry } from './bakes';
import { byId, draw, make } from './dom';
import { sign } from './share';
import type { State } from './state';

const [WIDTH, HEIGHT] = [480, 360];
const ANGLES = ['arms', 'legs', 'turn'];

export function createRetargeted(
    data: ReportData,
    bakes: readonly Bake[],
    entries: readonly Entry[],
    { view, listen }: State,
): void {
    const section = byId('retargeted');
    const figure = byId('retargeted-figure');
    const known = data.bakes[0]?.retargeted ?? [];
    let move = (_seconds: number) => {};
    const build = () => {
        const clip = bakes[0]!.clips[entries[view.entry]!.clips[0]!];
        const found = known.find(({ animation }) => animation === clip?.animation);
        section.hidden = found === undefined;
        if (found === undefined) return;
        const project = projectionOf(found);
        const sides = [
            sideOf(found, 'source', project, `Source: ${found.file}`),
            sideOf(found, 'target', project, 'Target'),
        ];
        figure.replaceChildren(...sides.map(({ element }) => element));
        byId('retargeted-measures').replaceChildren(...found.measures.map(measureOf));
        const start = clip!.start ?? 0;
        move = (seconds) => {
            const { times } = found.trace;
            const after = times.findIndex((time) => time > start + seconds);
            for (const side of sides) side.move(after < 0 ? times.length - 1 : Math.max(after - 1, 0));
        };
        move(view.seconds);
    };
    listen((changed) => {
        if (changed.has('entry')) build();
        else if (changed.has('seconds')) move(view.seconds);
    });
    if (known.length > 0) build();
}

function measureOf({ name, value, limit }: ReportRetargeted['measures'][0]): HTMLElement {
    const text = (x: number) => (ANGLES.includes(name) ? `${x.toFixed(1)}°` : `${(x * 100).toFixed(2)}%`);
    const shown = `${name} ${text(value)}`;
    if (value <= limit) return make('li', {}, shown);
    return make('li', {}, make('span', { className: 'slides' }, sign(), shown, ` (limit ${text(limit)})`));
}

type Project = (pose: readonly number[], joint: number) => [x: number, y: number];

/** Both sides in one scale, seen from the front, a little from the left and from above. */
function projectionOf({ trace }: ReportRetargeted): Project {
    const flat: Project = (pose, joint) => {
        const [x, y, z] = pose.slice(joint * 3, joint * 3 + 3) as [number, number, number];
        return [0.85 * x + 0.53 * z, -0.95 * y + 0.3 * (0.85 * z - 0.53 * x)];
    };
    const points = [...trace.source, ...trace.target].flatMap((pose) =>
        Array.from({ length: pose.length / 3 }, (_, joint) => flat(pose, joint)),
    );
    const range = (c: 0 | 1) => {
        const values = points.map((point) => point[c]);
        return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] as const;
    };
    const [[left, right], [top, bottom]] = [range(0), range(1)];
    const scale = Math.min((WIDTH - 40) / (right - left || 1), (HEIGHT - 60) / (bottom - top || 1));
    return (pose, joint) => {
        const [x, y] = flat(pose, joint);
        return [WIDTH / 2 + (x - (left + right) / 2) * scale, HEIGHT - 20 - (bottom - y) * scale];
    };
}

function sideOf({ trace }: ReportRetargeted, which: 'source' | 'target', project: Project, title: string) {
    const poses = trace[which];
    const line = (className: string) => draw('line', { class: className });
    const place = (element: SVGElement, a: readonly number[], b: readonly number[]) => {
        for (const [name, value] of Object.entries({ x1: a[0]!, y1: a[1]!, x2: b[0]!, y2: b[1]! }))
            element.setAttribute(name, value.toFixed(1));
        return element;
    };
    const traces = trace.feet.flatMap((foot, side) =>
        poses.slice(1).map((pose, k) => {
            const mark = Math.max(trace.marks[side]![k]!, trace.marks[side]![k + 1]!);
            // The source defines where feet stand, so only the target slides.
            const kind = ['swings', 'stands', which === 'target' ? 'slides' : 'stands'][mark]!;
            return place(line(`trace ${kind}`), project(poses[k]!, foot), project(pose, foot));
        }),
    );
    const dots = trace.feet.flatMap((foot, side) =>
        poses.flatMap((pose, k) => {
            if (trace.marks[side]![k] === 0) return [];
            const [cx, cy] = project(pose, foot);
            const slides = trace.marks[side]![k] === 2 && which === 'target';
            return [draw('circle', { class: `dot ${slides ? 'slides' : 'stands'}`, cx, cy, r: slides ? 4 : 2.5 })];
        }),
    );
    const bones = trace.bones.map(() => line('bone'));
    const picture = draw(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}, with the traces of its feet` },
        ...traces,
        ...dots,
        ...bones,
    );
    return {
        element: make('div', { className: `side ${which}` }, make('b', {}, title), picture),
        move(index: number): void {
            const pose = poses[index]!;
            for (const [i, [a, b]] of trace.bones.entries()) place(bones[i]!, project(pose, a), project(pose, b));
        },
    };
}
