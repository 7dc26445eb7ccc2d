// SPDX-License-Identifier: MIT

import { describe, wrongType } from '../../base/arguments';
import { typeError } from '../../base/errors';

/** The lists of a Document's root that are read, and the methods that their members need. */
const READ: Readonly<Record<string, readonly string[]>> = {
    listNodes: [
        'getName',
        'getParentNode',
        'getTranslation',
        'getRotation',
        'getScale',
        'getWeights',
        'getMesh',
        'getSkin',
        'getExtension',
    ],
    listMeshes: ['getWeights', 'listPrimitives'],
    listSkins: ['getName', 'listJoints', 'getInverseBindMatrices'],
    listAnimations: ['getName', 'listChannels'],
};

/**
 * Throws unless `document` looks like a Document of glTF-Transform. It can come from any version of the library, so its
 * class is not checked.
 *
 * @param methods Methods of the Document that are needed besides `getRoot`.
 * @throws TypeError `ERR_ARGUMENT_TYPE`.
 */
export function checkDocument(routine: string, document: unknown, methods: readonly string[]): void {
    const needs = 'a glTF-Transform Document';
    if (missingOf(document, ['getRoot', ...methods]) !== null) throw wrongType(routine, 'document', needs, document);
    const refuse = (what: string): never => {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: document must be ${needs}: ${what}`);
    };
    const root = (document as { getRoot(): unknown }).getRoot();
    const missing = missingOf(root, Object.keys(READ));
    if (missing !== null) refuse(`its root has no ${missing}()`);
    for (const [name, wanted] of Object.entries(READ)) {
        const list = (root as Record<string, () => unknown>)[name]!();
        if (!Array.isArray(list)) refuse(`${name}() of its root gives ${describe(list)}, not a list`);
        for (const [index, member] of (list as unknown[]).entries()) {
            const lacking = missingOf(member, wanted);
            if (lacking !== null) refuse(`${name}()[${index}] of its root has no ${lacking}()`);
        }
    }
}

/** The first method that a value does not have; null if it has all. */
function missingOf(value: unknown, methods: readonly string[]): string | null {
    const owner = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    return methods.find((name) => typeof owner[name] !== 'function') ?? null;
}
