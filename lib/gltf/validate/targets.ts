// SPDX-License-Identifier: MIT

import { arrayAt, describe, extensionOf, indexAt, type JsonObject } from '../json';
import { invalid, REWRITE, type Report, warn } from '../reading';
import type { ChannelPath, SceneNode } from '../scene';

/** The node and property that a channel moves. */
export interface Target {
    readonly node: number;
    readonly path: ChannelPath;
    /** Addressed by KHR_animation_pointer, which allows more output formats. */
    readonly byPointer: boolean;
}

const PATHS: ReadonlySet<unknown> = new Set(['translation', 'rotation', 'scale', 'weights']);
const POINTER = 'KHR_animation_pointer';
/** Pointers of KHR_animation_pointer that move nodes: node and property. */
export const NODE_POINTER = /^\/nodes\/(0|[1-9][0-9]*)\/(translation|rotation|scale|weights)$/;

/** Null, with a warning, for targets that glTF ignores (3.11) and pointers to other things than nodes. */
export function resolveTarget(json: JsonObject, target: JsonObject, pointer: string, report: Report): Target | null {
    const nodeCount = arrayAt(report, json.nodes, '/nodes').length;
    if (target.path === 'pointer') {
        const extension = extensionOf(target, POINTER);
        const at = `${pointer}/extensions/${POINTER}/pointer`;
        if (typeof extension?.pointer !== 'string') {
            invalid(report, at, `must be a JSON pointer, is ${describe(extension?.pointer)} (${POINTER})`);
        }
        const match = NODE_POINTER.exec(extension.pointer);
        if (match === null) {
            const message = `${describe(extension.pointer)} moves no node: the channel is ignored; animate a node, or remove it`;
            warn(report, 'ANIMATION_POINTER_IGNORED', at, message);
            return null;
        }
        const node = indexAt(report, Number(match[1]), nodeCount, at, 'nodes');
        return { node, path: match[2] as ChannelPath, byPointer: true };
    }
    if (target.node === undefined) {
        warn(report, 'CHANNEL_IGNORED', pointer, 'the target has no node: the channel is ignored (3.11); remove it');
        return null;
    }
    const node = indexAt(report, target.node, nodeCount, `${pointer}/node`, 'nodes');
    if (typeof target.path !== 'string') {
        invalid(report, `${pointer}/path`, `must be a string, is ${describe(target.path)} (3.11)`);
    }
    if (!PATHS.has(target.path)) {
        warn(
            report,
            'CHANNEL_IGNORED',
            `${pointer}/path`,
            `unknown path ${describe(target.path)}: ignored (3.11); remove the channel`,
        );
        return null;
    }
    return { node, path: target.path as ChannelPath, byPointer: false };
}

/** Rejects a channel of a node with a `matrix`: an animated node must have only TRS properties (glTF 2.0, 3.5.3). */
export function checkMatrixTarget(node: SceneNode, target: Target, pointer: string, report: Report): void {
    if (node.matrix === null) return;
    const rule = `node ${target.node} has a matrix, which a node that is animated must not have (3.5.3)`;
    if (target.path !== 'weights') invalid(report, pointer, rule);
    warn(
        report,
        'MATRIX_NODE_ANIMATED',
        pointer,
        `${rule}; its morph weights are played, and ${REWRITE} makes TRS of the matrix`,
    );
}
