// SPDX-License-Identifier: MIT

import { rigOfSkin } from '../../lib/rig/skin';
import { buildSlots } from '../../lib/rig/slots';
import { random as randomOf } from '../support/random';
import { node, scene, skin } from './scenes';

describe('buildSlots', () => {
    test('takes the joints and all that is above them, and nothing else', () => {
        //  0 - 1 - 2 (joint)     5 (joint)
        //    - 3 - 4
        const { nodes, slotOfNode } = buildSlots([node(-1), node(0), node(1), node(0), node(3), node(-1)], [2, 5]);
        expect([...nodes].sort()).toEqual([0, 1, 2, 5]);
        expect(slotOfNode[3]).toBe(-1);
        expect(slotOfNode[4]).toBe(-1);
    });

    test('sorts by depth and then by node index, whatever the order of the joints', () => {
        const nodes = [node(3), node(3), node(4), node(-1), node(0), node(-1)];
        const expected = [3, 5, 0, 1, 4, 2];
        expect([...buildSlots(nodes, [2, 1, 5]).nodes]).toEqual(expected);
        expect([...buildSlots(nodes, [5, 1, 2, 4, 2]).nodes]).toEqual(expected);
    });

    test('parents come before children and are the right ones, in random forests', () => {
        const random = randomOf(1);
        for (let round = 0; round < 200; round++) {
            const count = 1 + Math.floor(random() * 40);
            // A random forest under a random numbering, so that parents may have greater indices.
            const numbers = Array.from({ length: count }, (_, i) => i);
            for (let i = count - 1; i > 0; i--) {
                const j = Math.floor(random() * (i + 1));
                [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!];
            }
            const parentOf: number[] = [];
            numbers.forEach((number, i) => {
                parentOf[number] = i > 0 && random() < 0.9 ? numbers[Math.floor(random() * i)]! : -1;
            });
            const joints = numbers.filter(() => random() < 0.3);
            const { nodes, parents } = buildSlots(
                parentOf.map((parent) => node(parent)),
                joints,
            );
            for (const joint of joints) expect(nodes).toContain(joint);
            nodes.forEach((index, slot) => {
                expect(parents[slot]).toBeLessThan(slot);
                expect(parents[slot]! < 0 ? -1 : nodes[parents[slot]!]).toBe(parentOf[index]);
            });
        }
    });

    test('a chain of a million nodes needs no recursion', () => {
        const one = node(-1);
        const chain = Array.from({ length: 1_000_000 }, (_, i) => ({ ...one, parent: i - 1 }));
        const { nodes, parents } = buildSlots(chain, [999_999]);
        expect(nodes.length).toBe(1_000_000);
        expect(parents[999_999]).toBe(999_998);
    });

    test('a cycle is an error, not an endless loop', () => {
        expect(() => buildSlots([node(1), node(2), node(1)], [0])).toThrow(RangeError);
    });

    test('a matrix is kept as it is, row-major; its slot has the identity for TRS', () => {
        const matrix = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1];
        const slots = buildSlots([node(-1, { translation: [1, 2, 3] }), node(0, { matrix })], [1]);
        expect([...slots.matrixSlots]).toEqual([1]);
        expect([...slots.matrices]).toEqual([1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12]);
        expect([...slots.restQuats]).toEqual([0, 0, 0, 1, 1, 2, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
        expect([...slots.restScales]).toEqual([1, 1, 1, 1, 1, 1]);
    });
});

describe('rigOfSkin', () => {
    test('the parent of a joint is the nearest joint above it, past nodes that are none', () => {
        // 0 (joint) - 1 - 2 (joint) - 3 (joint); 4 - 5 (joint)
        const nodes = [node(-1), node(0), node(1), node(2), node(-1), node(4)];
        const rig = rigOfSkin(scene(nodes, [skin([3, 5, 0, 2])], []), 0);
        expect([...rig.jointNodes]).toEqual([3, 5, 0, 2]);
        expect([...rig.jointParents]).toEqual([3, -1, -1, 2]);
    });

    test('inverse bind matrices are turned row-major, joint by joint', () => {
        const columns = Array.from({ length: 32 }, (_, i) => (i % 16 === 15 ? 1 : i % 4 === 3 ? 0 : i));
        const rig = rigOfSkin(scene([node(-1), node(0)], [skin([1, 0], columns)], []), 0);
        expect([...rig.inverseBinds.subarray(0, 12)]).toEqual([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14]);
        expect([...rig.inverseBinds.subarray(12)]).toEqual([16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30]);
    });
});
