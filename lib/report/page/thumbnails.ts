// SPDX-License-Identifier: MIT

/** A strip of pictures of the chosen clip, drawn one at a time. */

import type * as THREE from 'three';
import { type Bake, type Entry, frameTime } from './bakes';
import { byId, make, seconds } from './dom';
import type { Side } from './sides';
import type { Stage } from './stage';
import type { State } from './state';

const COUNT = 10;
const [WIDTH, HEIGHT] = [88, 88];

interface Thumbnail {
    readonly button: HTMLButtonElement;
    readonly canvas: HTMLCanvasElement;
    readonly time: number;
    isDrawn: boolean;
}

export function createThumbnails(
    bake: Bake,
    index: number,
    entries: readonly Entry[],
    { view, set, listen }: State,
    boxOf: (entry: number) => THREE.Box3,
) {
    const strip = byId('thumbnails');
    let shown: Thumbnail[] = [];

    function build(): void {
        const clip = entries[view.entry]!.clips[index]!;
        const last = clip < 0 || !(bake.tables ?? bake.reduced) ? -1 : bake.clips[clip]!.frameCount - 1;
        const frames = new Set(Array.from({ length: COUNT }, (_, i) => Math.round((i * last) / (COUNT - 1))));
        shown = [...(last < 0 ? [] : frames)].map((frame) => {
            const time = frameTime(bake, clip, frame);
            const ratio = Math.min(devicePixelRatio, 2);
            const canvas = make('canvas', { width: WIDTH * ratio, height: HEIGHT * ratio });
            const button = make('button', { type: 'button' }, canvas, make('small', {}, seconds(time)));
            button.setAttribute(
                'aria-label',
                bake.reduced ? `Go to ${seconds(time)}` : `Go to frame ${frame}, ${seconds(time)}`,
            );
            button.onclick = () => set({ playing: false, seconds: time });
            return { button, canvas, time, isDrawn: false };
        });
        strip.replaceChildren(...shown.map(({ button }) => make('li', {}, button)));
        mark();
    }

    function mark(): void {
        const at = shown.findLastIndex(({ time }) => time <= view.seconds + 1e-6);
        for (const [i, { button }] of shown.entries()) button.ariaCurrent = i === at ? 'true' : null;
    }

    listen((changed) => {
        if (changed.has('entry')) build();
        else if (changed.has('seconds')) mark();
    });
    build();
    return {
        /** Draws the next one. Returns false if all are drawn. */
        drawNext(stage: Stage, side: Side, which: number): boolean {
            const next = shown.find(({ isDrawn }) => !isDrawn);
            if (next === undefined) return false;
            side.pose(entries[view.entry]!, next.time, false);
            stage.snapshot(next.canvas, which, boxOf(view.entry));
            next.isDrawn = true;
            return true;
        },
    };
}
