// SPDX-License-Identifier: MIT

/** Matches nodes of two files by name. Names are compared exactly, by code units. */

import { cached } from '../base/cached';

export interface NamedNode {
    readonly name: string;
    /** -1 for a root. */
    readonly parent: number;
}

/** From a name in the other file to a name in this one. `mixamorig*` to `*` replaces the beginning of names. */
export type Rename = readonly [from: string, to: string];

export interface AmbiguousNodes {
    /** Nodes of the other file. */
    readonly from: readonly number[];
    /** The nodes of this file that each of them could be. */
    readonly to: readonly number[];
}

export interface NodeMatch {
    /** From nodes of the other file to nodes of this one. Each node occurs once. */
    readonly nodes: ReadonlyMap<number, number>;
    /** Nodes of the other file without a match. */
    readonly missing: readonly number[];
    readonly ambiguous: readonly AmbiguousNodes[];
    /** The namespaces that were replaced to match names; null if none were. */
    readonly namespace: Rename | null;
}

/** Maximum number of nodes with one name that get a list each. More share one entry in `ambiguous`. */
const MAX_SAME = 64;

/**
 * Matches nodes by the name from `renames`, otherwise by the same name, otherwise by the same name in another namespace
 * (the part before the last `:` or `|`). All names must use one pair of namespaces: the one with most matches. If
 * several nodes have the name, the one with the same names above it is used.
 *
 * @param others Nodes of the other file. Those in `moved`, ascending, need a match.
 */
export function matchNodes(
    nodes: readonly NamedNode[],
    others: readonly NamedNode[],
    moved: readonly number[],
    renames: readonly Rename[],
): NodeMatch {
    const byName = indexByName(nodes);
    const pathOf = numberPaths();
    const [paths, otherPaths] = [pathOf(nodes), pathOf(others)];
    const renamed = new Map(moved.map((node) => [node, renamedBy(others[node]!.name, renames)]));
    const known = (name: string) => (name === '' ? [] : (byName.get(name) ?? []));
    const namespace = namespaceOf(
        byName,
        moved.flatMap((node) => (known(renamed.get(node)!).length === 0 ? [renamed.get(node)!] : [])),
    );
    const missing: number[] = [];
    const ambiguous: AmbiguousNodes[] = [];
    const tooMany = new Map<readonly number[], number[]>();
    const claims = new Map<number, number[]>();
    const byPath = new Map<readonly number[], Map<number, number>>();
    /** The only one of the nodes that has the same names above it; -1 if there is none, or several. */
    const onlyOf = (node: number, found: readonly number[]): number => {
        if (found.length === 1) return found[0]!;
        const known = cached(byPath, found, () => {
            const only = new Map<number, number>();
            for (const other of found) only.set(paths[other]!, only.has(paths[other]!) ? -1 : other);
            return only;
        });
        return known.get(otherPaths[node]!) ?? -1;
    };
    const claim = (node: number, found: readonly number[]) => {
        const same = found.length === 0 ? -1 : onlyOf(node, found);
        if (found.length === 0) missing.push(node);
        else if (same >= 0) cached(claims, same, () => []).push(node);
        else if (tooMany.has(found)) tooMany.get(found)!.push(node);
        else {
            const from = [node];
            ambiguous.push({ from, to: found });
            if (found.length > MAX_SAME) tooMany.set(found, from);
        }
    };
    const rest: number[] = [];
    for (const node of moved) {
        const exact = known(renamed.get(node)!);
        if (exact.length > 0) claim(node, exact);
        else rest.push(node);
    }
    // A name in another namespace is used only if no node has the exact name.
    const taken = new Set(claims.keys());
    const free = new Map<string, readonly number[]>();
    for (const node of rest) {
        const name = namespace === null ? '' : renamedBy(renamed.get(node)!, [starred(namespace)]);
        const found = cached(free, name, () => known(name).filter((other) => !taken.has(other)));
        claim(node, found);
    }
    const matched = new Map<number, number>();
    for (const [node, from] of claims) {
        if (from.length === 1) matched.set(from[0]!, node);
        else ambiguous.push({ from, to: [node] });
    }
    return { nodes: matched, missing, ambiguous, namespace };
}

