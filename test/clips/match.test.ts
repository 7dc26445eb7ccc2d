// SPDX-License-Identifier: MIT

/** Nodes of two files are matched only by name. */

import { matchNodes, type NamedNode, type Rename } from '../../lib/clips/match';
import { random } from '../support/random';

/** `'Hips'` is a root; `'Hips>Spine'` is a child of the last node with that name. */
function nodes(...paths: string[]): NamedNode[] {
    const list: NamedNode[] = [];
    for (const path of paths) {
        const [above, name] = path.includes('>') ? path.split('>') : [null, path];
        list.push({ name: name!, parent: above === null ? -1 : list.findLastIndex((node) => node.name === above) });
    }
    return list;
}

function match(here: NamedNode[], there: NamedNode[], renames: Rename[] = [], moved = [...there.keys()]) {
    const { nodes: matched, missing, ambiguous, namespace } = matchNodes(here, there, moved, renames);
    return { pairs: Object.fromEntries(matched), missing, ambiguous, namespace };
}

const NOTHING: ReturnType<typeof match> = { pairs: {}, missing: [], ambiguous: [], namespace: null };

const HEADS = ['Root', 'Root>Head', 'Head>Head'];
const OWN = ['constructor', '__proto__', 'toString'];

test.each<[title: string, here: string[], there: string[], expected: Partial<typeof NOTHING>, renames?: Rename[]]>([
    [
        'exactly the same name',
        ['Hips', 'Spine', 'é'],
        ['Spine', 'hips', 'Hips', 'e\u0301'],
        { pairs: { 0: 1, 2: 0 }, missing: [1, 3] },
    ],
    ['nodes without a name never match', ['', 'a'], ['', 'a'], { pairs: { 1: 1 }, missing: [0] }],
    ['LeftArm is not RightArm', ['RightArm', 'RightLeg'], ['LeftArm', 'LeftLeg'], { missing: [0, 1] }],
    [
        'a rename comes before the name, for a whole name or a prefix',
        ['pelvis', 'Spine', 'Hips'],
        ['mixamorigHips', 'mixamorigSpine'],
        { pairs: { 0: 0, 1: 1 } },
        [
            ['mixamorigHips', 'pelvis'],
            ['mixamorig*', '*'],
        ],
    ],
    ['several with the name: the one with the same names above it', HEADS, HEADS, { pairs: { 0: 0, 1: 1, 2: 2 } }],
    ['several with the name, none above it', HEADS, ['Head'], { ambiguous: [{ from: [0], to: [1, 2] }] }],
    [
        'several that would match the same node',
        ['Hips'],
        ['Hips', 'b'],
        { ambiguous: [{ from: [0, 1], to: [0] }] },
        [['b', 'Hips']],
    ],
    ['names of inherited members', OWN, OWN, { pairs: { 0: 0, 1: 1, 2: 2 } }],
])('%s', (_, here, there, expected, ...[renames]) => {
    expect(match(nodes(...here), nodes(...there), renames)).toEqual({ ...NOTHING, ...expected });
});

test('a name in another namespace matches if no node has exactly that name', () => {
    const found = match(nodes('Hips', 'Spine'), nodes('a:Hips', 'Hips', 'a:Spine'));
    expect(found).toEqual({ ...NOTHING, pairs: { 1: 0, 2: 1 }, missing: [0], namespace: ['a:', ''] });
});

test('nodes that do not move need no match, and cause no ambiguity', () => {
    const found = match(nodes('Hips'), nodes('Hips', 'Hips', 'Hat'), [], [1]);
    expect(found).toEqual({ ...NOTHING, pairs: { 1: 0 } });
});

/** Nodes with a few names and namespaces; each is a root or a child of an earlier one. */
function randomNodes(next: () => number, count: number): NamedNode[] {
    return Array.from({ length: count }, (_, i) => ({
        name: `${['', '', 'a:', 'b:', 'c|'][Math.floor(next() * 5)]}${['', 'x', 'y', 'z'][Math.floor(next() * 4)]}`,
        parent: Math.floor(next() * (i + 1)) - 1,
    }));
}

