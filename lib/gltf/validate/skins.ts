// SPDX-License-Identifier: MIT

import { arrayAt, describe, extrasIn, indexAt, type JsonObject, nameOf, objectAt } from '../json';
import { invalid, type Report } from '../reading';
import { type AccessorInfo, type AccessorTable, expectFormat, FLOAT, warnStrided } from './accessors';

export interface CheckedSkin {
    readonly pointer: string;
    readonly name: string;
    readonly joints: readonly number[];
    readonly inverseBindMatrices: AccessorInfo | null;
    readonly extras?: unknown;
}

/** glTF 2.0, 3.7.3.1. `skeleton` and a common root (3.7.3.2) have no effect on poses and are not checked. */
export function checkSkins(json: JsonObject, accessors: AccessorTable, report: Report): CheckedSkin[] {
    const nodeCount = arrayAt(report, json.nodes, '/nodes').length;
    return arrayAt(report, json.skins, '/skins').map((value, index) => {
        const pointer = `/skins/${index}`;
        const skin = objectAt(report, value, pointer);
        const at = `${pointer}/joints`;
        if (!Array.isArray(skin.joints) || skin.joints.length === 0) {
            invalid(report, at, `must be an array of at least one node, is ${describe(skin.joints)} (3.7.3.1)`);
        }
        const seen = new Map<number, number>();
        const joints = skin.joints.map((entry: unknown, i) => {
            const joint = indexAt(report, entry, nodeCount, `${at}/${i}`, 'nodes');
            const first = seen.get(joint);
            if (first !== undefined) {
                invalid(report, `${at}/${i}`, `node ${joint} is already joint ${first}: joints are unique (5.28.3)`);
            }
            seen.set(joint, i);
            return joint;
        });
        let matrices: AccessorInfo | null = null;
        if (skin.inverseBindMatrices !== undefined) {
            const to = `${pointer}/inverseBindMatrices`;
            matrices = accessors(skin.inverseBindMatrices, to);
            const format = { type: 'MAT4', componentTypes: [FLOAT], normalized: false };
            expectFormat(report, matrices, format, to, '3.7.3.1');
            warnStrided(report, matrices);
            if (matrices.count < joints.length) {
                const rule = `accessor ${matrices.index} has ${matrices.count} matrices for ${joints.length} joints`;
                invalid(report, to, `${rule} (3.7.3.1)`);
            }
        }
        const extras = extrasIn(skin, pointer, report);
        return { pointer, name: nameOf(skin.name), joints, inverseBindMatrices: matrices, ...extras };
    });
}
