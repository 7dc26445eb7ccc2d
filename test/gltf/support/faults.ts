// SPDX-License-Identifier: MIT

import type { Resolve } from '../../../lib/gltf/buffers';
import { readGltfBytes } from '../../../lib/gltf/read';
import type { GltfScene } from '../../../lib/gltf/scene';
import { type GltfBuilder, skinnedModel } from './builder';

export { readGltf } from '../../../lib/gltf/read';
export const NAME = 'model.glb';

export const read = (bytes: Uint8Array, resolve?: Resolve): Promise<GltfScene> =>
    readGltfBytes(bytes, resolve === undefined ? { name: NAME } : { name: NAME, resolve });

/** All expected properties of an InputError, including its place. */
interface Refusal {
    readonly code: string;
    readonly pointer: string;
    readonly rule: RegExp;
}

/** The bytes must be rejected with this code and pointer, a message that contains `rule`, and the file's name. */
export async function expectFault(bytes: Uint8Array, fault: Refusal, resolve?: Resolve): Promise<void> {
    const { code, pointer, rule } = fault;
    await expect(read(bytes, resolve)).rejects.toMatchObject({
        name: 'InputError',
        file: NAME,
        code,
        pointer,
        rule: expect.stringMatching(rule),
    });
}

/** The model must be rejected as `GLTF_INVALID`. */
export const expectInvalid = (model: GltfBuilder, pointer: string, rule: RegExp) =>
    expectFault(model.toGlb(), { code: 'GLTF_INVALID', pointer, rule });

/** New values by JSON pointer: undefined removes one, a function calculates it from the model. Or any other change. */
export type Patch = Readonly<Record<string, unknown>> | ((model: GltfBuilder) => void);

export function patched(model: GltfBuilder, patch: Patch): GltfBuilder {
    if (typeof patch === 'function') patch(model);
    else {
        for (const [pointer, value] of Object.entries(patch)) {
            const keys = pointer.split('/').slice(1);
            const last = keys.pop()!;
            let parent = model.json;
            for (const key of keys) parent = parent[key];
            parent[last] = typeof value === 'function' ? value(model) : value;
        }
    }
    return model;
}

/** A change that must be rejected. By default the fault is `at` the first pointer of the patch. */
export type Fault = readonly [patch: Patch, rule: RegExp, at?: string];

/** One test for each change of a model. All are `GLTF_INVALID`. */
export function testFaults(faults: readonly Fault[], base: () => GltfBuilder = skinnedModel): void {
    for (const [patch, rule, at = Object.keys(patch)[0]!] of faults) {
        test(`rejects ${at}: ${rule}`, () => expectInvalid(patched(base(), patch), at, rule));
    }
}

/** The codes and pointers of warnings. */
export const listed = ({ warnings }: Pick<GltfScene, 'warnings'>) =>
    warnings.map(({ code, pointer }) => [code, pointer] as const);

/** The warnings of a changed model. */
export const warningsAfter = async (patch: Patch) => listed(await read(patched(skinnedModel(), patch).toGlb()));

/** One test for each change of a model that is still read, with these warnings. */
export function testWarnings(cases: readonly (readonly [title: string, Patch, ...(readonly [string, string][])])[]) {
    for (const [title, patch, ...warnings] of cases) {
        test(title, async () => expect(await warningsAfter(patch)).toEqual(warnings));
    }
}
