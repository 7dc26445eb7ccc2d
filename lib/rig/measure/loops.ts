// SPDX-License-Identifier: MIT

/** Whether clips are loops: the rule of bakes, for the rig of a whole file. */

import type { GltfScene, SceneNode, SkinnedPrimitive } from '../../gltf/scene';
import type { Poses } from '../poses';
import { identities } from '../source/source';
import { type Character, type CharacterScene, everyCharacter, MAX_SLOTS, primitivesOf } from './characters';
import { BOX_NUMBERS, boxForEach, type CentredBoxes, centredBoxes, squaredDistance } from './displacement';
import { addOrigins, ExtentFinder, extentTimesOf, type Floats, measureOf, PARTS } from './extent';
import { emptyBox, rotationMatrix } from './geometry';
import { MorphReach } from './morph-reach';
import { type SkinBox, skinBoxOf } from './skin-box';

/** Maximum distance between the first and the last pose of a loop, in extents. */
const LOOP_TOLERANCE = 1e-4;

/** @param squared Squared distance between the first and the last pose. */
export function isLoop(squared: number, extent: number): boolean {
    const tolerance = LOOP_TOLERANCE * extent;
    return squared <= tolerance * tolerance;
}

/**
 * The boxes that say how far apart the ends of a clip are: for each joint, the box of all skinned vertices, or without
 * vertices that of the origins at rest. For each attachment, its own box.
 */
export function wholeBoxesOf(
    { joints, nodes }: Character,
    skinned: readonly SkinnedPrimitive[],
    skinBox: SkinBox | null,
    originsAtRest: () => Floats,
): CentredBoxes {
    const whole = emptyBox();
    for (const { positions } of skinned) addOrigins(whole, positions);
    if (whole[0]! > whole[3]!) addOrigins(whole, originsAtRest());
    const boxes = boxForEach(centredBoxes(whole), nodes.length);
    const attached = joints * BOX_NUMBERS;
    if (skinBox !== null) boxes.set(skinBox.jointBoxes.subarray(attached), attached);
    return boxes;
}

/** The methods of a rig that are used here. */
export interface Evaluator {
    readonly slots: readonly { readonly node: number }[];
    slotOf(node: number): number;
    createPoses(capacity: number, options: { only?: Int32Array }): Poses;
    evaluate(poses: Poses, clip: number, times: Float32Array): void;
    toGlobal(poses: Poses): void;
    joints(poses: Poses, slots: Int32Array, out: Float32Array): void;
}

/** For each animation, whether the bakes of all characters of the scene have `loop`. */
export function loopsOf(rig: Evaluator, scene: CharacterScene & Pick<GltfScene, 'name' | 'animations'>): boolean[] {
    const { length } = scene.animations;
    // No bake has that many, and poses of them need gigabytes.
    if (rig.slots.length > MAX_SLOTS) return new Array<boolean>(length).fill(false);
    const characters = length === 0 ? [] : everyCharacter(scene);
    // Without skin and mesh, the origins of all slots.
    const compared = characters.length > 0 || length === 0 ? characters : [bones(rig)];
    const found = compared.map((character) => loopsOfCharacter(rig, scene, character));
    return scene.animations.map((_, clip) => found.every((loops) => loops[clip]!));
}

function bones({ slots }: Evaluator): Character {
    const nodes = slots.map(({ node }) => node);
    const inverseBindMatrices = identities(nodes.length);
    return { skins: [], joints: nodes.length, attachments: [], nodes, inverseBindMatrices, root: -1 };
}

function loopsOfCharacter(
    rig: Evaluator,
    scene: CharacterScene & Pick<GltfScene, 'name' | 'animations'>,
    character: Character,
): boolean[] {
    const { joints, attachments, nodes } = character;
    const { skinned, rigid } = primitivesOf(scene, scene.name, character);
    const skinBox = skinBoxOf([...skinned, ...rigid], joints, nodes.length);
    const hasVertices = skinned.some(({ positions }) => positions.length > 0);
    const measure = measureOf(hasVertices ? skinBox : null, attachments, joints);
    const size = new ExtentFinder(measure);
    const reach = new MorphReach(scene, character);
    const columns = new Columns(rig, scene.nodes, character);
    const boxes = wholeBoxesOf(character, skinned, skinBox, () => columns.originsAt(0));
    const apart = scene.animations.map((animation, clip) => {
        const times = extentTimesOf(animation, { from: 0, to: Infinity });
        columns.evaluate(clip, times);
        for (const pose of times.keys())
            size.add(measure.by === 'origins' ? columns.originsAt(pose) : columns.paletteAt(pose));
        const ends = [columns.paletteAt(0), columns.paletteAt(times.length - 1)] as const;
        return Math.max(
            squaredDistance(boxes, ...ends),
            reach.apart(clip, times[0]!, times.at(-1)!, (end) => ends[end]!),
        );
    });
    return apart.map((squared) => isLoop(squared, size.extent));
}

