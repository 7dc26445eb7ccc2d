// SPDX-License-Identifier: MIT

/** The clock, and its controls. */

import { type Bake, type Entry, frameTime } from './bakes';
import { byId, input, modeInput } from './dom';
import type { Mode } from './stage';
import type { State } from './state';

const place = new Float32Array(3);
const now = new Float64Array(1);

export function createTransport(bakes: readonly Bake[], entries: readonly Entry[], state: State) {
    const { view, set, listen } = state;
    const [time, speed] = [input('time'), input('speed')];

    /** The bake that has the clip, and its index there. */
    function current(): { bake: Bake; clip: number } {
        const { clips } = entries[view.entry]!;
        const b = clips[clips.length - 1]! >= 0 ? clips.length - 1 : 0;
        return { bake: bakes[b]!, clip: clips[b]! };
    }

    /** Row, next row and fraction; null if the bake cannot be read. */
    function rows(): Float32Array | null {
        const { bake, clip } = current();
        now[0] = view.seconds;
        const table = bake.outputs[0]?.table;
        return table?.rowsAt(clip, now, place, { loop: 'clamp', between: view.nearest ? 'nearest' : 'linear' }) ?? null;
    }

    /** Moves by a number of frames, to a frame's own time. */
    function step(frames: number): void {
        const { bake, clip } = current();
        const last = bake.clips[clip]!.frameCount - 1;
        const at = (frame: number) => frameTime(bake, clip, frame);
        let frame = 0;
        while (frame < last && at(frame + 1) <= view.seconds + 1e-6) frame++;
        // Between two frames, the first step back goes to the frame before.
        if (frames < 0 && view.seconds > at(frame) + 1e-6) frame++;
        set({ playing: false, seconds: at(Math.min(last, Math.max(0, frame + frames))) });
    }

    function show(): void {
        const { duration } = entries[view.entry]!;
        const { bake, clip } = current();
        const { firstRow, frameCount } = bake.clips[clip]!;
        time.max = String(duration);
        time.value = String(view.seconds);
        const found = rows();
        const [row, next, part] = found ?? [firstRow, firstRow, 0];
        const at = (index: number) => (part! > 0 ? (index + part!).toFixed(2) : String(index));
        const moment = `${view.seconds.toFixed(3)} s`;
        const words = bake.reduced
            ? `${moment} of ${duration.toFixed(3)} s`
            : `frame ${at(row! - firstRow)} of ${frameCount - 1} · row ${at(row!)} · ${moment}`;
        byId('place').textContent = words;
        time.setAttribute('aria-valuetext', words);
        byId('place').title = part! > 0 ? `Between the rows ${row} and ${next}` : '';
        byId('play').setAttribute('aria-label', view.playing ? 'Pause' : 'Play');
        byId('play').classList.toggle('playing', view.playing);
        speed.value = String(view.speed);
        byId('speed-shown').textContent = `${view.speed.toFixed(1)}×`;
        for (const name of ['nearest', 'skeleton', 'boxes', 'root'] as const) input(name).checked = view[name];
        modeInput(view.mode).checked = true;
    }

    const toggle = () => set({ playing: !view.playing });
    byId('play').onclick = toggle;
    byId('back').onclick = () => step(-1);
    byId('forward').onclick = () => step(1);
    time.oninput = () => set({ playing: false, seconds: Number(time.value) });
    speed.oninput = () => set({ speed: Number(speed.value) });
    for (const name of ['nearest', 'skeleton', 'boxes', 'root'] as const) {
        input(name).onchange = ({ target }) => set({ [name]: (target as HTMLInputElement).checked });
    }
    for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=mode]')) {
        radio.onchange = () => set({ mode: radio.value as Mode });
    }
    listen(show);
    show();
    return {
        step,
        toggle,
        /** Advances the clip. It starts again at its end. */
        advance(elapsed: number): void {
            const { duration } = entries[view.entry]!;
            const next = view.seconds + elapsed * view.speed;
            set({ seconds: duration > 0 ? next % duration : 0 });
        },
        faster(by: number): void {
            set({ speed: Math.min(2, Math.max(0.1, Math.round((view.speed + by) * 10) / 10)) });
        },
    };
}
