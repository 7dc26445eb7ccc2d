// SPDX-License-Identifier: MIT

import { extensionOf, type JsonObject, objectAt } from '../json';
import { invalid, type Report } from '../reading';
import { type AccessorInfo, type AccessorTable, BYTE, expectFormat, FLOAT, type Format, SHORT } from './accessors';

export const INSTANCING = 'EXT_mesh_gpu_instancing';

/** The accessors of a mesh's instances, each in its node's space; null for a property that they do not set. */
export interface CheckedInstances {
    readonly pointer: string;
    readonly count: number;
    readonly translation: AccessorInfo | null;
    readonly rotation: AccessorInfo | null;
    readonly scale: AccessorInfo | null;
}

const VECTOR: Format = { type: 'VEC3', componentTypes: [FLOAT], normalized: false };
const ROTATION: Format = { type: 'VEC4', componentTypes: [FLOAT, BYTE, SHORT], normalized: true };

/** @returns Null for a node without instances. */
export function checkInstances(
    node: JsonObject,
    pointer: string,
    accessors: AccessorTable,
    report: Report,
): CheckedInstances | null {
    const extension = extensionOf(node, INSTANCING);
    if (extension === undefined) return null;
    const at = `${pointer}/extensions/${INSTANCING}/attributes`;
    const attributes = objectAt(report, extension.attributes, at);
    let count: number | null = null;
    const read = (name: string, format: Format): AccessorInfo | null => {
        if (attributes[name] === undefined) return null;
        const info = accessors(attributes[name], `${at}/${name}`);
        expectFormat(report, info, format, `${at}/${name}`, INSTANCING);
        count ??= info.count;
        if (info.count !== count)
            invalid(report, `${at}/${name}`, `${info.count} instances, another attribute has ${count} (${INSTANCING})`);
        return info;
    };
    const [translation, rotation, scale] = [
        read('TRANSLATION', VECTOR),
        read('ROTATION', ROTATION),
        read('SCALE', VECTOR),
    ];
    return count === null ? null : { pointer: at, count, translation, rotation, scale };
}
