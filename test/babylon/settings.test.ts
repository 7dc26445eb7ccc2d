// SPDX-License-Identifier: MIT

/** The numbers that thin instances of Babylon are given, by what its shader makes of them. */

import { playSettings, stillSettings } from '../../lib/babylon';
import { BakedTable } from '../../lib/table';
import { ruler } from '../table/small-bake';

const clips = [
    { frameCount: 5, duration: Math.fround(0.4), loop: true },
    { frameCount: 1, duration: 0, fps: null },
    { frameCount: 31, duration: 3 },
];
const { manifest, bin } = ruler(clips);
const table = BakedTable.open(manifest, bin);

/** Babylon 9.28, Shaders/ShadersInclude/bakedVertexAnimation: the row that is shown. */
function shownRow([start, end, offset, speed]: ArrayLike<number> & Iterable<number>, clock: number): number {
    const total = end! - start! + 1;
    const time = (clock * speed!) / total;
    const correction = time < 1 ? 0 : 1;
    const frames = total - correction;
    const frame = (((time - Math.floor(time)) * frames + offset!) % frames) | 0;
    return frame + start! + correction;
}

test('stillSettings: the nearest row of each instance, whatever the clock', () => {
    const times = Float64Array.of(0.16, 0.3, 5, 0.39, 1.44);
    const which = Uint16Array.of(0, 1, 2, 0, 2);
    for (const [loop, rows] of [
        ['clamp', [2, 5, 36, 4, 20]],
        ['wrap', [2, 5, 26, 0, 20]],
    ] as const) {
        const out = stillSettings(table, which, times, new Float32Array(20), { loop });
        for (const clock of [0, 0.7, 100]) {
            const shown = rows.map((_, i) => shownRow(out.subarray(i * 4, i * 4 + 4), clock));
            expect(shown).toEqual(rows);
        }
    }
    const code = expect.objectContaining({ code: 'ERR_BUFFER_LENGTH' });
    expect(() => stillSettings(table, 0, times, new Float32Array(19))).toThrow(code);
});

test('playSettings: every round takes the duration, and is a frame ahead at most', () => {
    for (const [clip, { firstRow, frameCount, duration }] of table.clips.entries()) {
        const settings = playSettings(table, clip, new Float32Array(7), 3).subarray(3);
        for (let clock = 0; clock < 10; clock += 0.0137) {
            const shown = shownRow(settings, clock) - firstRow;
            const phase = duration > 0 ? (clock % duration) / duration : 0;
            const ahead = shown - Math.floor(phase * (frameCount - 1));
            expect([0, 1]).toContain(ahead);
        }
    }
    expect(() => playSettings(table, 3, new Float32Array(4))).toThrow(
        expect.objectContaining({ code: 'ERR_INDEX_RANGE' }),
    );
    const short = expect.objectContaining({ code: 'ERR_BUFFER_LENGTH' });
    expect(() => playSettings(table, 0, new Float32Array(6), 3)).toThrow(short);
});

test('an offset and a speed', () => {
    const settings = playSettings(table, 2, new Float32Array(4), 0, 10, 2);
    expect(shownRow(settings, 0)).toBe(16);
    expect(shownRow(settings, 0.5) - 16).toBe(10);
});
