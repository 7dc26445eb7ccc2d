// SPDX-License-Identifier: MIT
'use strict';

/**
 * Runs a case of the Rig: its calls in their order, on the public methods, each list at its own misalignment between
 * guards. Passes the output of each call to `visit(method, floats, where)`: `where` describes the float at an index.
 */

const { bitsOf } = require('./bits.cjs');
const { createRandom } = require('./random.cjs');

const GUARD = 16;
/** A NaN as a float, so that results of numbers read from a guard are NaN, too. */
const GUARD_BITS = 0x7fc0dead;
const LANES = 16;

/** A list of floats between guards. */
function guarded(length, offset, Buffer = ArrayBuffer) {
    const words = new Int32Array(new Buffer((length + offset + 2 * GUARD) * 4)).fill(GUARD_BITS);
    const start = offset + GUARD;
    return {
        view: new Float32Array(words.buffer, start * 4, length),
        check(name) {
            for (let i = 0; i < start; i++) {
                if (words[i] !== GUARD_BITS) throw new Error(`word ${start - i} before ${name} was written`);
            }
            for (let i = start + length; i < words.length; i++) {
                if (words[i] !== GUARD_BITS) throw new Error(`word ${i - start - length} after ${name} was written`);
            }
        },
    };
}

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Calls, and requires that lists which are only read stay unchanged. */
function reading(lists, call) {
    const views = Object.entries(lists).filter(([, view]) => ArrayBuffer.isView(view));
    const before = views.map(([, view]) => bytesOf(view).slice());
    call();
    for (const [i, [name, view]] of views.entries()) {
        const after = bytesOf(view);
        if (before[i].some((byte, k) => byte !== after[k])) throw new Error(`${name} was written`);
    }
}

/** Poses of a case, mostly in memory that shows writes outside them. */
function makePoses(rig, { count, capacity, only, shared, offset }) {
    const options = only === null ? {} : { only };
    const plain = rig.createPoses(capacity, options);
    if (!shared) {
        plain.count = count;
        return { poses: plain, check() {} };
    }
    const memory = guarded(plain.data.length, offset, SharedArrayBuffer);
    const poses = rig.createPoses(capacity, { ...options, shared: memory.view });
    poses.count = count;
    const used = Math.ceil(count / LANES) * poses.blockFloats;
    return {
        poses,
        check() {
            memory.check('poses.data');
            const bits = bitsOf(memory.view);
            for (let i = used; i < bits.length; i++) {
                if (bits[i] !== GUARD_BITS) throw new Error(`block ${Math.floor(i / poses.blockFloats)} was written`);
            }
        },
    };
}

/** A part of a block, pose by pose; lanes from `count` on are unused. */
function partOf(poses, from, to) {
    const { data, count, blockFloats } = poses;
    const width = (to - from) / LANES;
    const list = new Float32Array(count * width);
    for (let pose = 0; pose < count; pose++) {
        const base = Math.floor(pose / LANES) * blockFloats + from + (pose % LANES);
        for (let c = 0; c < width; c++) list[pose * width + c] = data[base + c * LANES];
    }
    return list;
}

