// SPDX-License-Identifier: MIT

/** Nodes of two files are matched by their names, and by nothing else. */

import { matchNodes, type NamedNode, type Rename } from '../../lib/clips/match';

/** `'Hips'` is a root, `'Hips>Spine'` hangs below the last node of that name. */
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
    return { pairs: [...matched].sort(([a], [b]) => a - b), missing, ambiguous, namespace };
}

const NOTHING = { pairs: [], missing: [], ambiguous: [], namespace: null };

test('the same name, to the letter', () => {
    const found = match(nodes('Hips', 'Spine', 'é'), nodes('Spine', 'hips', 'Hips', 'e\u0301'));
    expect(found).toEqual({
        ...NOTHING,
        pairs: [
            [0, 1],
            [2, 0],
        ],
        missing: [1, 3],
    });
});

test('nodes without a name are never the same', () => {
    expect(match(nodes('', 'a'), nodes('', 'a'))).toEqual({ ...NOTHING, pairs: [[1, 1]], missing: [0] });
});

test('nodes that are not moved need no counterpart, and make no name ambiguous', () => {
    const found = match(nodes('Hips'), nodes('Hips', 'Hips', 'Hat'), [], [1]);
    expect(found).toEqual({ ...NOTHING, pairs: [[1, 0]] });
});

test.each<[string, string[], string[], Rename]>([
    ['taken away', ['Hips', 'Spine'], ['mixamorig:Hips', 'mixamorig:Spine'], ['mixamorig:', '']],
    ['put before', ['mixamorig:Hips', 'mixamorig:Spine'], ['Hips', 'Spine'], ['', 'mixamorig:']],
    ['changed', ['b:Hips', 'b:Spine'], ['x|a:Hips', 'x|a:Spine'], ['x|a:', 'b:']],
])('a namespace is %s', (_, here, there, namespace) => {
    expect(match(nodes(...here), nodes(...there))).toEqual({
        ...NOTHING,
        pairs: [
            [0, 0],
            [1, 1],
        ],
        namespace,
    });
});

test('there is one namespace: that by which the most have a counterpart; exact names come first', () => {
    const here = nodes('Hips', 'a:Spine', 'a:Head', 'b:Head', 'b:Tail');
    const found = match(here, nodes('Hips', 'Spine', 'Head', 'Tail'));
    expect(found).toEqual({
        ...NOTHING,
        pairs: [
            [0, 0],
            [1, 1],
            [2, 2],
        ],
        missing: [3],
        namespace: ['', 'a:'],
    });
});

test('a common beginning that is no namespace is nothing: LeftArm is not RightArm', () => {
    expect(match(nodes('RightArm', 'RightLeg'), nodes('LeftArm', 'LeftLeg'))).toEqual({ ...NOTHING, missing: [0, 1] });
});

test('a rename decides before the name does; by a whole name, or by a beginning', () => {
    const renames: Rename[] = [
        ['mixamorigHips', 'pelvis'],
        ['mixamorig*', '*'],
    ];
    const found = match(nodes('pelvis', 'Spine', 'Hips'), nodes('mixamorigHips', 'mixamorigSpine'), renames);
    expect(found).toEqual({
        ...NOTHING,
        pairs: [
            [0, 0],
            [1, 1],
        ],
    });
});

test('of several of a name that with the same names above it', () => {
    const here = nodes('Root', 'Root>Head', 'Head>Head');
    expect(match(here, here)).toEqual({
        ...NOTHING,
        pairs: [
            [0, 0],
            [1, 1],
            [2, 2],
        ],
    });
    const elsewhere = nodes('Head');
    expect(match(here, elsewhere)).toEqual({ ...NOTHING, ambiguous: [{ from: [0], to: [1, 2] }] });
});

test('a name in another namespace counts where no node has it as it is', () => {
    const found = match(nodes('Hips', 'Spine'), nodes('a:Hips', 'Hips', 'a:Spine'));
    expect(found).toEqual({
        ...NOTHING,
        pairs: [
            [1, 0],
            [2, 1],
        ],
        missing: [0],
        namespace: ['a:', ''],
    });
});

test('several that would be the same one', () => {
    const renames: Rename[] = [['b', 'Hips']];
    expect(match(nodes('Hips'), nodes('Hips', 'b'), renames)).toEqual({
        ...NOTHING,
        ambiguous: [{ from: [0, 1], to: [0] }],
    });
});

test('names that objects have of their own', () => {
    const here = nodes('constructor', '__proto__', 'toString');
    expect(match(here, here).pairs).toEqual([
        [0, 0],
        [1, 1],
        [2, 2],
    ]);
});
