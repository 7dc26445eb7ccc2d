// SPDX-License-Identifier: MIT

/** Shared by three.html and babylon.html: the bake, the controls, the clock. */

import { BakedTable } from 'poselane/table';

const query = new URLSearchParams(location.search);

/** `?limit=64`: max height of textures, so that the table is split over layers. */
export const limit = query.has('limit') ? Number(query.get('limit')) : undefined;

/** `?size=300`: width and height of each half in pixels, without antialiasing, for tests. Otherwise the window. */
export const size = query.has('size') ? Number(query.get('size')) : undefined;

/** `?renderer=webgpu`: WebGPURenderer of three.js; with its WebGL 2 backend where the browser has no WebGPU. */
export const webgpu = query.get('renderer') === 'webgpu';

export const canvas = document.getElementById('canvas');

export const loadTable = () => BakedTable.load('bake');

/** Sizes of the canvas: width of one half, height, pixels a CSS pixel. */
export function canvasSize() {
    if (size !== undefined) return { width: size, height: size, ratio: 1 };
    return { width: Math.floor(innerWidth / 2), height: innerHeight, ratio: devicePixelRatio };
}

/**
 * Runs the page.
 *
 * @param table The bake.
 * @param show Draws both halves: `(clip, seconds, only)`, seconds from 0 to the clip's duration; if `only` is 0 or 1, it draws
 * only that half, on the left.
 */
export function run(table, show) {
    const [clipSelect, time, play, row] = ['clip', 'time', 'play', 'row'].map((id) => document.getElementById(id));
    for (const [index, { name }] of table.clips.entries()) clipSelect.add(new Option(name || `#${index}`, index));

    let clip = 0;
    let seconds = 0;
    let playing = size === undefined && !query.has('frame');
    let before;

    function draw(only) {
        show(clip, seconds, only);
        // The slider rounds; the time itself does not go through it.
        time.value = seconds;
        row.textContent = `${seconds.toFixed(3)} s`;
        play.textContent = playing ? 'pause' : 'play';
    }
    function choose(index, at = 0, only = undefined) {
        clip = index;
        seconds = at;
        clipSelect.value = index;
        time.max = table.clips[index].duration;
        draw(only);
    }
    clipSelect.onchange = () => choose(Number(clipSelect.value));
    time.oninput = () => {
        playing = false;
        seconds = Number(time.value);
        draw();
    };
    play.onclick = () => {
        playing = !playing;
        draw();
    };
    /** For scripts that drive the page. In another place numbers round otherwise: pictures to compare are drawn in the same. */
    globalThis.show = (index, frame, only) => {
        playing = false;
        choose(index, table.frameTime(index, frame), only);
    };
    const first = Number(query.get('clip') ?? 0);
    choose(first, table.frameTime(first, Number(query.get('frame') ?? 0)));

    function tick(now) {
        if (playing) {
            const { duration } = table.clips[clip];
            seconds += (now - (before ?? now)) / 1000;
            seconds = duration > 0 ? seconds % duration : 0;
        }
        before = now;
        draw();
        requestAnimationFrame(tick);
    }
    if (size === undefined) requestAnimationFrame(tick);
    document.body.dataset.ready = 'yes';
}
