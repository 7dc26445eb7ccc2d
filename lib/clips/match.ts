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

/** Of more nodes of one name the way to them is not compared: files may have any number of them. */
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
    const renamed = new Map(moved.map((node) => [node, renamedBy(others[node]!.name, renames)]));
    const known = (name: string) => (name === '' ? [] : (byName.get(name) ?? []));
    const namespace = namespaceOf(
        byName,
        moved.flatMap((node) => (known(renamed.get(node)!).length === 0 ? [renamed.get(node)!] : [])),
    );
    const missing: number[] = [];
    const ambiguous: AmbiguousNodes[] = [];
    const claims = new Map<number, number[]>();
    const claim = (node: number, found: readonly number[]) => {
        const several = found.length > 1 && found.length <= MAX_SAME;
        const same = several ? found.filter((other) => samePath(nodes, other, others, node)) : found;
        if (found.length === 0) missing.push(node);
        else if (same.length !== 1) ambiguous.push({ from: [node], to: found });
        else if (claims.has(same[0]!)) claims.get(same[0]!)!.push(node);
        else claims.set(same[0]!, [node]);
    };
    const rest: number[] = [];
    for (const node of moved) {
        const exact = known(renamed.get(node)!);
        if (exact.length > 0) claim(node, exact);
        else rest.push(node);
    }
    // A name in another namespace counts only where no node has it as it is.
    const taken = new Set(claims.keys());
    for (const node of rest) {
        const found = namespace === null ? [] : known(renamedBy(renamed.get(node)!, [starred(namespace)]));
        claim(
            node,
            found.filter((other) => !taken.has(other)),
        );
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
    const spaces = new Map<string, Set<string>>();
    for (const name of byName.keys()) {
        const space = spaceOf(name);
        const bare = name.slice(space.length);
        spaces.set(bare, (spaces.get(bare) ?? new Set()).add(space));
    }
    const counts = new Map<string, { pair: Rename; count: number }>();
    for (const name of names) {
        const from = spaceOf(name);
        for (const to of spaces.get(name.slice(from.length)) ?? []) {
            if (to === from) continue;
            const key = JSON.stringify([from, to]);
            const counted = counts.get(key) ?? { pair: [from, to], count: 0 };
            counted.count++;
            counts.set(key, counted);
        }
    }
    let best: { pair: Rename; count: number } | null = null;
    for (const one of counts.values()) if (best === null || one.count > best.count) best = one;
    return best?.pair ?? null;
}

/** Whether two nodes have the same names above them. */
function samePath(nodes: readonly NamedNode[], node: number, others: readonly NamedNode[], other: number): boolean {
    let [a, b] = [nodes[node]!.parent, others[other]!.parent];
    while (a >= 0 && b >= 0 && nodes[a]!.name === others[b]!.name) [a, b] = [nodes[a]!.parent, others[b]!.parent];
    return a < 0 && b < 0;
}
