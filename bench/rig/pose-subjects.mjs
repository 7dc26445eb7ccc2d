// SPDX-License-Identifier: MIT

/** The Rig's calls that make poses, as a program makes them; in browsers as well. */

const CALLS = ['evaluate', 'toGlobal', 'palettes'];

/**
 * evaluate, toGlobal and palettes, or only some of them, on `chunk` poses at a time, whose memory is used again and again.
 *
 * @param times Of all poses, for each call.
 */
export function rigPoses(rig, { times, out, chunk, calls = CALLS, ...labels }) {
    const count = times[0].length;
    const joints = rig.skins[0].joints.length;
    const poses = rig.createPoses(chunk);
    rig.toGlobal(poses);
    const steps = times.map((all) => {
        const list = [];
        for (let first = 0; first < count; first += chunk) {
            const end = Math.min(first + chunk, count);
            list.push({ times: all.subarray(first, end), out: out.subarray(first * joints * 16, end * joints * 16) });
        }
        return list;
    });
    const [evaluates, globals, palettes] = CALLS.map((name) => calls.includes(name));
    return {
        name: rig.implementation,
        ...labels,
        units: count * joints,
        outputs: [out.subarray(0, count * joints * 16)],
        run(call) {
            for (const step of steps[call % steps.length]) {
                poses.count = step.times.length;
                if (evaluates) rig.evaluate(poses, 0, step.times);
                if (globals) rig.toGlobal(poses);
                if (palettes) rig.palettes(poses, 0, step.out);
            }
        },
    };
}

/** The same by `bakePalettes`, which chunks by itself. */
export function rigBake(rig, { times, out, chunk, ...labels }) {
    const count = times[0].length;
    const joints = rig.skins[0].joints.length;
    const poses = rig.createPoses(chunk);
    const palettes = out.subarray(0, count * joints * 16);
    return {
        name: rig.implementation,
        ...labels,
        units: count * joints,
        outputs: [palettes],
        run: (call) => rig.bakePalettes(poses, 0, times[call % times.length], 0, palettes),
    };
}