/** The definition: the list of names from the root for each node, with each pair of namespaces counted separately. */
function matchByDefinition(here: NamedNode[], there: NamedNode[]) {
    const above = (list: NamedNode[], node: number): string[] =>
        list[node]!.parent < 0 ? [] : [...above(list, list[node]!.parent), list[list[node]!.parent]!.name];
    const called = (name: string) => [...here.keys()].filter((node) => name !== '' && here[node]!.name === name);
    const split = (name: string) =>
        /^(.*[:|])?(.*)$/
            .exec(name)!
            .slice(1)
            .map((part = '') => part);
    const names = there.map(({ name }) => name).filter((name) => called(name).length === 0);
    const pairs = new Map<string, number>();
    for (const name of names) {
        const [space, bare] = split(name);
        for (const other of new Set(here.map((node) => node.name))) {
            if (split(other)[1] !== bare || split(other)[0] === space) continue;
            const pair = JSON.stringify([space, split(other)[0]]);
            pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
        }
    }
    const most = Math.max(0, ...pairs.values());
    const namespace: Rename | null = most === 0 ? null : JSON.parse([...pairs].find(([, count]) => count === most)![0]);
    const closest = (node: number, found: number[]) =>
        found.length < 2
            ? found
            : found.filter((other) => JSON.stringify(above(here, other)) === JSON.stringify(above(there, node)));
    const exact = [...there.keys()].filter((node) => called(there[node]!.name).length > 0);
    const first = exact.map((node) => closest(node, called(there[node]!.name)));
    const taken = new Set(first.flatMap((same) => (same.length === 1 ? same : [])));
    const claims = new Map(exact.map((node, i) => [node, first[i]!]));
    for (const [node, { name }] of there.entries()) {
        if (claims.has(node) || namespace === null || !name.startsWith(namespace[0])) continue;
        const found = called(namespace[1] + name.slice(namespace[0].length)).filter((other) => !taken.has(other));
        claims.set(node, closest(node, found));
    }
    const single = [...claims].filter(([, same]) => same.length === 1).map(([node, [same]]) => [node, same!] as const);
    const only = single.filter(([, same]) => single.filter((other) => other[1] === same).length === 1);
    return { pairs: Object.fromEntries(only), namespace };
}

test('random files: the matches of the definition', () => {
    for (let seed = 1; seed <= 300; seed++) {
        const next = random(seed);
        const [here, there] = [randomNodes(next, 1 + 40 * next()), randomNodes(next, 1 + 40 * next())];
        const { pairs, namespace } = match(here, there);
        expect({ pairs, namespace }).toEqual(matchByDefinition(here, there));
    }
});

test.each([65, 200])('%d nodes in a chain have one name: the names above identify them', (count) => {
    const chain = Array.from({ length: count }, (_, i) => ({ name: 'Bone', parent: i - 1 }));
    expect(match(chain, chain)).toEqual({ ...NOTHING, pairs: Object.fromEntries(chain.map((_, i) => [i, i])) });
});

test('many siblings with one name: one entry for all candidates', () => {
    const same = Array.from({ length: 70 }, () => ({ name: 'Bone', parent: -1 }));
    const all = [...same.keys()];
    expect(match(same, same)).toEqual({ ...NOTHING, ambiguous: [{ from: all, to: all }] });
});

/** Number of property reads of nodes in a match. */
function readsOf(count: number, nodeAt: (i: number) => NamedNode): number {
    let reads = 0;
    const counted = Array.from({ length: count }, (_, i): NamedNode => {
        const { name, parent } = nodeAt(i);
        return {
            get name() {
                reads++;
                return name;
            },
            get parent() {
                reads++;
                return parent;
            },
        };
    });
    matchNodes(counted, counted, [...counted.keys()], [['old:*', 'new:*']]);
    return reads;
}

test.each<[string, (i: number, count: number) => NamedNode]>([
    ['a chain in which 64 nodes share each name', (i, n) => ({ name: `bone${i % Math.ceil(n / 64)}`, parent: i - 1 })],
    ['a chain with one name', (i) => ({ name: 'bone', parent: i - 1 })],
    ['siblings with one name', (i) => ({ name: 'bone', parent: i === 0 ? -1 : 0 })],
    ['a chain of nodes without names', (i) => ({ name: '', parent: i - 1 })],
    ['a chain stored from its end', (i, n) => ({ name: `bone${i % 16}`, parent: i + 1 < n ? i + 1 : -1 })],
])('4 times the nodes take about 4 times the work: %s', (_, nodeAt) => {
    const [few, many] = [512, 2048].map((count) => readsOf(count, (i) => nodeAt(i, count)));
    expect(many).toBeLessThan(5 * few!);
});
