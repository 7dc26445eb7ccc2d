// SPDX-License-Identifier: MIT

/** Comparisons of live and baked pictures, which are the same in every engine. */

import { BakedTable } from 'poselane/table';
import { comparePixels } from './pixels.mjs';
import { openTable } from './tables.mjs';

/** A function that poses a live crowd as `pose` poses a baked one: by clips and times of its table. */
export function posedByRig(rig, count, { clips: known }, crowd) {
    const poses = rig.createPoses(count);
    return (clips, times) => {
        poses.count = times.length;
        const animations = Uint16Array.from(times, (_, i) => known[clips[i] ?? clips].animation);
        rig.evaluate(poses, animations, times);
        rig.toGlobal(poses);
        crowd.update(poses);
    };
}

/**
 * @param openLive A model with its own animation: `({ model, whole, light })` gives `{ pose(animation, seconds), draw(), shade(isOn),
 *   box }`. `whole`: with shadows, and a camera as far away as the model is large.
 * @param openBaked The model with bakes: `({ model, tables, whole, light, box, count, atRoot, sceneOnly, rig })` gives
 *   `{ pose(clips, times, options), draw() }`. `rig`: a live crowd, posed by a Rig. `atRoot`: bakes are in the space of the skin's root. `sceneOnly`: meshes are found by
 *   their names.
 * @param setMorphs Gives weights to what `openBaked` gave, in engines that have such weights.
 */
export function comparisonsOf({ openLive, openBaked, setMorphs }) {
    /** A model, live and baked. `pose` poses the live one, and gives the time. */
    async function openBoth({ bakes, ...given }) {
        const tables = await Promise.all(bakes.map((bake) => openTable(bake)));
        const live = await openLive(given);
        const baked = await openBaked({ ...given, tables, box: live.box });
        const pose = (clip, frame) => {
            const seconds = tables[0].frameTime(clip, frame);
            live.pose(tables[0].clips[clip].animation, seconds);
            return Float64Array.of(seconds);
        };
        return { tables, live, baked, pose };
    }

    async function drawBaked(given, clip, times, change = () => {}) {
        const baked = await openBaked(given);
        baked.pose(clip, times);
        change(baked);
        return baked.draw();
    }

    /** One model, live and from a bake; `asItIs`: where the bake has no weights. */
    async function compareVariant({ model = 'model.glb', bake, clip, frame, morph = false }) {
        const table = await openTable(bake);
        const bare = await openTable(bake, 'palette');
        const times = Float64Array.of(table.frameTime(clip, frame));
        const live = await openLive({ model });
        live.pose(table.clips[clip].animation, times[0]);
        const expected = await live.draw();
        const asItIs = await drawBaked({ model, tables: [bare] }, clip, times);
        const placed = await drawBaked({ model, tables: [morph ? table : bare] }, clip, times);
        const result = { ...comparePixels(expected, placed), asItIs: comparePixels(expected, asItIs).differing };
        if (!morph || !setMorphs) return result;
        const weights = table.sample('morph', clip, times, new Float32Array(table.arrays.morph.rowFloats));
        const byHand = await drawBaked({ model, tables: [bare] }, clip, times, (baked) => setMorphs(baked, weights));
        return { ...result, differing: Math.max(result.differing, comparePixels(expected, byHand).differing) };
    }

    /** Two bakes of the same: those of half floats against the floats that they are. */
    async function compareBakes(a, b) {
        const pictures = [];
        for (const bake of [a, b]) {
            const table = await openTable(bake);
            const times = Float64Array.of(table.frameTime(1, 20));
            pictures.push(await drawBaked({ model: 'model.glb', tables: [table] }, 1, times));
        }
        return comparePixels(...pictures);
    }

    /** Whole scenes at each of `frames`; `shadow`: how many pixels are in the shadow. */
    async function compareWhole({ frames, ...given }) {
        const { live, baked, pose } = await openBoth({ ...given, whole: true });
        const results = [];
        for (const [clip, frame] of frames) {
            baked.pose(clip, pose(clip, frame));
            const expected = await live.draw();
            const compared = comparePixels(expected, await baked.draw());
            live.shade(false);
            const shadow = comparePixels(expected, await live.draw()).differing;
            live.shade(true);
            results.push({ clip, frame, ...compared, shadow });
        }
        return results;
    }

    /** A fade from a clip to another: at 0 and 1 against the live model, at ½ against a bake of the mixture. */
    async function compareFade({ frames: [from, to], ...given }) {
        const { tables, live, baked, pose } = await openBoth({ ...given, whole: true });
        const [table] = tables;
        const times = [from, to].map(([clip, frame]) => Float64Array.of(table.frameTime(clip, frame)));
        const pictures = [];
        for (const weight of [0, 0.5, 1]) {
            baked.pose(from[0], times[0], { to: { clips: to[0], times: times[1], weight } });
            pictures.push(await baked.draw());
        }
        const liveAt = async ([clip, frame]) => {
            pose(clip, frame);
            return live.draw();
        };
        const start = comparePixels(await liveAt(from), pictures[0]);
        const end = comparePixels(await liveAt(to), pictures[2]);
        // Calculated here, and put in place of the first row.
        const { manifest } = table;
        const bytes = new Uint8Array(await (await fetch(`${given.bakes[0]}.bin`)).arrayBuffer());
        for (const name of ['palette', 'morph']) {
            const [a, b] = [from, to].map(([clip], i) =>
                table.sample(name, clip, times[i], new Float32Array(table.arrays[name].rowFloats)),
            );
            const mixture = a.map((value, i) => value + (b[i] - value) * 0.5);
            bytes.set(new Uint8Array(mixture.buffer), manifest.arrays[name].byteOffset);
        }
        const mixed = { ...given, tables: [BakedTable.open(manifest, bytes)], whole: true, box: live.box };
        const halfway = comparePixels(await drawBaked(mixed, 0, Float64Array.of(0)), pictures[1]);
        return { start, end, halfway, apart: comparePixels(pictures[0], pictures[1]).differing };
    }

    return { openBoth, compareVariant, compareBakes, compareWhole, compareFade };
}
