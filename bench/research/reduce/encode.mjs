// SPDX-License-Identifier: MIT

/**
 * Bytes of animation: key times and values as accessors of a glTF buffer, each distinct one once, each at a multiple of 4; times first, then
 * values by type. JSON is not counted, nor meshes. The source is counted the same, by its own distinct accessors.
 */

import { gzipSync } from 'node:zlib';
import { DoubleEvaluator } from '../../../dist/verify/evaluator.js';

const gzip = (parts) =>
    gzipSync(Buffer.concat(parts.map((p) => Buffer.concat([p, Buffer.alloc((4 - (p.length % 4)) % 4)]))), { level: 9 })
        .length;
const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

function distinct(arrays) {
    const seen = new Map();
    for (const one of arrays) seen.set(one.constructor.name + bytesOf(one).toString('latin1'), one);
    return [...seen.values()].map(bytesOf);
}

export function sourceBytes(model, animations) {
    const times = new Set();
    const values = new Set();
    let keys = 0;
    for (const a of animations)
        for (const { sampler } of model.evaluator.channelsOf(a)) {
            times.add(sampler.times);
            values.add(sampler.values);
            keys += sampler.times.length;
        }
    const parts = [...times, ...values].map((one) => bytesOf(Float32Array.from(one)));
    return { keys, raw: parts.reduce((sum, p) => sum + p.length, 0), gzip: gzip(parts) };
}

/** The key times and values of a reduced track, as they are stored. */
export function storedTrack(track, times, values) {
    const stored =
        values === 'int16' && track.width === 4
            ? Int16Array.from(track.values, (x) => Math.round(x * 32767))
            : Float32Array.from(track.values);
    return { times: Float32Array.from(track.index, (i) => times[i]), values: stored };
}

/**
 * @param order 'clip' the tracks of one clip after another, 'node' those of one node and path after another
 */
export function reducedBytes(clips, options, order = 'node') {
    const all = [];
    let keys = 0;
    for (const { clip, tracks } of clips) {
        for (const track of tracks) {
            if (track.dropped) continue;
            keys += track.index.length;
            all.push({ track, stored: storedTrack(track, clip.times, options.values) });
        }
    }
    const weights = clips.flatMap(({ clip }) => clip.weights.flatMap(constantOnce));
    keys += weights.length === 0 ? 0 : weights.length / 2;
    if (order === 'node') all.sort((a, b) => a.track.node - b.track.node || a.track.place - b.track.place);
    const times = distinct([...all.map(({ stored }) => stored.times), ...weights.filter((_, i) => i % 2 === 0)]);
    const values = [4, 3].flatMap((width) =>
        distinct(all.filter(({ track }) => track.width === width).map(({ stored }) => stored.values)),
    );
    const morphs = distinct(weights.filter((_, i) => i % 2 === 1));
    const parts = [...times, ...values, ...morphs];
    return {
        keys,
        raw: parts.reduce((sum, p) => sum + p.length, 0),
        gzip: gzip(parts),
        gzipTimes: gzip(times),
        parts,
        all,
    };
}

/** A weights track with one key where it is constant, else as it is: [times, values]. */
function constantOnce({ times, values, width }) {
    const constant = values.every((x, i) => x === values[i % width]);
    const end = constant ? 1 : times.length;
    return [Float32Array.from(times.slice(0, end)), Float32Array.from(values.slice(0, end * width))];
}

/** An evaluator of lib/verify for what is stored: integers normalised as glTF says. */
export function evaluatorOf(model, clips, options) {
    const numbers = new Map(model.evaluator.file.numbers);
    let next = 1e6;
    const animations = clips.map(({ clip, tracks }) => {
        const samplers = [];
        const channels = [];
        for (const track of tracks) {
            if (track.dropped) continue;
            const { times, values } = storedTrack(track, clip.times, options.values);
            numbers.set(next, Float64Array.from(times));
            numbers.set(
                next + 1,
                values instanceof Int16Array
                    ? Float64Array.from(values, (x) => Math.max(x / 32767, -1))
                    : Float64Array.from(values),
            );
            channels.push({ sampler: samplers.length, target: { node: track.node, path: track.path } });
            samplers.push({ input: next, output: next + 1, interpolation: track.kept ? 'STEP' : 'LINEAR' });
            next += 2;
        }
        return { samplers, channels };
    });
    const { file } = model.evaluator;
    const json = { ...file.json, animations: [] };
    for (const [i, { clip }] of clips.entries()) json.animations[clip.index] = animations[i];
    return new DoubleEvaluator({ ...file, json, numbers });
}
