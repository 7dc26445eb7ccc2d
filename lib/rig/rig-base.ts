// SPDX-License-Identifier: MIT

import { checkNumber, lengthOf, wrongType } from '../base/arguments';
import {
    checkAllFinite,
    checkApart,
    checkClips,
    checkIndex,
    checkLoop,
    checkLoops,
    checkMask,
    checkOptions,
    checkOut,
    checkSlotList,
    checkTime,
    checkTimes,
    checkWeights,
} from '../base/call-arguments';
import { type ClipEvent, crossedEvents } from '../base/clip-events';
import { rangeError, stateError } from '../base/errors';
import { indexNamed } from '../base/names';
import type { RootParts } from '../format/manifest';
import {
    type CapsuleParts,
    Capsules,
    type CastOptions,
    checkCast,
    normalizeRays,
    packCapsules,
    placementsOf,
} from './capsules';
import { contentsOf, type RigContents } from './contents';
import type { RigClip, RigMesh, RigRest, RigSkin, RigSlot } from './describe-rig';
import { RootExtractor } from './extract-root';
import { IkArguments } from './inverse-kinematics';
import { emptyBounds, growJointBounds } from './joint-bounds';
import { typescriptSkinning } from './kernels';
import {
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type PaletteFormat,
    type RigTables,
    type SkinningTables,
    type SlotList,
    type SlotTables,
} from './kernels/contract';
import type {
    PoseKernels,
    RigImplementation,
    RigKernels,
    SkinningImplementation,
    SkinningKernels,
} from './kernels/table';
import { later } from './once';
import {
    checkAlike,
    checkBakedApart,
    checkExtractRoot,
    checkFrom,
    checkMesh,
    checkPalettes,
    checkReference,
    localAt,
    notMovable,
    notThere,
} from './pose-checks';
import {
    allocatePoses,
    checkCapacity,
    checkGlobals,
    globalsWritten,
    localsWritten,
    Poses,
    type PosesOptions,
    posesAt,
} from './poses';
import type {
    AimIkOptions,
    BlendOptions,
    EvaluateOptions,
    EventOptions,
    ExtractRootOptions,
    LimbSlots,
    RootDeltaOptions,
    ToGlobalOptions,
    TwoBoneIkOptions,
} from './rig-options';
import { RootMotion } from './root-motion';
import { allSlots, chosenSlots } from './select-slots';
import type { RigSource } from './source/source';
import { writeRig } from './stored/write';

/** Everything that `dispose` releases. */
interface Loaded {
    readonly tables: RigTables;
    /** With the meshes, which are packed when vertices are first skinned, as are the next two. */
    readonly skinned: () => SkinningTables;
    readonly kernels: RigKernels;
    readonly allKernels: PoseKernels;
    readonly skinning: () => ReturnType<SkinningImplementation['load']>;
    readonly allSkinning: () => SkinningKernels;
    /** A private mark that poses of this rig carry. */
    readonly mark: object;
    readonly rootMotion: () => RootMotion;
    readonly rootExtractor: () => RootExtractor;
    readonly ik: IkArguments;
}

/**
 * A skeleton and its clips, packed once for evaluation of many poses per call. The same arguments give the same bytes
 * on every machine. Methods that work on poses allocate no memory unless they say so.
 *
 * Every method checks its arguments before it writes anything. It throws a typed error with a `code`.
 *
 * Units and axes are those of the file: meters in glTF 2.0 (3.4), right-handed, +Y up. Times are in seconds. Rotations
 * are unit quaternions, x y z w.
 */
export class RigBase {
    /**
     * The evaluated nodes, parents before children: joints and animated nodes, the nodes below them, nodes whose mesh
     * morphs in a clip, and the ancestors of all these.
     */
    readonly slots: readonly RigSlot[];
    /** The skins, in the order of the file. */
    readonly skins: readonly RigSkin[];
    /** The clips, in the order of the file. Clips of other files follow. */
    readonly clips: readonly RigClip[];
    /** The nodes whose mesh a skin or morph targets move, in the order of the nodes. */
    readonly meshes: readonly RigMesh[];
    /** A copy of the rest pose. */
    readonly rest: RigRest;
    readonly #implementation: RigImplementation;
    #loaded: Loaded | undefined;
    readonly #slotOfNode: ReadonlyMap<number, number>;
    readonly #parents: Int32Array;
    readonly #matrixOfSlot: Int32Array;
    readonly #all: SlotTables;
    readonly #withoutVertices: boolean;
    /**
     * Rays of the last call of `castRays`, with directions of unit length. Kept so that the next call need not
     * allocate.
     */
    #rays = new Float32Array(0);

    /**
     * Builds a rig from a valid scene. The reader returns valid scenes only.
     *
     * @internal
     */
    constructor(source: RigSource | RigContents, wanted: Uint8Array | undefined, implementation: RigImplementation) {
        const isScene = Array.isArray((source as RigSource | undefined)?.skinnedMeshes);
        if (!isScene && (source as RigContents | undefined)?.tables === undefined) {
            throw wrongType('new Rig', 'a rig', 'made by Rig.load, Rig.fromDocument or Rig.create', source);
        }
        const contents = isScene ? contentsOf(source as RigSource, wanted) : (source as RigContents);
        const { tables, meshTables, skeleton, loopsIn } = contents;
        this.#slotOfNode = new Map(contents.slots.map(({ node }, slot) => [node, slot]));
        this.#parents = skeleton.parents;
        this.#matrixOfSlot = skeleton.matrixOfSlot;
        this.#implementation = implementation;
        this.#all = allSlots(tables, skeleton.parents, skeleton.matrixOfSlot);
        const kernels = implementation.load(tables);
        const skinned = later(() => ({ ...tables, meshes: meshTables() }));
        const skinning = later(() => (implementation.skinning ?? typescriptSkinning).load(skinned()));
        const mark = {};
        this.slots = contents.slots;
        this.#loaded = {
            tables,
            skinned,
            kernels,
            allKernels: kernels.select(this.#all),
            skinning,
            allSkinning: later(() => skinning().select(this.#all)),
            mark,
            rootMotion: later(() => new RootMotion(tables)),
            rootExtractor: later(() => new RootExtractor(tables, skeleton.parents, skeleton.matrixOfSlot)),
            ik: new IkArguments(mark, this.slots),
        };
        this.#withoutVertices = contents.withoutVertices;
        this.skins = contents.skins;
        this.meshes = contents.meshes;
        this.rest = contents.rest;
        const loops = loopsIn(this);
        this.clips = contents.clips.map((clip, index) => ({ ...clip, loop: loops[index] ?? false }));
    }

    #live(): Loaded {
        if (this.#loaded === undefined)
            throw stateError('ERR_DISPOSED', 'the rig was disposed, needs one that was not');
        return this.#loaded;
    }

    #tables(): RigTables {
        return this.#live().tables;
    }

    #mark(): object {
        return this.#live().mark;
    }

