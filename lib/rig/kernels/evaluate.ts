// SPDX-License-Identifier: MIT
// Twin: native/rig/evaluate.h

import { isFloat32Array } from '../../base/arguments';
import type { Wrap } from '../../base/call-arguments';
import { stateError } from '../../base/errors';
import {
    blockFloats,
    type ClipTables,
    CUBICSPLINE,
    cellOf,
    GLOBAL_FLOATS,
    GROUP_NUMBERS,
    LANES,
    LINEAR,
    LOCAL_FLOATS,
    PATHS,
    type RigTables,
    type SlotTables,
    TRACK_NUMBERS,
} from './contract';
import { createLocated, type Located, locateGroup } from './locate';
import { type Sampling, sampleCubic, sampleCubicRotation, sampleLinear, sampleSlerp, sampleStep } from './sample';
import { wrapTime, wrapTime32 } from './wrap-time';

/** First component of each path within a local transform, and its number of components. */
const PATH_AT = [0, 3, 7] as const;
const PATH_WIDTH = [3, 4, 3] as const;

/** The lanes of a block that play the same clip. */
interface Run extends Sampling {
    data: Float32Array;
    values: Float32Array;
    readonly located: Located;
    readonly lanes: Uint8Array;
    laneCount: number;
    readonly times: Float64Array;
    readonly cells: Uint16Array;
    /** For each group the last run that located it: each run locates only the groups that its tracks need. */
    readonly locatedIn: Uint32Array;
    number: number;
}

/** `evaluate`, with its scratch memory. `from`: index in `clips` and `times` of the first pose. */
export function createEvaluate(tables: RigTables, slots: SlotTables) {
    const groups = tables.clips.reduce((max, clip) => Math.max(max, clip.groups.length / GROUP_NUMBERS), 0);
    const run: Run = {
        data: new Float32Array(0),
        values: new Float32Array(0),
        located: createLocated(groups),
        lanes: new Uint8Array(LANES),
        laneCount: 0,
        times: new Float64Array(LANES),
        cells: new Uint16Array(LANES),
        locatedIn: new Uint32Array(groups),
        number: 0,
    };
    const block = blockFloats(slots.slots.length, tables.restWeights.length);
    const durations = Float64Array.from(tables.clips, ({ duration }) => duration);
    const pending = new Uint8Array(LANES);

    return (
        data: Float32Array,
        count: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
        from = 0,
    ): void => {
        const blocks = Math.ceil(count / LANES);
        run.data = data;
        for (let b = 0; b < blocks; b++) {
            const first = b * LANES;
            const here = Math.min(LANES, count - first);
            pending.fill(1, 0, here);
            for (let lane = 0; lane < here; lane++) {
                if (pending[lane] === 0) continue;
                const clip = typeof clips === 'number' ? clips : clips[from + first + lane]!;
                gather(clip, lane, here, from + first, clips, times, wrap);
                evaluateRun(tables, slots, run, tables.clips[clip]!, b * block);
            }
        }
    };

    /** Sets the run to the lanes from `lane` on that play `clip`. */
    function gather(
        clip: number,
        lane: number,
        here: number,
        first: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
    ): void {
        // Reads an internal slot: the caller may have changed the list's prototype.
        const single = isFloat32Array(times);
        if (clip >= tables.clips.length)
            throw stateError('ERR_BUFFER_CHANGED', 'evaluate: the clips changed while the call ran');
        run.laneCount = 0;
        for (let l = lane; l < here; l++) {
            if (typeof clips !== 'number' && clips[first + l] !== clip) continue;
            pending[l] = 0;
            run.lanes[run.laneCount++] = l;
            run.times[l] = times[first + l]!;
            if (wrap === true || (wrap !== false && wrap[first + l] !== 0)) {
                if (single) wrapTime32(run.times, l, durations, clip);
                else wrapTime(run.times, l, durations, clip);
            }
            run.cells[l] = cellOf(run.times, l, tables.clips[clip]!);
        }
        run.number = run.number === 0xffffffff ? 1 : run.number + 1;
        if (run.number === 1) run.locatedIn.fill(0);
    }
}

function evaluateRun(tables: RigTables, slots: SlotTables, run: Run, clip: ClipTables, blockAt: number): void {
    run.values = clip.values;
    const { tracks, morphTracks, base, baseWeights } = clip;
    const { length } = slots.slots;
    for (let place = 0; place < length; place++) {
        const slot = slots.slots[place]!;
        for (let path = 0; path < PATHS; path++) {
            const track = (slot * PATHS + path) * TRACK_NUMBERS;
            const group = tracks[track]!;
            const at = blockAt + (place * LOCAL_FLOATS + PATH_AT[path]!) * LANES;
            const width = PATH_WIDTH[path]!;
            if (group < 0) {
                spread(run, at, base, slot * LOCAL_FLOATS + PATH_AT[path]!, width);
                continue;
            }
            locate(run, clip, group);
            const first = tracks[track + 2]!;
            switch (tracks[track + 1]) {
                case LINEAR:
                    if (path === 1) sampleSlerp(run, at, group, first);
                    else sampleLinear(run, at, group, first, width);
                    break;
                case CUBICSPLINE:
                    if (path === 1) sampleCubicRotation(run, at, group, first);
                    else sampleCubic(run, at, group, first, width);
                    break;
                default:
                    sampleStep(run, at, group, first, width);
            }
        }
    }
    const weightsAt = blockAt + (LOCAL_FLOATS + GLOBAL_FLOATS) * LANES * length;
    for (let morph = 0; morph * 2 < tables.morphs.length; morph++) {
        const firstWeight = tables.morphs[morph * 2]!;
        const width = tables.morphs[morph * 2 + 1]!;
        const group = morphTracks[morph * TRACK_NUMBERS]!;
        const at = weightsAt + firstWeight * LANES;
        if (group < 0) {
            spread(run, at, baseWeights, firstWeight, width);
            continue;
        }
        locate(run, clip, group);
        const first = morphTracks[morph * TRACK_NUMBERS + 2]!;
        const kind = morphTracks[morph * TRACK_NUMBERS + 1];
        if (kind === LINEAR) sampleLinear(run, at, group, first, width);
        else if (kind === CUBICSPLINE) sampleCubic(run, at, group, first, width);
        else sampleStep(run, at, group, first, width);
    }
}

function locate(run: Run, clip: ClipTables, group: number): void {
    if (run.locatedIn[group] === run.number) return;
    run.locatedIn[group] = run.number;
    locateGroup(run.located, clip, group, run.times, run.cells, run.lanes, run.laneCount);
}

/** Writes constant components to all lanes of the run. */
function spread({ data, lanes, laneCount }: Run, at: number, values: Float32Array, from: number, width: number): void {
    for (let c = 0; c < width; c++) {
        const value = values[from + c]!;
        for (let i = 0; i < laneCount; i++) data[at + c * LANES + lanes[i]!] = value;
    }
}
