// SPDX-License-Identifier: MIT

/** Whether clips are loops: the rule of bakes, for the rig of a whole file. */

import type { GltfScene, SceneNode, SkinnedPrimitive } from '../../gltf/scene';
import type { Poses } from '../poses';
import { identities } from '../source/source';
import { type Character, type CharacterScene, everyCharacter, MAX_SLOTS, primitivesOf } from './characters';
import { BOX_NUMBERS, boxForEach, type CentredBoxes, centredBoxes, squaredDistance } from './displacement';
import { addOrigins, ExtentFinder, extentTimesOf, type Floats, measureOf } from './extent';
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
interface Evaluator {
    readonly slots: readonly { readonly node: number }[];
    slotOf(node: number): number;
    createPoses(capacity: number, options: { only: Int32Array }): Poses;
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
    const boxes = wholeBoxesOf(character, skinned, skinBox, () => columns.atRest().origins[0]!);
    const apart = scene.animations.map((animation, clip) => {
        const times = extentTimesOf(animation, { from: 0, to: Infinity });
        const { palettes, origins } = columns.at(clip, times);
        for (const pose of times.keys()) size.add(measure.by === 'origins' ? origins[pose]! : palettes[pose]!);
        const ends = [palettes[0]!, palettes.at(-1)!] as const;
        return Math.max(
            squaredDistance(boxes, ...ends),
            reach.apart(clip, times[0]!, times.at(-1)!, (end) => ends[end]!),
        );
    });
    return apart.map((squared) => isLoop(squared, size.extent));
}

interface Placed {
    /** For each pose, column-major 4x4 of every column. */
    readonly palettes: Float32Array[];
    /** For each pose, x y z of the joints, or without joints of every column. */
    readonly origins: Float32Array[];
}

/** The matrices of a character's columns. */
class Columns {
    readonly #poses: Poses | null;
    readonly #slots: Int32Array;
    /** Place of each column's slot in the list of slots; -1 for a node without one, above which nothing moves. */
    readonly #places: number[];
    /** What follows the global of the slot: the inverse bind matrix, or the way to a node below the slot. */
    readonly #offsets: number[][];

    constructor(
        readonly rig: Evaluator,
        nodes: readonly SceneNode[],
        readonly character: Character,
    ) {
        const { joints, nodes: columns, inverseBindMatrices } = character;
        const slots = new Map<number, number>();
        this.#offsets = [];
        this.#places = columns.map((column, i) => {
            let offset = Array.from(inverseBindMatrices.subarray(i * 16, i * 16 + 16));
            let node = column;
            for (; i >= joints && node >= 0 && rig.slotOf(node) < 0; node = nodes[node]!.parent)
                offset = multiply(localOf(nodes[node]!), offset);
            this.#offsets.push(offset);
            if (node < 0) return -1;
            const slot = rig.slotOf(node);
            if (!slots.has(slot)) slots.set(slot, slots.size);
            return slots.get(slot)!;
        });
        this.#slots = Int32Array.from(slots.keys());
        this.#poses = slots.size > 0 ? rig.createPoses(16, { only: this.#slots }) : null;
    }

    /** Before the first call of `at`. */
    atRest(): Placed {
        return this.#place(1);
    }

    /** @param times 16 at most. */
    at(clip: number, times: Float32Array): Placed {
        if (this.#poses !== null) {
            this.#poses.count = times.length;
            this.rig.evaluate(this.#poses, clip, times);
        }
        return this.#place(times.length);
    }

    #place(count: number): Placed {
        const globals = new Float32Array(count * this.#slots.length * 12);
        if (this.#poses !== null) {
            this.#poses.count = count;
            this.rig.toGlobal(this.#poses);
            this.rig.joints(this.#poses, this.#slots, globals);
        }
        const { joints, nodes } = this.character;
        const placed: Placed = { palettes: [], origins: [] };
        for (let pose = 0; pose < count; pose++) {
            const matrices = this.#places.map((place) => {
                const at = (pose * this.#slots.length + place) * 12;
                return place < 0 ? IDENTITY : columnMajor(globals, at);
            });
            placed.palettes.push(Float32Array.from(matrices.flatMap((m, i) => multiply(m, this.#offsets[i]!))));
            const shown = matrices.slice(0, joints || nodes.length);
            placed.origins.push(Float32Array.from(shown.flatMap((m) => m.slice(12, 15))));
        }
        return placed;
    }
}

const IDENTITY = Array.from(identities(1));

/** Of a row-major 3x4. */
function columnMajor(rows: Float32Array, at: number): number[] {
    return IDENTITY.map((_, i) => (i % 4 === 3 ? IDENTITY[i]! : rows[at + (i % 4) * 4 + Math.floor(i / 4)]!));
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
    return a.map((_, i) => {
        const [row, column] = [i % 4, i - (i % 4)];
        return (
            a[row]! * b[column]! +
            a[row + 4]! * b[column + 1]! +
            a[row + 8]! * b[column + 2]! +
            a[row + 12]! * b[column + 3]!
        );
    });
}

/** glTF 2.0, 3.5.3. */
function localOf({ matrix, translation, rotation, scale }: SceneNode): number[] {
    if (matrix !== null) return Array.from(matrix);
    const [x, y, z, w] = rotation as unknown as [number, number, number, number];
    const turn = rotationMatrix(x, y, z, w).map((element, i) => element * scale[Math.floor(i / 3)]!);
    const columns = [0, 3, 6].flatMap((first) => [...turn.slice(first, first + 3), 0]);
    return [...columns, ...translation, 1];
}