    /**
     * Releases the rig's tables. Methods that need the tables then throw Error `ERR_DISPOSED`. The memory is freed once
     * the poses of the rig are disposed or garbage-collected too. The call is optional: an unreachable rig is
     * garbage-collected. Throws nothing.
     */
    dispose(): void {
        this.#loaded = undefined;
    }

    /**
     * Stores the rig in a file that {@link Rig.deserialize} reads many times as fast as a glTF: skeleton, skins, clips
     * with `loop` and events, and meshes. Names, meshes and events are those of the public properties. docs/format.md
     * describes the file.
     *
     * Source: this project's own.
     *
     * @returns New bytes. Equal rigs give equal bytes.
     * @throws RangeError `ERR_COUNT_RANGE`: more than 2 GiB; Error `ERR_DISPOSED`.
     * @example
     * await writeFile('hero.rig', (await Rig.load('hero.glb')).serialize());
     */
    serialize(): Uint8Array {
        return writeRig(this.#tables(), this, this.#withoutVertices);
    }

    /** Name of the implementation that new poses use. It affects speed, never results. */
    get implementation(): string {
        return this.#implementation.name;
    }

    /**
     * Converts a node's index in the file to its slot in the rig.
     *
     * @param node Index of the node in the file.
     * @returns The slot of the node; -1 if the rig does not evaluate the node.
     * @throws TypeError `ERR_ARGUMENT_TYPE`.
     */
    slotOf(node: number): number {
        checkNumber('slotOf', 'node', node);
        return this.#slotOfNode.get(node) ?? -1;
    }

    /**
     * Finds a clip by name.
     *
     * @param name Name of the clip in the file.
     * @returns Index into `clips`, which `evaluate` takes.
     * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_UNKNOWN_NAME`: nothing has this name, and the message
     * lists similar names; `ERR_AMBIGUOUS_NAME`: several have this name, and the message lists their indices.
     * @example
     * rig.evaluate(poses, rig.clipNamed('Walk'), times, { loop: 'wrap' });
     */
    clipNamed(name: string): number {
        return indexNamed('clipNamed', 'clip', this.clips, name);
    }

    /**
     * Finds a slot by name. Joints of several skins often have the same names. In that case search `slots` by node or
     * parent.
     *
     * @param name Name of the node in the file.
     * @returns Index into `slots`.
     * @throws As {@link clipNamed}.
     * @example
     * rig.joints(poses, Uint16Array.of(rig.slotNamed('Hand.R')), out); // a socket for a sword
     */
    slotNamed(name: string): number {
        return indexNamed('slotNamed', 'slot', this.slots, name);
    }

    /**
     * Makes a mask for `blend` that selects a slot and all slots below it.
     *
     * @param slot Index into `slots`.
     * @returns A new list of `slots.length` floats: 1 for the slot and its descendants, 0 for the others.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`.
     * @example
     * const upperBody = rig.subtreeMask(rig.slotNamed('Spine'));
     * rig.blend(poses, poses, otherPoses, 1, { mask: upperBody });
     */
    subtreeMask(slot: number): Float32Array {
        const mask = new Float32Array(this.#tables().slots);
        mask[checkIndex('subtreeMask', 'slot', slot, mask.length, 'slot')] = 1;
        // Parents come first. Slots up to this one are not below it.
        for (let s = slot + 1; s < mask.length; s++) mask[s] = mask[this.#parents[s]!] ?? 0;
        return mask;
    }

    /**
     * Allocates poses, all at rest. Allocate them once and use them in every frame.
     *
     * @param capacity Maximum number of poses, at least 1.
     * @param options The slots that the poses have, and memory that other threads share.
     * @returns Poses of this rig. Their `count` is `capacity`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_COUNT_RANGE`, `ERR_INDEX_RANGE`,
     * `ERR_BUFFER_LENGTH`; Error `ERR_COUNT_RANGE` if there is not enough memory.
     * @example
     * const crowd = rig.createPoses(200);
     * const joints = rig.createPoses(200, { only: rig.skins[0]!.joints }); // nothing that hangs below the joints
     */
    createPoses(capacity: number, options?: PosesOptions): Poses {
        const { only, shared } = checkOptions('createPoses', options);
        checkCapacity(capacity);
        const chosen =
            only === undefined ? this.#all : chosenSlots(this.#tables(), this.#parents, this.#matrixOfSlot, only);
        const locals = new Float32Array(chosen.slots.length * LOCAL_FLOATS);
        for (const [place, slot] of chosen.slots.entries()) {
            const from = slot * LOCAL_FLOATS;
            locals.set(this.#tables().rest.subarray(from, from + LOCAL_FLOATS), place * LOCAL_FLOATS);
        }
        const rest = { locals, weights: this.#tables().restWeights };
        const { skinning, allSkinning } = this.#live();
        const all = only === undefined ? this.#live().allKernels : undefined;
        const memory = allocatePoses(capacity, chosen, rest, shared, this.#live().kernels, all);
        return new Poses({
            owner: this.#mark(),
            skinning: only === undefined ? allSkinning : later(() => skinning().select(chosen)),
            slots: chosen,
            weights: rest.weights.length,
            ...memory,
            capacity,
            count: capacity,
            staleFrom: 0,
            staleTo: 0,
            stalePlace: -1,
            tailFrom: memory.shared ? capacity : 0,
        });
    }

    /**
     * Samples clips: writes the local transforms and morph weights of `poses.count` poses.
     *
     * Source: glTF 2.0, 3.11 and appendix C; the slerp is that of `slerpJointsPerJoint`. docs/tables/rig-orders.md
     * lists the order of operations.
     *
     * @param poses Poses of this rig, written.
     * @param clips Index into `clips`: one for all poses, or one per pose.
     * @param times One time per pose, in seconds. Any finite number.
     * @param options `loop`: how to treat times outside a clip, for all poses or for each.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     * @example
     * const poses = rig.createPoses(2);
     * const clips = Uint16Array.of(rig.clipNamed('Walk'), rig.clipNamed('Death'));
     * const loop = Uint8Array.from(clips, (clip) => Number(rig.clips[clip]!.loop)); // 1: walks on, 0: stays down
     * rig.evaluate(poses, clips, Float64Array.of(12.25, 12.25), { loop });
     */
    evaluate(
        poses: Poses,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        options?: EvaluateOptions,
    ): void {
        const { loop } = checkOptions('evaluate', options);
        const state = posesAt('evaluate', 'poses', poses, this.#mark());
        const { data, count, kernels } = state;
        const wrap = checkLoops('evaluate', loop, count);
        const checkedClips = checkClips('evaluate', clips, count, this.#tables().clips.length);
        const checkedTimes = checkTimes('evaluate', times, count);
        checkApart('evaluate', 'poses', data, 'times', checkedTimes);
        if (typeof checkedClips !== 'number') checkApart('evaluate', 'poses', data, 'clips', checkedClips);
        if (typeof wrap !== 'boolean') checkApart('evaluate', 'poses', data, 'options.loop', wrap);
        localsWritten(state, 0, count);
        kernels.evaluate(data, count, checkedClips, checkedTimes, wrap);
    }

    /**
     * Blends local transforms and morph weights: weight 0 gives `a`, weight 1 gives `b`. With `additive` it adds to `a`
     * the difference between `b` and a reference, by default the rest pose. All have the same slots; `out`, `a` and `b`
     * have the same count. They may be the same object.
     *
     * For each slot, `additive` gives T = Ta + w (Tb - Tr), R = Ra slerp(1, Rr^-1 Rb, w) and S = Sa (1 + w (Sb / Sr -
     * 1)). At weight 1 a reference for `a` gives `b`.
     *
     * Source: this project's own; the slerp is that of `slerpJointsPerJoint`. The difference is that of
     * ozz-animation's AdditiveAnimationBuilder. docs/tables/rig-orders.md lists the order of operations.
     *
     * @param out Poses of this rig, written.
     * @param a Poses of this rig, the result at weight 0. Read.
     * @param b Poses of this rig, the result at weight 1. Read.
     * @param weights One for all poses, or one per pose. Multiplied by `mask` if given, then clamped to 0 ... 1.
     * @param options `mask`: a factor per slot. `additive`: add a difference. `reference`: to which poses.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has
     * been written then.
     * @example
     * rig.blend(poses, poses, otherPoses, 0.25); // a quarter of the way, in place
     * const aiming = rig.createPoses(1); // its first frame looks ahead
     * rig.evaluate(aiming, rig.clipNamed('Aim'), Float64Array.of(0));
     * rig.blend(poses, poses, otherPoses, 1, { additive: true, reference: aiming });
     */
    blend(out: Poses, a: Poses, b: Poses, weights: number | Float32Array, options?: BlendOptions): void {
        const { mask, additive, reference } = checkOptions('blend', options);
        const to = posesAt('blend', 'out', out, this.#mark());
        const { count } = to;
        const from = posesAt('blend', 'a', a, this.#mark());
        const other = posesAt('blend', 'b', b, this.#mark());
        checkAlike('a', to, from);
        checkAlike('b', to, other);
        checkWeights('blend', weights, count);
        const checkedMask = checkMask('blend', mask, this.#tables().slots);
        if (additive !== undefined && typeof additive !== 'boolean') {
            throw wrongType('blend', 'options.additive', 'true or false', additive);
        }
        if (reference !== undefined && additive !== true) {
            throw wrongType('blend', 'options.additive', 'true with options.reference', additive);
        }
        const zero = reference === undefined ? null : posesAt('blend', 'options.reference', reference, this.#mark());
        if (zero !== null) checkReference(to, zero);
        checkApart('blend', 'out', to.data, 'a', from.data, true);
        checkApart('blend', 'out', to.data, 'b', other.data, true);
        if (typeof weights !== 'number') checkApart('blend', 'out', to.data, 'weights', weights);
        if (checkedMask !== null) checkApart('blend', 'out', to.data, 'options.mask', checkedMask);
        localsWritten(to, 0, count);
        const each = zero?.count === count;
        const { data, kernels } = to;
        const compared = zero === null ? null : zero.data;
        kernels.blend(data, from.data, other.data, count, weights, checkedMask, additive === true, compared, each);
    }

    /**
     * Computes the global transforms of all poses: global = parent's global x T x R x S.
     *
     * Source: glTF 2.0, 3.5.3.
     *
     * @param poses Poses of this rig, read and written.
     * @param options `from`: update only a slot and the slots below it. Default: all slots.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError `ERR_INDEX_RANGE`;
     * Error `ERR_STALE_GLOBALS` if locals outside `options.from` were written since the last `toGlobal`. Nothing has
     * been written then.
     * @example
     * rig.evaluate(poses, 0, times);
     * rig.toGlobal(poses);
     * const elbow = rig.slotNamed('ForeArm.L');
     * rig.setLocal(poses, 0, elbow, pose);
     * rig.toGlobal(poses, { from: elbow }); // the elbow, and what is below it
     */
    toGlobal(poses: Poses, options?: ToGlobalOptions): void {
        const { from } = checkOptions('toGlobal', options);
        const state = posesAt('toGlobal', 'poses', poses, this.#mark());
        const { data, count, kernels } = state;
        kernels.toGlobal(data, count, checkFrom('toGlobal', state, from, this.#tables().slots));
        globalsWritten(state, count);
    }

    /**
     * Bends limbs so that their ends reach targets: feet on the ground, hands on a rail. Call it after `toGlobal`. It
     * writes the local rotations of `start` and `mid`; `toGlobal(poses, { from: start })` follows.
     *
     * `mid` turns about the limb's hinge by the law of cosines. `start` then turns the end to the target and, with
     * poles, `mid` to the side of the pole. Slots between these three stay as they are, as does the rotation of `end`
     * in the space of its parent. Transforms above `start` may be of any kind. Where `start` or a slot between it and
     * `mid` has unequal scales, the distance of the end is only near that of the target, which `reached` shows.
     *
     * Small changes of targets and poles make small changes of poses, except near these:
     * - A target along the pole, to 1e-4 radians: the limb is turned as if there was no pole.
     * - Without a pole, a target in the direction opposite to the end: the limb turns half round, over its bent side.
     * - A target at `start`, to 1e-5 of the limb's length: the limb folds, and does not turn to the target.
     * - A target near the limb's length: `mid` moves as the square root of what is missing; see `soften`.
     * - Without `axis`, a limb that is straight to 1e-4 radians: it bends to the pole or, without one, about an axis
     *   across `start` to `mid` that depends only on its direction.
     *
     * A target that is too far, or too near for bones of unequal length, gives a limb that is straight, or folded, in
     * its direction. A pose stays as it is where its weight is 0, a bone or `axis` has no length, or a scale above is 0.
     *
     * Source: the definition of ozz-animation's IKTwoBoneJob, in formulas of this project's own.
     * docs/tables/rig-orders.md lists the order of operations.
     *
     * @param poses Poses of this rig, read and written.
     * @param slots The limb's joints: `start`, `mid` and `end`, each below the one before, not necessarily its child.
     * @param targets `[pose][3]`: places for the origin of `end`, in model space, in the units of the scene. Finite.
     * @param options `poles`, `weights`, `soften`, `twist`, `axis`, and `reached`, which is written.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_MATRIX_SLOT`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`; Error
     * `ERR_STALE_GLOBALS` if locals were written since the last `toGlobal`. Nothing has been written then.
     * @example
     * const [start, mid, end] = ['UpperLeg.L', 'LowerLeg.L', 'Foot.L'].map((name) => rig.slotNamed(name));
     * rig.toGlobal(poses);
     * rig.twoBoneIk(poses, { start, mid, end }, ankles, { soften: 0.97 });
     * rig.toGlobal(poses, { from: start });
     */
    twoBoneIk(poses: Poses, slots: LimbSlots, targets: Float32Array, options?: TwoBoneIkOptions): void {
        const { ik } = this.#live();
        const state = ik.readTwoBone(poses, slots, targets, options);
        const { data, count, kernels } = state;
        localsWritten(state, 0, count, ik.chain[0]);
        kernels.twoBoneIk(data, count, ik.chain, ik.limb, targets, ik.poles, ik.weights, ik.reached);
    }

    /**
     * Turns a slot, or several, so that a direction of the last one aims at targets: a head looks, an arm points. Call it
     * after `toGlobal`. It writes local rotations; `toGlobal(poses, { from })` of the first slot follows.
     *
     * The ray from `offset` along `forward` meets the target, and `up` points to the side of `pole`. With several
     * slots, each turns about its own place by its share, so that the last one aims exactly. Transforms above the slots
     * may be of any kind.
     *
     * Small changes of targets make small changes of poses, except near these:
     * - A target along the pole, to 1e-4 radians: the slot turns by the shortest arc.
     * - Without `up` or `pole`, a target behind: there is no shortest arc.
     * - A target nearer to the slot than the ray passes: there is no solution.
     *
     * A pose stays as it is where its weight is 0, there is no solution, the target is at the slot, `forward` has no
     * length, or a scale above is 0.
     *
     * Source: the definition of ozz-animation's IKAimJob, in formulas of this project's own. docs/tables/rig-orders.md
     * lists the order of operations.
     *
     * @param poses Poses of this rig, read and written.
     * @param slot Index into `slots`, or a list, each below the one before: chest, neck, head. At most 64 slots from
     * the first to the last. Their nodes have no matrix.
     * @param targets `[pose][3]`: places in model space, in the units of the scene. Finite.
     * @param options `forward`, `up`, `pole`, `offset`, `weights`, `shares`.
     * @throws As {@link twoBoneIk}; RangeError `ERR_COUNT_RANGE`: no slots or too many, or shares below 0.
     * @example
     * const [chest, head] = ['Chest', 'Head'].map((name) => rig.slotNamed(name));
     * rig.aimIk(poses, [chest, head], targets, { offset: [0, 0.1, 0.1], shares: [1, 3], weights: 0.8 });
     * rig.toGlobal(poses, { from: chest });
     */
    aimIk(poses: Poses, slot: number | readonly number[], targets: Float32Array, options?: AimIkOptions): void {
        const { ik } = this.#live();
        const state = ik.readAim(poses, slot, targets, options);
        const { data, count, kernels } = state;
        localsWritten(state, 0, count, ik.path[0]);
        kernels.aimIk(data, count, ik.path, ik.until, ik.length, ik.aim, targets, ik.weights);
    }

    /**
     * Computes skinning matrices, global x inverse bind, after `toGlobal`: `[pose][joint]`, joints in the order of the
     * file.
     *
     * Source: glTF 2.0, 3.7.3.1.
     *
     * @param poses Poses of this rig, read.
     * @param skin Index into `skins`.
     * @param out At least `poses.count` x joints x floats per matrix; written.
     * @param format `'mat4'`: 16 floats, column-major, as in WebGL, three.js and Babylon. `'mat3x4'`: 12 floats,
     * row-major, translation last in each row.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_STALE_GLOBALS` if locals were written
     * since the last `toGlobal`. Nothing has been written then.
     * @example
     * const palettes = new Float32Array(poses.count * rig.skins[0]!.joints.length * 16);
     * rig.toGlobal(poses);
     * rig.palettes(poses, 0, palettes);
     */
    palettes(poses: Poses, skin: number, out: Float32Array, format: PaletteFormat = 'mat4'): void {
        const state = posesAt('palettes', 'poses', poses, this.#mark());
        const { data, count, kernels } = state;
        checkPalettes('palettes', this.#tables(), state, count, skin, out, format);
        checkGlobals('palettes', state);
        kernels.palettes(data, count, skin, out, format);
    }

    /**
     * Runs `evaluate`, `toGlobal` and `palettes` for any number of times. The bytes are the same. It is the fastest way
     * to palettes: each pose goes through all three steps while it is in the CPU cache.
     *
     * With `null` it keeps no poses, which is fastest: one pose takes about half the time with AVX. The kernels then work
     * in memory of the rig. Without the addon the first call allocates it.
     *
     * With poses it works on `capacity` poses at a time: 16 to 128 is enough for any number of times. It neither reads
     * nor changes `poses.count`. Afterward `poses` holds the poses of the last times.
     *
     * Source: glTF 2.0, 3.5.3, 3.7.3.1, 3.11 and appendix C.
     *
     * @param poses Poses of this rig, overwritten; null if only palettes are needed.
     * @param clips Index into `clips`: one for all times, or one per time.
     * @param times One time per row of `out`, in seconds. Any finite number.
     * @param skin Index into `skins`.
     * @param out `[time][joint]` matrices, as `palettes` writes them.
     * @param format As for {@link palettes}.
     * @param options As for {@link evaluate}.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     * @example
     * const times = Float64Array.from({ length: 600 }, (_, frame) => frame / 60);
     * const palettes = new Float32Array(600 * rig.skins[0]!.joints.length * 16);
     * rig.bakePalettes(null, 0, times, 0, palettes);
     */
    bakePalettes(
        poses: Poses | null,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        skin: number,
        out: Float32Array,
        format: PaletteFormat = 'mat4',
        options?: EvaluateOptions,
    ): void {
        const routine = 'bakePalettes';
        const { loop } = checkOptions(routine, options);
        const { allKernels, tables, mark } = this.#live();
        const state = poses === null ? null : posesAt(routine, 'poses', poses, mark);
        const checkedTimes = checkTimes(routine, times);
        const count = lengthOf(checkedTimes);
        const wrap = checkLoops(routine, loop, count);
        const checkedClips = checkClips(routine, clips, count, tables.clips.length);
        checkPalettes(routine, tables, state, count, skin, out, format);
        checkBakedApart(routine, state, out, 'times', checkedTimes);
        if (typeof checkedClips !== 'number') checkBakedApart(routine, state, out, 'clips', checkedClips);
        if (typeof wrap !== 'boolean') checkBakedApart(routine, state, out, 'options.loop', wrap);
        if (state === null) {
            allKernels.bakePalettes(null, LANES, checkedClips, checkedTimes, wrap, count, skin, out, format);
            return;
        }
        const { data, capacity, kernels } = state;
        kernels.bakePalettes(data, capacity, checkedClips, checkedTimes, wrap, count, skin, out, format);
        globalsWritten(state, Math.min(count, capacity));
    }

    /**
     * Copies the global transforms of some slots, after `toGlobal`: `[pose][k][12]`, row-major 3x4. For hit boxes and
     * sockets.
     *
     * Source: glTF 2.0, 3.5.3.
     *
     * @param poses Poses of this rig, read.
     * @param slots The slots, in the order of the result: `rig.skins[0].joints`, or another list of indices into
     * `slots`.
     * @param out At least `poses.count` x slots x 12 floats; written.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_STALE_GLOBALS` if locals were written
     * since the last `toGlobal`. Nothing has been written then.
     * @example
     * const { joints } = rig.skins[0]!;
     * const globals = new Float32Array(poses.count * joints.length * 12);
     * rig.joints(poses, joints, globals); // the origin of joint k in pose p: elements 3, 7 and 11 of its 12
     */
    joints(poses: Poses, slots: SlotList, out: Float32Array): void {
        const state = posesAt('joints', 'poses', poses, this.#mark());
        const { data, count, kernels, slots: have } = state;
        checkSlotList('joints', slots, this.#tables().slots);
        const length = lengthOf(slots);
        for (let k = 0; k < length; k++) {
            if (have.places[slots[k]!]! < 0) throw notThere('joints', `slots[${k}]`, slots[k]!);
        }
        checkOut('joints', 'out', out, count * length * GLOBAL_FLOATS, 'poses x slots x 12');
        checkApart('joints', 'out', out, 'poses', data);
        checkApart('joints', 'out', out, 'slots', slots);
        checkGlobals('joints', state);
        kernels.joints(data, count, slots, out);
    }

    /**
     * Packs capsules between joints, for hit tests with `castRays`.
     *
     * Source: this project's own.
     *
     * @param parts The capsules; `castRays` returns indices into this list. Copied. Units are those of the scene.
     * @returns Capsules of this rig.
     * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`: `parts` is empty, or a radius is not above
     * 0; `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`.
     * @example
     * const slot = (name: string) => rig.slotNamed(name);
     * const capsules = rig.createCapsules([
     *     { slot: slot('Head'), radius: 0.12 },
     *     { slot: slot('UpperArm.L'), toSlot: slot('LowerArm.L'), radius: 0.06 },
     * ]);
     * const poses = rig.createPoses(100, { only: capsules.slots });
     */
    createCapsules(parts: readonly CapsuleParts[]): Capsules {
        return new Capsules(this.#mark(), packCapsules(parts, this.#tables().slots));
    }

    /**
     * Casts every ray at every pose, after `toGlobal`. For each pair it returns the nearest capsule and its distance.
     *
     * Capsules are solid: a ray that starts inside a capsule hits it at distance 0. A ray whose direction is 0 hits
     * only capsules around its origin. At equal distances the capsule with the lowest index wins. A capsule whose
     * joints contain a NaN is never hit. The method allocates memory only if a call has more rays than every earlier
     * one.
     *
     * Source: this project's own. docs/tables/rig-orders.md lists the order of operations.
     *
     * @param poses Poses of this rig, read.
     * @param capsules Capsules of this rig. The poses must have all of their slots.
     * @param rays `[ray][7]`: origin 3, direction 3 (of any length), maximum distance in the units of the scene. All
     * finite.
     * @param outDistances At least rays x `poses.count` floats, `[ray][pose]`, in the units of the scene. Infinity if
     * the ray hits nothing. Written.
     * @param outCapsules At least rays x `poses.count` integers, `[ray][pose]`: the index of the capsule, or -1.
     * Written.
     * @param options `placements`: position and rotation of each character.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`; Error `ERR_STALE_GLOBALS` if
     * locals were written since the last `toGlobal`. Nothing has been written then.
     * @example
     * const distances = new Float32Array(poses.count);
     * const hit = new Int32Array(poses.count);
     * rig.castRays(poses, capsules, Float32Array.of(0, 1.6, 5, 0, 0, -1, 100), distances, hit); // from z = 5 towards -z, 100 m
     */
    castRays(
        poses: Poses,
        capsules: Capsules,
        rays: Float32Array,
        outDistances: Float32Array,
        outCapsules: Int32Array,
        options?: CastOptions,
    ): void {
        const placements = placementsOf(options);
        const state = posesAt('castRays', 'poses', poses, this.#mark());
        const tables = Capsules.of(capsules, this.#mark());
        const numRays = checkCast(state, tables, rays, outDistances, outCapsules, placements);
        checkGlobals('castRays', state);
        if (this.#rays.length < lengthOf(rays)) this.#rays = new Float32Array(lengthOf(rays));
        normalizeRays(this.#rays, rays, numRays);
        const { data, count, kernels } = state;
        kernels.castRays(data, count, tables, this.#rays, numRays, placements, outDistances, outCapsules);
    }

    /**
     * Computes the vertices of a mesh in every pose, after `toGlobal`: `[pose][vertex][3]`, in scene space. Morph
     * targets are applied first, then linear blend skinning. The first call packs the rig's meshes and so
     * allocates memory, as does the first one for poses with `only`.
     *
     * Source: glTF 2.0, 3.7.2.2 and 3.7.3.3.
     *
     * @param poses Poses of this rig, read.
     * @param skin Index into `skins`.
     * @param mesh Index into `rig.meshes`. The skin must move this mesh.
     * @param outPositions At least `poses.count` x vertices x 3 floats; written.
     * @param outNormals At least `poses.count` x vertices x 3 floats, written: normals of unit length. Leave it out for
     * meshes without normals.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`, `ERR_RIG_INVALID` at the
     * first call if there is no memory for the meshes; Error `ERR_STALE_GLOBALS` if locals were written
     * since the last `toGlobal`. Nothing has been written then.
     * @example
     * const { skin, vertexCount } = rig.meshes[0]!;
     * const positions = new Float32Array(poses.count * vertexCount * 3);
     * rig.skinVertices(poses, skin, 0, positions);
     */
    skinVertices(
        poses: Poses,
        skin: number,
        mesh: number,
        outPositions: Float32Array,
        outNormals?: Float32Array | null,
    ): void {
        const routine = 'skinVertices';
        const state = posesAt(routine, 'poses', poses, this.#mark());
        const { data, count } = state;
        const { skinned } = this.#live();
        const { vertexCount, normals: own } = checkMesh(routine, skinned(), state, skin, mesh, this.#withoutVertices);
        const floats = count * vertexCount * 3;
        checkOut(routine, 'outPositions', outPositions, floats, 'poses x vertices x 3');
        checkApart(routine, 'outPositions', outPositions, 'poses', data);
        const normals = outNormals ?? null;
        if (normals !== null) {
            checkOut(routine, 'outNormals', normals, floats, 'poses x vertices x 3');
            if (own.length === 0) {
                const why = `a primitive of mesh ${mesh} has no normals`;
                throw rangeError('ERR_INDEX_RANGE', `${routine}: outNormals must be left out, ${why}`);
            }
            checkApart(routine, 'outNormals', normals, 'poses', data);
            checkApart(routine, 'outNormals', normals, 'outPositions', outPositions);
        }
        checkGlobals(routine, state);
        state.skinning().skinVertices(data, count, mesh, outPositions, normals);
    }

    /**
     * Computes the bounding box of a mesh in every pose, after `toGlobal`: `[pose][6]`, min x y z and max x y z of the
     * same positions as `skinVertices`, in scene space. The first call packs the rig's meshes and so
     * allocates memory, as does the first one for poses with `only`.
     *
     * Source: glTF 2.0, 3.7.2.2 and 3.7.3.3.
     *
     * @param poses Poses of this rig, read.
     * @param skin Index into `skins`.
     * @param mesh Index into `rig.meshes`. The skin must move this mesh.
     * @param out At least `poses.count` x 6 floats; written.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`, `ERR_RIG_INVALID` at the
     * first call if there is no memory for the meshes; Error `ERR_STALE_GLOBALS` if locals were written
     * since the last `toGlobal`. Nothing has been written then.
     * @example
     * const boxes = new Float32Array(poses.count * 6);
     * rig.bounds(poses, rig.meshes[0]!.skin, 0, boxes);
     */
    bounds(poses: Poses, skin: number, mesh: number, out: Float32Array): void {
        const state = posesAt('bounds', 'poses', poses, this.#mark());
        const { data, count } = state;
        const { vertexCount } = checkMesh('bounds', this.#live().skinned(), state, skin, mesh, this.#withoutVertices);
        if (vertexCount === 0) throw rangeError('ERR_INDEX_RANGE', `bounds: mesh ${mesh} has no vertices`);
        checkOut('bounds', 'out', out, count * 6, 'poses x 6');
        checkApart('bounds', 'out', out, 'poses', data);
        checkGlobals('bounds', state);
        state.skinning().bounds(data, count, mesh, out);
    }

    /**
     * Computes one bounding box per joint of a skin: the vertices that the joint moves with a weight above 0, in joint
     * space (inverse bind x vertex), without morph targets.
     *
     * To bound a pose, transform the corners of each box by the global of its joint. The box around all these corners
     * contains all skinned vertices of every pose, blended poses too.
     *
     * Source: glTF 2.0, 3.7.3.1.
     *
     * @param skin Index into `skins`.
     * @returns A new list, `[joint][6]` in the order of the file: min x y z, max x y z. For a joint that moves no
     * vertex, Infinity and -Infinity.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`: no such skin, or the rig was loaded with
     * `meshes: false`.
     * @example
     * const boxes = rig.jointBounds(0); // once; then rig.joints in each frame
     */
    jointBounds(skin: number): Float32Array {
        const { skins, meshes } = this.#live().skinned();
        checkIndex('jointBounds', 'skin', skin, skins.length, 'skin');
        if (this.#withoutVertices) {
            const why = 'the rig was loaded with `meshes: false`';
            throw rangeError('ERR_INDEX_RANGE', `jointBounds: skin ${skin} has no vertices: ${why}`);
        }
        const { joints, inverseBinds } = skins[skin]!;
        const boxes = emptyBounds(joints.length);
        for (const { skin: own, positions, starts, sets: step, joints: used, influenceJoints } of meshes) {
            if (own !== skin) continue;
            const jointOf = (influence: number) => used[influenceJoints[influence]!]!;
            growJointBounds(boxes, { positions, starts, step, jointOf }, inverseBinds);
        }
        return boxes;
    }

    /**
     * Writes a local transform. Call it between `evaluate` and `toGlobal`, for inverse kinematics and game code.
     *
     * Source: glTF 2.0, 3.5.3.
     *
     * @param poses Poses of this rig, written.
     * @param pose Index of the pose, 0 to `poses.count - 1`.
     * @param slot Index into `slots`.
     * @param trs 10 finite floats: T 3, R 4 (x y z w), S 3. Slots with a matrix are rejected: `ERR_MATRIX_SLOT`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_MATRIX_SLOT`, `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has
     * been written then.
     * @example
     * const head = rig.slotNamed('Head');
     * const trs = rig.getLocal(poses, 0, head, new Float32Array(10));
     * trs.set([0, Math.sin(0.1), 0, Math.cos(0.1)], 3); // its rotation: 0.2 radians about y
     * rig.setLocal(poses, 0, head, trs);
     */
    setLocal(poses: Poses, pose: number, slot: number, trs: Float32Array): void {
        const state = posesAt('setLocal', 'poses', poses, this.#mark());
        const { data } = state;
        const at = localAt('setLocal', this.#tables(), this.slots, state, pose, slot);
        checkOut('setLocal', 'trs', trs, LOCAL_FLOATS, 'T 3, R 4, S 3');
        checkAllFinite('setLocal', 'trs', trs, LOCAL_FLOATS);
        checkApart('setLocal', 'poses', data, 'trs', trs);
        localsWritten(state, pose, pose + 1, state.slots.places[slot]);
        for (let c = 0; c < LOCAL_FLOATS; c++) data[at + c * LANES] = trs[c]!;
    }

    /**
     * Reads a local transform. Slots with a matrix are rejected: `ERR_MATRIX_SLOT`.
     *
     * Source: glTF 2.0, 3.5.3.
     *
     * @param poses Poses of this rig, read.
     * @param pose Index of the pose, 0 to `poses.count - 1`.
     * @param slot Index into `slots`.
     * @param trs At least 10 floats, written: T 3, R 4 (x y z w), S 3.
     * @returns `trs`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_MATRIX_SLOT`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     */
    getLocal(poses: Poses, pose: number, slot: number, trs: Float32Array): Float32Array {
        const state = posesAt('getLocal', 'poses', poses, this.#mark());
        const { data } = state;
        const at = localAt('getLocal', this.#tables(), this.slots, state, pose, slot);
        checkOut('getLocal', 'trs', trs, LOCAL_FLOATS, 'T 3, R 4, S 3');
        checkApart('getLocal', 'trs', trs, 'poses', data);
        for (let c = 0; c < LOCAL_FLOATS; c++) trs[c] = data[at + c * LANES]!;
        return trs;
    }

    /**
     * Finds the events of a clip that happen from `t0`, included, to `t1`, not included. Consecutive calls have each
     * event exactly once, also over the end of a clip that repeats. If `t1` is before `t0`, the clip runs backward.
     *
     * Source: this project's own.
     *
     * @param clip Index into `clips`.
     * @param t0 Start, in seconds.
     * @param t1 End, in seconds. The next call starts here.
     * @param options `loop`: whether the clip repeats.
     * @returns The events in the order in which they happen. Allocates only if there are some.
     * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_COUNT_RANGE`: more
     * than 65536 events.
     * @example
     * const crossed = rig.events(rig.clipNamed('Walk'), time, time + 0.016, { loop: 'wrap' });
     * for (const { name } of crossed) if (name === 'step') playSound();
     */
    events(clip: number, t0: number, t1: number, options?: EventOptions): readonly ClipEvent[] {
        const { loop } = checkOptions('events', options);
        checkIndex('events', 'clip', clip, this.clips.length, 'clip');
        checkTime('events', 't0', t0);
        checkTime('events', 't1', t1);
        const { events, duration } = this.clips[clip]!;
        return crossedEvents('events', events, duration, t0, t1, checkLoop('events', loop));
    }

    /**
     * Computes root motion: the motion of a slot from `t0` to `t1`, in the slot's own frame at `t0`.
     * `transform = transform x delta` then moves the character.
     *
     * The scale and the ancestors of the slot have no effect. The result equals the motion in the scene only if the
     * clip does not move the ancestors. With `loop: 'wrap'` every completed cycle adds its motion. If `t1` is before
     * `t0`, the result is the inverse motion. The first call allocates memory.
     *
     * Source: this project's own; the samples are those of `evaluate`.
     *
     * @param out 7 floats: T 3, R 4 (x y z w); written.
     * @param clip Index into `clips`.
     * @param t0 Start, in seconds.
     * @param t1 End, in seconds.
     * @param options `slot`, and `loop`: how to treat times outside the clip.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`. Nothing has been written then.
     * @example
     * const step = rig.rootDelta(new Float32Array(7), 0, 0.5, 0.516, { slot: rig.slotNamed('Hips'), loop: 'wrap' });
     */
    rootDelta(out: Float32Array, clip: number, t0: number, t1: number, options: RootDeltaOptions): Float32Array {
        const { slot, loop } = checkOptions('rootDelta', options);
        checkOut('rootDelta', 'out', out, 7, 'T 3, R 4');
        checkIndex('rootDelta', 'clip', clip, this.#tables().clips.length, 'clip');
        checkTime('rootDelta', 't0', t0);
        checkTime('rootDelta', 't1', t1);
        const checkedSlot = checkIndex('rootDelta', 'options.slot', slot, this.#tables().slots, 'slot');
        const wrap = checkLoop('rootDelta', loop);
        if (!this.#live().rootMotion().delta(out, clip, t0, t1, checkedSlot, wrap)) {
            const what = `the motion from ${t0} to ${t1} s leaves the range of float32`;
            throw rangeError('ERR_NOT_FINITE', `rootDelta: ${what}`);
        }
        return out;
    }

    /**
     * Computes the root motion of many poses: the motion of a slot in the scene since a reference pose. Call it between
     * `evaluate` and `toGlobal`.
     *
     * Unless `inPlace` is false, it also removes the motion from the poses: pose = motion x pose in place. Globals,
     * palettes, vertices and boxes are then in place. A player draws the character at `placement x motion`.
     *
     * Definition: p is the position of the slot. R is its rotation: the axes of its global matrix, without its own
     * scale, made orthonormal starting with x. p0 and R0 are those of the reference, and D = R R0^-1. `'xyz+rotation'`
     * gives the rotation D and the translation p - D p0. `'xz+yaw'` gives the rotation Y, the part of D about y: its
     * quaternion with x and z set to 0, normalized. Y is the identity if the slot is upside down. The translation is x
     * and z of p - Y p0. `'yaw'` gives the rotation Y and the translation 0: the character turns about its origin.
     * Every rotation has w >= 0.
     *
     * The motion is removed from the root slots. If a root has a matrix of rotation and uniform scale, the motion is
     * removed from the slots below it. Their rotations are treated as unit quaternions: a deviation from unit length
     * becomes an error of the pose in place. The first call allocates memory.
     *
     * Source: this project's own.
     *
     * @param poses Poses of this rig, written unless `inPlace` is false.
     * @param out At least `poses.count` x 7 floats, written: T 3, R 4 (x y z w).
     * @param options `slot`, `from`: the reference, `motion`: the extracted part, `inPlace`.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`, `ERR_FOREIGN_POSES`; RangeError
     * `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`, `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; `ERR_MATRIX_SLOT` if a root
     * joint has a matrix, or a matrix above a slot has shear or unequal scale. Nothing has been written then.
     * @example
     * const slot = rig.slotNamed('Hips');
     * const start = rig.createPoses(1, { only: [slot] });
     * rig.evaluate(start, 0, Float64Array.of(0));
     * rig.evaluate(poses, 0, times, { loop: 'wrap' });
     * const motions = rig.extractRoot(poses, new Float32Array(poses.count * 7), { slot, from: start }); // then toGlobal
     */
    extractRoot(poses: Poses, out: Float32Array, options: ExtractRootOptions): Float32Array {
        const routine = 'extractRoot';
        const { slot, from, motion, inPlace = true } = checkOptions(routine, options);
        const state = posesAt(routine, 'poses', poses, this.#mark());
        const reference = posesAt(routine, 'options.from', from, this.#mark());
        const checkedSlot = checkIndex(routine, 'options.slot', slot, this.#tables().slots, 'slot');
        checkExtractRoot(routine, state, reference, out, checkedSlot, motion, inPlace);
        const moves = inPlace === true;
        const extractor = this.#live().rootExtractor();
        const fixed = moves ? extractor.fixedBy(state.slots) : -1;
        if (fixed >= 0) throw notMovable(this.slots, fixed);
        if (moves) localsWritten(state, 0, state.count);
        extractor.extract(state, reference, out, checkedSlot, (motion ?? 'xz+yaw') as RootParts, moves);
        return out;
    }
}