/** The matrices of a character's columns in some poses: at rest, until they are evaluated. */
class Columns {
    readonly #poses: Poses;
    readonly #slots: Int32Array;
    /** `[pose][slot][12]`, row-major 3x4. */
    readonly #globals: Float32Array;
    /** For each column, the index of its slot in the list; -1 for a node that nothing moves. */
    readonly #places: Int32Array;
    /** `[column]`: what follows the global of the slot, the inverse bind matrix or the way to a node below the slot. */
    readonly #offsets: Float64Array;

    constructor(
        readonly rig: Evaluator,
        nodes: readonly SceneNode[],
        readonly character: Character,
    ) {
        const { joints, nodes: columns, inverseBindMatrices } = character;
        const slots = new Map<number, number>();
        this.#offsets = Float64Array.from(inverseBindMatrices);
        this.#places = Int32Array.from(columns, (column, i) => {
            let node = column;
            const offset = this.#offsets.subarray(i * 16, i * 16 + 16);
            for (; i >= joints && node >= 0 && rig.slotOf(node) < 0; node = nodes[node]!.parent)
                offset.set(multiply(localOf(nodes[node]!), offset));
            if (node < 0) return -1;
            const slot = rig.slotOf(node);
            if (!slots.has(slot)) slots.set(slot, slots.size);
            return slots.get(slot)!;
        });
        this.#slots = Int32Array.from(slots.keys());
        this.#poses = rig.createPoses(PARTS + 1, slots.size > 0 ? { only: this.#slots } : {});
        this.#globals = new Float32Array(this.#poses.capacity * slots.size * 12);
        this.#read();
    }

    evaluate(clip: number, times: Float32Array): void {
        this.#poses.count = times.length;
        this.rig.evaluate(this.#poses, clip, times);
        this.#read();
    }

    #read(): void {
        this.rig.toGlobal(this.#poses);
        this.rig.joints(this.#poses, this.#slots, this.#globals);
    }

    /** Column-major 4x4 of every column. */
    paletteAt(pose: number): Float32Array {
        const palette = new Float32Array(this.#offsets.length);
        const offsets = this.#offsets;
        for (let i = 0; i < this.#places.length; i++) {
            const place = this.#places[i]!;
            const globals = place < 0 ? ROWS : this.#globals;
            const g = place < 0 ? 0 : (pose * this.#slots.length + place) * 12;
            for (let column = i * 16; column < i * 16 + 16; column += 4) {
                const x = offsets[column]!;
                const y = offsets[column + 1]!;
                const z = offsets[column + 2]!;
                const w = offsets[column + 3]!;
                for (let row = 0; row < 3; row++) {
                    const r = g + row * 4;
                    palette[column + row] =
                        globals[r]! * x + globals[r + 1]! * y + globals[r + 2]! * z + globals[r + 3]! * w;
                }
                palette[column + 3] = w;
            }
        }
        return palette;
    }

    /** x y z of the joints, or without joints of every column. */
    originsAt(pose: number): Float32Array {
        const { joints, nodes } = this.character;
        return Float32Array.from({ length: (joints || nodes.length) * 3 }, (_, i) => {
            const place = this.#places[Math.floor(i / 3)]!;
            return place < 0 ? 0 : this.#globals[(pose * this.#slots.length + place) * 12 + (i % 3) * 4 + 3]!;
        });
    }
}

/** A row-major 3x4. */
const ROWS = identities(1).subarray(0, 12);

/** The product of two column-major 4x4. */
function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
    return Float64Array.from({ length: 16 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, e) => sum + a[(i & 3) + e * 4]! * b[(i & ~3) + e]!, 0),
    );
}

/** Column-major 4x4 (glTF 2.0, 3.5.3). */
function localOf({ matrix, translation, rotation, scale }: SceneNode): ArrayLike<number> {
    if (matrix !== null) return matrix;
    const [x, y, z, w] = rotation as unknown as [number, number, number, number];
    const turn = rotationMatrix(x, y, z, w).map((element, i) => element * scale[Math.floor(i / 3)]!);
    const columns = [0, 3, 6].flatMap((first) => [...turn.slice(first, first + 3), 0]);
    return [...columns, ...translation, 1];
}
