// SPDX-License-Identifier: MIT

/** Which node of one file is which of another, by their names. Names are compared as they are, code unit by code unit. */

/** The part of a node that matching looks at. */
export interface NamedNode {
    readonly name: string;
    /** -1 for a root. */
    readonly parent: number;
}

/** From a name of the other file to a name of this one; `mixamorig*` to `*` is from a beginning to a beginning. */
export type Rename = readonly [from: string, to: string];

/** Nodes that no decision can be made about. */
export interface AmbiguousNodes {
    /** Nodes of the other file. */
    readonly from: readonly number[];
    /** Those of this file that each of them could be. */
    readonly to: readonly number[];
}

/** What {@link matchNodes} finds. */
export interface NodeMatch {
    /** From nodes of the other file to nodes of this one: each is there once. */
    readonly nodes: ReadonlyMap<number, number>;
    /** Nodes of the other file that have no counterpart. */
    readonly missing: readonly number[];
    readonly ambiguous: readonly AmbiguousNodes[];
    /** The namespaces that names without an exact counterpart differ by; null where none was needed. */
    readonly namespace: Rename | null;
}

/** Nodes with a name that more nodes share have one entry in `ambiguous`: a list for each would be too large. */
const MAX_SAME = 64;

/**
 * Finds the counterparts of nodes: of the name that `renames` gives, else of the same name, else of the same name in another
 * namespace (what is before the last `:` or `|`), which has to be one for all: that which matches the most. Where several nodes have
 * the name, the one with the same names above it counts.
 *
 * @param nodes Of this file.
 * @param others Of the other one.
 * @param moved Nodes of the other file that need a counterpart, ascending.
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
    /** The only one of nodes that has the same names above it; -1 for none, or several. */
    const onlyOf = (node: number, found: readonly number[]): number => {
        if (found.length === 1) return found[0]!;
        let known = byPath.get(found);
        if (known === undefined) {
            known = new Map();
            for (const other of found) known.set(paths[other]!, known.has(paths[other]!) ? -1 : other);
            byPath.set(found, known);
        }
        return known.get(otherPaths[node]!) ?? -1;
    };
    const claim = (node: number, found: readonly number[]) => {
        const same = found.length === 0 ? -1 : onlyOf(node, found);
        if (found.length === 0) missing.push(node);
        else if (same >= 0) {
            if (claims.has(same)) claims.get(same)!.push(node);
            else claims.set(same, [node]);
        } else if (tooMany.has(found)) tooMany.get(found)!.push(node);
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
    // A name in another namespace counts only where no node has it as it is.
    const taken = new Set(claims.keys());
    const free = new Map<string, readonly number[]>();
    for (const node of rest) {
        const name = namespace === null ? '' : renamedBy(renamed.get(node)!, [starred(namespace)]);
        if (!free.has(name)) {
            free.set(
                name,
                known(name).filter((other) => !taken.has(other)),
            );
        }
        claim(node, free.get(name)!);
    }
    const matched = new Map<number, number>();
    for (const [node, from] of claims) {
        if (from.length === 1) matched.set(from[0]!, node);
        else ambiguous.push({ from, to: [node] });
    }
    return { nodes: matched, missing, ambiguous, namespace };
}

/**
 * The counterparts of all nodes, moved or not: what a skeleton is like does not depend on what a clip does with it.
 *
 * @param moved What was found for nodes that are moved: it counts first.
 */
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
    for (const [index, { name }] of nodes.entries()) {
        const same = byName.get(name);
        if (same === undefined) byName.set(name, [index]);
        else same.push(index);
    }
    return byName;
}

/** The first rename that fits decides. */
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

/** `rig:` of `rig:Hips`. */
function spaceOf(name: string): string {
    return name.slice(0, Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1);
}

/** The pair of namespaces by which most of the names would have a counterpart; the first of equals. */
function namespaceOf(byName: ReadonlyMap<string, unknown>, names: readonly string[]): Rename | null {
    if (names.length === 0) return null;
    const numbers = new Map<string, number>();
    const spaces = new Map<string, number[]>();
    for (const name of byName.keys()) {
        const space = spaceOf(name);
        if (!numbers.has(space)) numbers.set(space, numbers.size);
        const bare = name.slice(space.length);
        const same = spaces.get(bare);
        if (same === undefined) spaces.set(bare, [numbers.get(space)!]);
        else same.push(numbers.get(space)!);
    }
    /** By namespace: its names without it, with the number and the first place of each. */
    const groups = new Map<string, Map<string, { count: number; readonly first: number }>>();
    for (const [index, name] of names.entries()) {
        const from = spaceOf(name);
        const bare = name.slice(from.length);
        if (!spaces.has(bare)) continue;
        const group = groups.get(from) ?? new Map();
        groups.set(from, group);
        const same = group.get(bare);
        if (same === undefined) group.set(bare, { count: 1, first: index });
        else same.count++;
    }
    // The largest group first: a smaller one than the best pair has no better pair.
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

/**
 * Returns a function that numbers the names above each node, from its parent to the root. Nodes have the same number where these names
 * are the same, also nodes of two files.
 */
function numberPaths(): (nodes: readonly NamedNode[]) => Int32Array {
    const children: Map<string, number>[] = [new Map()];
    const below = (path: number, name: string): number => {
        const known = children[path]!.get(name);
        if (known !== undefined) return known;
        children[path]!.set(name, children.length);
        return children.push(new Map()) - 1;
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
