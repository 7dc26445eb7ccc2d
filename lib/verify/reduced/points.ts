// SPDX-License-Identifier: MIT

import { addPoint, emptyBox } from '../box';
import type { DoubleEvaluator } from '../evaluator';
import { nameOf, refuse } from '../gltf';
import { instancesOf } from '../instances';
import { movedNodes, skinnedPrimitives, verticesOf } from '../vertices';

/** A transform of points: a node, with or without the inverse bind matrix of a skin's joint. */
export interface Column {
    readonly node: number;
    /** -1 for none: points are then in the node's own space. */
    readonly skin: number;
    readonly slot: number;
    /** Transform of an instance in the node's space, column-major (EXT_mesh_gpu_instancing); null without instances. */
    readonly instance: Float64Array | null;
}

/** Consecutive points of a part that the same columns place. */
interface Group {
    readonly columns: Int32Array;
    readonly first: number;
    readonly count: number;
    /** Index of their first weight. Each point has one for each column. */
    readonly weightsAt: number;
    /** Maximum sum of their weights' absolute values, at least 1. */
    readonly stretch: number;
}

/** The vertices of a primitive, or the origin of a node. */
export interface Part {
    /** Returns a point's name, from its number in the file. */
    readonly name: (point: number) => string;
    readonly groups: readonly Group[];
    /** x y z each, by group. */
    readonly positions: Float64Array;
    readonly weights: Float64Array;
    /** Number in the file of each point. */
    readonly numbers: Int32Array;
    /** Displacements of morph targets, in the layout of `positions`, and the node with their weights. */
    readonly morph: { readonly node: number; readonly targets: readonly Float64Array[] } | null;
}

/** All points of a file that must stay in place. */
export interface Points {
    readonly columns: readonly Column[];
    readonly parts: readonly Part[];
    /** For each column, the box of its points, x y z minimum and maximum; infinite if morph targets move them. */
    readonly boxes: Float64Array;
    /** Columns of nodes without vertices, whose rotation is judged. */
    readonly bare: readonly number[];
    /** The columns' nodes and their ancestors, parents first. */
    readonly order: Int32Array;
}

interface Wanted {
    /** Nodes whose origins are judged, by name. */
    readonly keepJoints: RegExp | null;
    /** Whether to judge nodes that move and carry no vertex: their origins and rotations. */
    readonly bare: boolean;
}

/** The points of the source. Nodes that only the other file moves are included. */
export function pointsOf(source: DoubleEvaluator, other: DoubleEvaluator, { keepJoints, bare }: Wanted): Points {
    const { file, nodes } = source;
    const { json, numbers } = file;
    const columns: Column[] = [];
    const parts: Part[] = [];
    const plain = new Map<number, number>();
    const columnOf = (node: number) => {
        const known = plain.get(node) ?? columns.push({ node, skin: -1, slot: -1, instance: null }) - 1;
        plain.set(node, known);
        return known;
    };
    const morphOf = (node: number, targets: readonly Readonly<Record<string, number>>[], count: number) => {
        if (targets.length === 0) return null;
        const zeros = new Float64Array(count * 3);
        return { node, targets: targets.map(({ POSITION = -1 }) => numbers.get(POSITION) ?? zeros) };
    };

    for (let skin = 0; skin < source.skinCount; skin++) {
        const joints = source.joints(skin);
        const binds = source.inverseBindsOf(skin);
        const first = columns.length;
        for (const [slot, node] of joints.entries()) columns.push({ node, skin, slot, instance: null });
        const vertices = verticesOf(file, { skins: [skin], rescaled: [], nodes: joints, joints: joints.length, binds });
        for (const [i, { pointer, mesh, targets }] of skinnedPrimitives(json, skin).entries()) {
            const { count, positions, influences, joints: of, signed } = vertices[i]!;
            const weights = signed!;
            const wrong = of.findIndex((slot, at) => slot >= joints.length && weights[at] !== 0);
            if (wrong >= 0) {
                const rule = `vertex ${Math.floor(wrong / influences)} has joint ${of[wrong]}, the skin has ${joints.length}`;
                refuse(file.path, pointer, `${rule} (3.7.3.3)`);
            }
            const influencing = (v: number) =>
                Array.from({ length: influences }, (_, k) => v * influences + k)
                    .filter((at) => weights[at] !== 0)
                    .map((at) => [first + of[at]!, weights[at]!] as const);
            // Without morph targets, all nodes with the same mesh and skin are equivalent.
            const having = nodes.flatMap((node, index) => (node.mesh === mesh && node.skin === skin ? index : []));
            for (const node of targets.length === 0 ? having.slice(0, 1) : having) {
                const name = (v: number) => `vertex ${v} of ${pointer}`;
                const morph = morphOf(node, targets, count);
                parts.push(grouped({ name, positions, count, influencing, morph }));
            }
        }
    }

    const movedHere = movedNodes(json);
    const movedThere = movedNodes(other.file.json);
    const moved = nodes.map((_, node) => movedHere[node] === 1 || movedThere[node] === 1);
    for (const [node, { mesh, skin }] of nodes.entries()) {
        if (mesh === undefined || skin !== undefined || !moved[node]) continue;
        const instances = instancesOf(source.file, node);
        const drawn = instances?.map((instance) => columns.push({ node, skin: -1, slot: -1, instance }) - 1) ?? [
            columnOf(node),
        ];
        for (const [index, { attributes, targets = [] }] of (json.meshes![mesh]!.primitives ?? []).entries()) {
            const positions = attributes.POSITION === undefined ? undefined : numbers.get(attributes.POSITION);
            if (positions === undefined) continue;
            const name = (v: number) =>
                `vertex ${v} of /meshes/${mesh}/primitives/${index} at ${nodeName(source, node)}`;
            const count = positions.length / 3;
            const influence = [[0, 1]] as const;
            const morph = morphOf(node, targets, count);
            const part = grouped({ name, positions, count, influencing: () => influence, morph });
            for (const [number, column] of drawn.entries()) {
                const groups = part.groups.map((group) => ({ ...group, columns: Int32Array.of(column) }));
                const own = (v: number) => (instances === null ? name(v) : `${name(v)}, instance ${number}`);
                parts.push({ ...part, name: own, groups });
            }
        }
    }

    const carrying = source.withAncestors(
        parts.flatMap(({ groups }) => groups.flatMap((group) => Array.from(group.columns, (c) => columns[c]!.node))),
    );
    const carries = new Uint8Array(nodes.length);
    for (const node of carrying) carries[node] = 1;
    const bareNodes = bare ? [...source.order].filter((node) => moved[node] && carries[node] === 0) : [];
    const kept = nodes.flatMap((node, index) => (keepJoints?.test(nameOf(node)) ? index : []));
    for (const node of new Set([...bareNodes, ...kept])) {
        const influence = [[columnOf(node), 1]] as const;
        const name = () => nodeName(source, node);
        const positions = new Float64Array(3);
        parts.push(grouped({ name, positions, count: 1, influencing: () => influence, morph: null }));
    }
    return {
        columns,
        parts,
        boxes: boxesOf(columns.length, parts),
        bare: bareNodes.map(columnOf),
        order: source.withAncestors(columns.map(({ node }) => node)),
    };
}