function runRigCase(made, create, visit) {
    const rig = create(made.parts);
    const { count } = made;
    const all = Array.from({ length: 3 }, (_, i) => makePoses(rig, { ...made, offset: made.offsets[i] }));
    const slots = all[0].poses.slots;
    const places = new Map(Array.from(slots, (slot, place) => [slot, place]));

    const wherePoses = (width, part) => (at) => {
        const place = Math.floor((at % (width * slots.length)) / width);
        return `pose ${Math.floor(at / (width * slots.length))}, ${part} ${at % width} of slot ${slots[place]}`;
    };
    const whereRows = (width, what) => (at) => `pose ${Math.floor(at / width)}, float ${at % width} of its ${what}`;

    function visitLocals(method, { poses, check }) {
        check();
        visit(method, partOf(poses, 0, poses.globalsOffset), wherePoses(10, 'component'));
        const { length } = rig.rest.weights;
        if (length === 0) return;
        visit(method, partOf(poses, poses.weightsOffset, poses.blockFloats), whereRows(length, 'morph weights'));
    }

    /** The motion of the first poses relative to the second ones; in place, if the matrices allow it. */
    function extractRoot(slot, motion) {
        const { poses } = all[0];
        fill('extractRoot', count % 16, 7, 'motion', (out) => {
            const options = { slot, motion, from: all[1].poses };
            try {
                rig.extractRoot(poses, out, options);
            } catch (error) {
                if (error.code !== 'ERR_MATRIX_SLOT') throw error;
                rig.extractRoot(poses, out, { ...options, inPlace: false });
            }
        });
        visitLocals('extractRoot', all[0]);
    }

    /** All locals change, but only the globals of a slot and of those below it are computed again. */
    function toGlobalFrom(slot) {
        const { poses, check } = all[0];
        rig.toGlobal(poses);
        const { data, blockFloats, globalsOffset } = poses;
        const used = Math.ceil(count / LANES) * blockFloats;
        for (let at = 0; at < used; at++) if (at % blockFloats < globalsOffset) data[at] *= 1.5;
        rig.toGlobal(poses, { from: slot });
        check();
        visit('toGlobalFrom', partOf(poses, globalsOffset, poses.weightsOffset), wherePoses(12, 'element'));
    }

    /** A method that fills its own list. */
    function fill(method, offset, width, what, call) {
        const out = guarded(count * width, offset);
        call(out.view);
        out.check('out');
        visit(method, out.view, whereRows(width, what));
    }

    /** More capsules than are placed at once, and rays from near them. */
    function castRays(of) {
        const random = createRandom(`rays/${made.key}`);
        const numbers = (n) => Array.from({ length: n }, () => random.signed() * 3);
        const parts = Array.from({ length: 1 + random.below(24) }, () => ({
            slot: random.of([...slots]),
            toSlot: random.of([undefined, ...slots]),
            from: numbers(3),
            to: random.of([undefined, numbers(3)]),
            radius: 0.01 + Math.abs(random.signed()),
        }));
        const numRays = 1 + random.below(9);
        const rays = Float32Array.from({ length: numRays * 7 }, (_, i) => random.signed() * (i % 7 < 6 ? 3 : 30));
        const placements = random.below(2) ? undefined : Float32Array.from(numbers(count * 7));
        const capsules = rig.createCapsules(parts);
        fill('castRays', count % 16, numRays, 'distances', (out) => {
            const hits = new Int32Array(out.length);
            reading({ rays, placements }, () => {
                rig.castRays(all[of].poses, capsules, rays, out, hits, { placements });
            });
            visit('castRays', Float32Array.from(hits), (at) => `hit ${at}`);
        });
    }

    /** Slots from the top to this one that have no matrix, without gaps: `rig.slots[i].parent` are slots. */
    function limbAt(slot) {
        const path = [slot];
        while (rig.slots[path[0]].parent >= 0) path.unshift(rig.slots[path[0]].parent);
        return path;
    }

    /** Limbs and aims at targets near the poses and anywhere, on copies. */
    function inverseKinematics(of) {
        const random = createRandom(`ik/${made.key}`);
        const numbers = (n) => Array.from({ length: n }, () => random.signed() * 3);
        const vectors = () => Float32Array.from(numbers(count * 3));
        const weights = () => random.of([1, random.signed() * 2, Float32Array.from(numbers(count))]);
        const turns = (slot) => !rig.slots[slot].hasMatrix;
        const copied = () => {
            const to = makePoses(rig, { ...made, offset: count % 16 });
            rig.blend(to.poses, all[of].poses, all[of].poses, 0);
            rig.toGlobal(to.poses);
            return to;
        };
        for (let k = 0; k < 3; k++) {
            const path = limbAt(random.of([...slots]));
            const to = copied();
            const [targets, poles] = [vectors(), random.below(2) ? vectors() : undefined];
            const [start, mid, end] = [path.at(-3 - random.below(2)), path.at(-2), path.at(-1)];
            const options = { poles, weights: weights(), soften: random.of([1, 0.9, 0]), twist: random.signed() * 4 };
            if (random.below(2)) options.axis = numbers(3);
            if (start !== undefined && turns(start) && turns(mid)) {
                const reached = new Uint8Array(count).fill(7);
                reading({ targets, poles, weights: options.weights }, () => {
                    rig.twoBoneIk(to.poses, { start, mid, end }, targets, { ...options, reached });
                });
                visitLocals('twoBoneIk', to);
                visit('twoBoneIk', Float32Array.from(reached), (at) => `reached ${at}`);
                rig.toGlobal(to.poses, { from: start });
            }
            const chain = path.slice(-1 - random.below(5)).filter(turns);
            if (chain.length === 0) continue;
            const aim = { weights: weights() };
            for (const name of ['forward', 'up', 'pole', 'offset']) if (random.below(2)) aim[name] = numbers(3);
            reading({ targets, weights: aim.weights }, () => rig.aimIk(to.poses, chain, targets, aim));
            visitLocals('aimIk', to);
        }
    }

    /** Additive, with a reference for each pose, the same in place, and one for all. */
    function blendReference({ a, b, weights, mask }) {
        const [to, one] = [
            makePoses(rig, { ...made, offset: count % 16 }),
            rig.createPoses(1, made.only ? { only: made.only } : {}),
        ];
        rig.evaluate(one, 0, Float64Array.of(0.37));
        for (const reference of [all[(a + b + 1) % 3].poses, to.poses, one]) {
            reading({ weights, mask }, () => {
                rig.blend(to.poses, all[a].poses, all[b].poses, weights, { mask, additive: true, reference });
            });
            visitLocals('blendReference', to);
        }
    }

    /** Poses that clamp and that wrap, side by side. */
    const loops = Uint8Array.from({ length: count }, (_, pose) => ((pose * 7 + count) % 3) % 2);

    const have = (skin) => rig.skins[skin].joints.every((slot) => places.has(slot));

    const METHODS = {
        evaluate({ to, clips, times, loop }) {
            // As castRays.
            reading({ clips, times, loops }, () => rig.evaluate(all[to].poses, clips, times, { loop: loops }));
            visitLocals('evaluateLoops', all[to]);
            reading({ clips, times }, () => rig.evaluate(all[to].poses, clips, times, { loop }));
            visitLocals('evaluate', all[to]);
        },
        blend({ out, a, b, weights, mask, additive }) {
            blendReference({ a, b, weights, mask });
            reading({ weights, mask }, () => {
                rig.blend(all[out].poses, all[a].poses, all[b].poses, weights, { mask, additive });
            });
            visitLocals('blend', all[out]);
        },
        setLocal({ of, pose, slot, trs }) {
            const { poses } = all[of];
            if (!places.has(slot) || rig.slots[slot].hasMatrix) return;
            reading({ trs }, () => rig.setLocal(poses, pose, slot, trs));
            visit('setLocal', rig.getLocal(poses, pose, slot, new Float32Array(10)), (at) => `component ${at}`);
        },
        toGlobal({ of }) {
            const { poses, check } = all[of];
            rig.toGlobal(poses);
            check();
            visit('toGlobal', partOf(poses, poses.globalsOffset, poses.weightsOffset), wherePoses(12, 'element'));
        },
        palettes({ of, offset }) {
            for (const [skin, { joints }] of rig.skins.entries()) {
                if (!have(skin)) continue;
                for (const [format, size] of [
                    ['mat4', 16],
                    ['mat3x4', 12],
                ]) {
                    fill('palettes', offset, joints.length * size, `palette of skin ${skin}, ${format}`, (out) => {
                        rig.palettes(all[of].poses, skin, out, format);
                    });
                }
            }
        },
        bakePalettes({ to, offset, clips, times, loop }) {
            for (const [skin, { joints }] of rig.skins.entries()) {
                if (!have(skin)) continue;
                fill('evaluateLoops', offset, joints.length * 12, `baked palette of skin ${skin}`, (out) => {
                    reading({ clips, times, loops }, () => {
                        const some = times.subarray(0, count);
                        rig.bakePalettes(all[to].poses, clips, some, skin, out, 'mat3x4', { loop: loops });
                    });
                });
                for (const [format, size] of [
                    ['mat4', 16],
                    ['mat3x4', 12],
                ]) {
                    fill(
                        'bakePalettes',
                        offset,
                        joints.length * size,
                        `baked palette of skin ${skin}, ${format}`,
                        (out) => {
                            // A list of times can be longer than the count of poses.
                            reading({ clips, times }, () => {
                                rig.bakePalettes(all[to].poses, clips, times.subarray(0, count), skin, out, format, {
                                    loop,
                                });
                            });
                        },
                    );
                }
            }
        },
        joints({ of, offset, chosen }) {
            const list = chosen.filter((slot) => places.has(slot));
            reading({ list }, () => {
                fill('joints', offset, list.length * 12, 'joints', (out) => rig.joints(all[of].poses, list, out));
            });
            // Newer than the golden cases, which must not change, so it shares this case.
            castRays(of);
            inverseKinematics(of);
        },
        skinVertices({ of, offset, withNormals }) {
            for (const [mesh, { skin, vertexCount, normals }] of rig.meshes.entries()) {
                if (!have(skin)) continue;
                const width = vertexCount * 3;
                const outNormals = normals !== null && withNormals ? guarded(count * width, offset) : null;
                fill('skinVertices', offset, width, `positions of mesh ${mesh}`, (out) => {
                    rig.skinVertices(all[of].poses, skin, mesh, out, outNormals?.view);
                });
                if (outNormals === null) continue;
                outNormals.check('outNormals');
                visit('skinVertices', outNormals.view, whereRows(width, `normals of mesh ${mesh}`));
            }
        },
        bounds({ of, offset }) {
            for (const [mesh, { skin, vertexCount }] of rig.meshes.entries()) {
                if (vertexCount === 0 || !have(skin)) continue;
                fill('bounds', offset, 6, `box of mesh ${mesh}`, (out) => {
                    rig.bounds(all[of].poses, skin, mesh, out);
                });
            }
        },
        rootDelta({ clip, t0, t1, slot, loop }) {
            const out = new Float32Array(7);
            try {
                rig.rootDelta(out, clip, t0, t1, { slot, loop });
            } catch (error) {
                // A motion that leaves the range of float32.
                if (error.code !== 'ERR_NOT_FINITE') throw error;
                out.fill(Number.NaN);
            }
            visit('rootDelta', out, (at) => `float ${at}`);
            // As castRays.
            const here = places.has(slot) ? slot : slots[0];
            extractRoot(here, loop === 'wrap' ? 'xz+yaw' : 'xyz+rotation');
            toGlobalFrom(here);
        },
    };
    for (const { method, ...values } of made.calls) METHODS[method](values);
}

module.exports = { runRigCase };
