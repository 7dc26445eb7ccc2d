// SPDX-License-Identifier: MIT

import type { Resolve } from '../../../lib/gltf/buffers';
import { readGltfBytes } from '../../../lib/gltf/read';
import type { GltfScene } from '../../../lib/gltf/scene';
import { type GltfBuilder, skinnedModel } from './builder';

export { readGltf } from '../../../lib/gltf/read';
export const NAME = 'model.glb';

export const read = (bytes: Uint8Array, resolve?: Resolve): Promise<GltfScene> =>
    readGltfBytes(bytes, resolve === undefined ? { name: NAME } : { name: NAME, resolve });

/** What is expected of an InputError: all of it, so that a message cannot lose its place. */
export interface Fault {
    readonly code: string;
    readonly pointer: string;
    readonly rule: RegExp;
}

/** The bytes must be refused with exactly this code and pointer, a rule that says `rule`, and the file's name. */
export async function expectFault(bytes: Uint8Array, fault: Fault, resolve?: Resolve): Promise<void> {
    const { code, pointer, rule } = fault;
    await expect(read(bytes, resolve)).rejects.toMatchObject({
        name: 'InputError',
        file: NAME,
        code,
        pointer,
        rule: expect.stringMatching(rule),
    });
}

/** The model must be refused as `GLTF_INVALID`. */
export const expectInvalid = (model: GltfBuilder, pointer: string, rule: RegExp) =>
    expectFault(model.toGlb(), { code: 'GLTF_INVALID', pointer, rule });

/** The fault that a change to {@link skinnedModel} must lead to. */
export type Break = readonly [pointer: string, rule: RegExp, change: (model: GltfBuilder) => void];

/** One test for each way to break the model. All are `GLTF_INVALID`. */
export function testFaults(faults: readonly Break[], base: () => GltfBuilder = skinnedModel): void {
    test.each(faults)('refuses %s: %s', async (pointer, rule, change) => {
        const model = base();
        change(model);
        await expectInvalid(model, pointer, rule);
    });
}

/** The warnings of a model that was changed, as [code, pointer] pairs. */
export async function warningsAfter(change: (model: GltfBuilder) => void): Promise<[string, string][]> {
    const model = skinnedModel();
    change(model);
    const { warnings } = await read(model.toGlb());
    return warnings.map(({ code, pointer }) => [code, pointer]);
}