/** `joint 'Hand' (node 12)`. */
export function nodeName(source: DoubleEvaluator, node: number): string {
    const name = nameOf(source.nodes[node]);
    const isJoint = (source.file.json.skins ?? []).some(({ joints }) => joints.includes(node));
    const what = isJoint ? 'joint' : 'node';
    return name === '' ? `${what} ${node}` : `${what} '${name}' (node ${node})`;
}

interface Ungrouped extends Pick<Part, 'name' | 'morph'> {
    readonly positions: Float64Array;
    readonly count: number;
    /** The columns that place a point, with non-zero weights. */
    influencing(point: number): readonly (readonly [column: number, weight: number])[];
}

/** Tolerance for a vertex's sum of weights above 1. */
const ROUNDING = 1e-6;

/** Groups points that the same columns place. */
function grouped({ name, positions, count, influencing, morph }: Ungrouped): Part {
    const byColumns = new Map<string, number[]>();
    const influences = Array.from({ length: count }, (_, v) => {
        const own = influencing(v);
        const key = own.map(([column]) => column).join(' ');
        const members = byColumns.get(key);
        if (members === undefined) byColumns.set(key, [v]);
        else members.push(v);
        return own;
    });
    const groups: Group[] = [];
    const weights: number[] = [];
    const numbers: number[] = [];
    for (const members of byColumns.values()) {
        const columns = Int32Array.from(influences[members[0]!]!, ([column]) => column);
        const [first, weightsAt] = [numbers.length, weights.length];
        let stretch = 1;
        for (const v of members) {
            const sum = influences[v]!.reduce((total, [, weight]) => total + Math.abs(weight), 0);
            // Some players normalize weights with a sum above 1, others do not.
            const divisor = sum > 1 + ROUNDING ? 1 : sum;
            stretch = Math.max(stretch, sum / divisor);
            for (const [, weight] of influences[v]!) weights.push(weight / divisor);
            numbers.push(v);
        }
        groups.push({ columns, first, count: members.length, weightsAt, stretch });
    }
    const sorted = (list: Float64Array) =>
        Float64Array.from({ length: count * 3 }, (_, i) => list[numbers[Math.floor(i / 3)]! * 3 + (i % 3)]!);
    return {
        name,
        groups,
        positions: sorted(positions),
        weights: Float64Array.from(weights),
        numbers: Int32Array.from(numbers),
        morph: morph && { node: morph.node, targets: morph.targets.map(sorted) },
    };
}

function boxesOf(columns: number, parts: readonly Part[]): Float64Array {
    const boxes = Array.from({ length: columns }, emptyBox);
    for (const { groups, positions, morph } of parts) {
        for (const { columns: own, first, count } of groups) {
            for (const column of own) {
                if (morph !== null) boxes[column]!.set([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]);
                for (let p = first * 3; p < (first + count) * 3; p += 3) {
                    addPoint(boxes[column]!, positions.subarray(p, p + 3));
                }
            }
        }
    }
    return Float64Array.from(boxes.flatMap((box) => [...box]));
}
