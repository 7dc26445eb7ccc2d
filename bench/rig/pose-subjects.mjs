// SPDX-License-Identifier: MIT

/** The Rig's calls that make poses. Also runs in browsers. */

const CALLS = ['evaluate', 'toGlobal', 'palettes'];

function labelled(rig, times, out, labels) {
    const units = times[0].length * rig.skins[0].joints.length;
    return { name: rig.implementation, ...labels, units, outputs: [out.subarray(0, units * 16)] };
}

/**
 * evaluate, toGlobal and palettes, or some of them, on `chunk` poses at a time.
 *
 * @param times For each call the times of all poses.
 * @param clips For each call the clips of all poses. Default: the first clip.
 */
export function rigPoses(rig, { times, clips, out, chunk, calls = CALLS, ...labels }) {
    const floats = rig.skins[0].joints.length * 16;
    const poses = rig.createPoses(chunk);
    rig.toGlobal(poses);
    const steps = times.map((all, call) =>
        Array.from({ length: Math.ceil(all.length / chunk) }, (_, k) => {
            const [first, end] = [k * chunk, Math.min((k + 1) * chunk, all.length)];
            return {
                times: all.subarray(first, end),
                clips: clips?.[call].subarray(first, end) ?? 0,
                out: out.subarray(first * floats, end * floats),
            };
        }),
    );
    const [evaluates, globals, palettes] = CALLS.map((name) => calls.includes(name));
    return {
        ...labelled(rig, times, out, labels),
        run(call) {
            for (const step of steps[call % steps.length]) {
                poses.count = step.times.length;
                if (evaluates) rig.evaluate(poses, step.clips, step.times);
                if (globals) rig.toGlobal(poses);
                if (palettes) rig.palettes(poses, 0, step.out);
            }
        },
    };
}

/** The same by `bakePalettes`, which takes `chunk` poses at a time by itself. Without `chunk`, it keeps no poses. */
export function rigBake(rig, { times, clips, out, chunk, ...labels }) {
    const poses = chunk === undefined ? null : rig.createPoses(chunk);
    const subject = labelled(rig, times, out, labels);
    return {
        ...subject,
        run(call) {
            const at = call % times.length;
            rig.bakePalettes(poses, clips?.[at] ?? 0, times[at], 0, subject.outputs[0]);
        },
    };
}