/** Matches all nodes, so that a skeleton's shape does not depend on its clips. Moved ones take precedence. */
export function matchAll(
    nodes: readonly NamedNode[],
    others: readonly NamedNode[],
    moved: ReadonlyMap<number, number>,
    renames: readonly Rename[],
): ReadonlyMap<number, number> {
    const all = matchNodes(nodes, others, [...others.keys()], renames).nodes;
    const taken = new Set(moved.values());
    return new Map([...moved, ...[...all].filter(([from, to]) => !moved.has(from) && !taken.has(to))]);
}

function indexByName(nodes: readonly NamedNode[]): Map<string, number[]> {
    const byName = new Map<string, number[]>();
    for (const [index, { name }] of nodes.entries()) cached(byName, name, () => []).push(index);
    return byName;
}

function renamedBy(name: string, renames: readonly Rename[]): string {
    for (const [from, to] of renames) {
        if (from === name) return to;
        if (from.endsWith('*') && to.endsWith('*') && name.startsWith(from.slice(0, -1))) {
            return to.slice(0, -1) + name.slice(from.length - 1);
        }
    }
    return name;
}

function starred([from, to]: Rename): Rename {
    return [`${from}*`, `${to}*`];
}

/** The namespace of a name: `rig:` for `rig:Hips`. */
function spaceOf(name: string): string {
    return name.slice(0, Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1);
}

/** The pair of namespaces with which most names would match. The first of several equal ones. */
function namespaceOf(byName: ReadonlyMap<string, unknown>, names: readonly string[]): Rename | null {
    if (names.length === 0) return null;
    const numbers = new Map<string, number>();
    const spaces = new Map<string, number[]>();
    for (const name of byName.keys()) {
        const space = spaceOf(name);
        if (!numbers.has(space)) numbers.set(space, numbers.size);
        cached(spaces, name.slice(space.length), () => []).push(numbers.get(space)!);
    }
    /** By namespace: its names without it, with the count and the first position of each. */
    const groups = new Map<string, Map<string, { count: number; readonly first: number }>>();
    for (const [index, name] of names.entries()) {
        const from = spaceOf(name);
        const bare = name.slice(from.length);
        if (!spaces.has(bare)) continue;
        cached(
            cached(groups, from, () => new Map()),
            bare,
            () => ({ count: 0, first: index }),
        ).count++;
    }
    // The largest group first. A group smaller than the best result cannot improve it.
    const sized = [...groups].map(([from, group]) => {
        let size = 0;
        for (const { count } of group.values()) size += count;
        return { from, group, size };
    });
    sized.sort((a, b) => b.size - a.size);
    const counts = new Int32Array(numbers.size);
    let best = { from: '', to: -1, count: 0, first: Infinity };
    for (const { from, group, size } of sized) {
        if (size < best.count) break;
        const own = numbers.get(from);
        const [start] = group.values();
        if (size === best.count && start!.first > best.first) continue;
        for (const [bare, { count }] of group) for (const to of spaces.get(bare)!) counts[to]! += count;
        for (const [bare, { first }] of group) {
            for (const to of spaces.get(bare)!) {
                const count = to === own ? 0 : counts[to]!;
                counts[to] = 0;
                if (count > best.count || (count === best.count && count > 0 && first < best.first))
                    best = { from, to, count, first };
            }
        }
    }
    return best.count === 0 ? null : [best.from, [...numbers.keys()][best.to]!];
}

/** Numbers the paths of names from each node's parent to the root. Equal paths of two files have one number. */
function numberPaths(): (nodes: readonly NamedNode[]) => Int32Array {
    const children: Map<string, number>[] = [new Map()];
    const below = (path: number, name: string): number => {
        return cached(children[path]!, name, () => children.push(new Map()) - 1);
    };
    return (nodes) => {
        const paths = new Int32Array(nodes.length).fill(-1);
        const way: number[] = [];
        for (const first of nodes.keys()) {
            for (let node = first; node >= 0 && paths[node] === -1; node = nodes[node]!.parent) way.push(node);
            for (let node = way.pop(); node !== undefined; node = way.pop()) {
                const { parent } = nodes[node]!;
                paths[node] = parent < 0 ? 0 : below(paths[parent]!, nodes[parent]!.name);
            }
        }
        return paths;
    };
}
