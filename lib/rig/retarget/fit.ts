// SPDX-License-Identifier: MIT

import { significant } from '../../base/messages';
import { matchNodes, type NodeMatch, type Rename } from '../../clips/match';
import type { GltfScene, SceneNode } from '../../gltf/scene';
import { degreesBetween } from './rest';

/** A scene; in browsers it has no hash. */
export type ClipScene = Omit<GltfScene, 'sha256'> & { readonly sha256?: string };

/** How well the clips of another file fit the nodes of this file. */
export interface ClipFit {
    readonly match: NodeMatch;
    /** The nodes of the other file. */
    readonly others: readonly SceneNode[];
    /** Number of nodes that its clips move. */
    readonly moved: number;
    /** Max distance between a matched node of the other file and its parent, at rest. */
    readonly longest: number;
    /** Max difference between the local rotations at rest, and its node in the other file; -1 if there is none. */
    readonly rotation: { readonly degrees: number; readonly node: number };
    /** The same for bone lengths (distance between node and parent), relative to the longer bone. */
    readonly length: { readonly share: number; readonly node: number };
}

/** Rest poses that differ by less are treated as equal, because exporters round. */
const SAME_DEGREES = 1;
const SAME_SHARE = 0.01;
/** Smaller differences are float32 rounding and are not reported. */
const TOLD_DEGREES = 1e-3;
const TOLD_SHARE = 1e-5;
/** Bones below this share of the longest one are ignored: their lengths are not meaningful. */
const POINT = 0.01;

export function fitOf(nodes: readonly SceneNode[], other: ClipScene, rename: readonly Rename[]): ClipFit {
    const others = other.nodes;
    const channels = other.animations.flatMap((animation) => animation.channels);
    const moved = [...new Set(channels.map(({ node }) => node))].sort((a, b) => a - b);
    const match = matchNodes(nodes, others, moved, rename);
    let rotation = { degrees: 0, node: -1 };
    let length = { share: 0, node: -1 };
    const lengths = [...match.nodes].map(([from, to]) => [lengthOf(others[from]!), lengthOf(nodes[to]!)] as const);
    const longest = lengths.reduce((max, [a, b]) => Math.max(max, a, b), 0);
    for (const [index, [from, to]] of [...match.nodes].entries()) {
        const [there, here] = [others[from]!, nodes[to]!];
        if (there.matrix !== null || here.matrix !== null) continue;
        const degrees = degreesBetween(there.rotation, here.rotation);
        if (degrees > rotation.degrees) rotation = { degrees, node: from };
        const [a, b] = lengths[index]!;
        const share = Math.max(a, b) > POINT * longest ? Math.abs(a - b) / Math.max(a, b) : 0;
        if (share > length.share) length = { share, node: from };
    }
    return {
        match,
        others,
        moved: moved.length,
        longest: lengths.reduce((max, [there]) => Math.max(max, there), 0),
        rotation,
        length,
    };
}

function lengthOf({ translation: [x, y, z] }: SceneNode): number {
    return Math.sqrt(x! * x! + y! * y! + z! * z!);
}

/** Whether the rest poses are the same, so that clips can be taken as they are. */
export function isClose({ rotation, length }: ClipFit): boolean {
    return rotation.degrees <= SAME_DEGREES && length.share <= SAME_SHARE;
}

/** How far apart rest poses are. */
export function restText({ rotation, length, others }: ClipFit): string {
    const parts = [
        {
            node: rotation.degrees > TOLD_DEGREES ? rotation.node : -1,
            text: `rotations up to ${significant(rotation.degrees, 3)} degrees apart`,
        },
        {
            node: length.share > TOLD_SHARE ? length.node : -1,
            text: `lengths up to ${significant(length.share * 100, 3)}% apart`,
        },
    ];
    const found = parts.filter(({ node }) => node >= 0);
    return found.map(({ node, text }) => `${text} ('${others[node]!.name}')`).join(', ') || 'the same';
}
