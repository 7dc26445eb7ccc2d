// SPDX-License-Identifier: MIT

/** The package with and without its addon, each with a rig, a bake and a Document. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skinnedModel } from '../../gltf/support/builder';
import { PARTS } from '../../support/rig-calls.cjs';
import type { Instance, Poselane } from './exports';

const { withoutAddon } = require('../../support/without-addon.cjs') as {
    withoutAddon(poselane: Poselane, asked: string): string | null;
};

/** A new instance, whose kernels POSELANE_BACKEND selects. */
function load(backend: string): Poselane {
    const before = process.env.POSELANE_BACKEND;
    process.env.POSELANE_BACKEND = backend;
    try {
        let loaded: Poselane | undefined;
        jest.isolateModules(() => {
            loaded = require('../../../lib');
        });
        return loaded!;
    } finally {
        if (before === undefined) delete process.env.POSELANE_BACKEND;
        else process.env.POSELANE_BACKEND = before;
    }
}

async function instanceOf(backend: string, folder: string): Promise<Instance> {
    const poselane = load(backend);
    const own = join(folder, backend || 'native');
    mkdirSync(own);
    const file = join(own, 'model.glb');
    writeFileSync(file, skinnedModel().toGlb());
    const result = await poselane.bakeFile(file, { fps: 5, emit: ['palette', 'bounds', 'root'] });
    const [written] = await poselane.writeBake(result, own);
    const [output] = result.outputs;
    await poselane.writeBake(await poselane.bakeFile(file, { emit: ['openvat'] }), own);
    const { WebIO } = await import('@gltf-transform/core');
    return {
        poselane,
        rig: poselane.Rig.create(PARTS as never),
        otherRig: poselane.Rig.create(PARTS as never),
        table: poselane.BakedTable.open(output!.json, output!.bin),
        bakes: { file, json: written!.json, vat: join(own, 'model_vat/model-remap_info.json'), folder: own },
        document: await new WebIO().readBinary(skinnedModel().toGlb()),
        bake: result,
        bin: output!.bin,
        bytes: skinnedModel().toGlb(),
    };
}

/**
 * `native` is the same as `fallback` only where tests of the addon are skipped, too.
 *
 * @throws Error where the addon could be there and is not.
 */
export async function loadInstances(folder: string): Promise<{ native: Instance; fallback: Instance }> {
    const native = await instanceOf('', folder);
    withoutAddon(native.poselane, '');
    return { native, fallback: await instanceOf('ts', folder) };
}
