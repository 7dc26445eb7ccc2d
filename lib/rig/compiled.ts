// SPDX-License-Identifier: MIT

/** The Rig's kernels in the addon and in WebAssembly. */

import type { NativeRig } from '../addon/addon';
import { addon } from '../addon/load';
import { rangeError } from '../base/errors';
import { STRICT_WASM } from '../lists/implementations';
import { strictModule, webassemblyUnavailable } from '../webassembly/module';
import type { RigTables, SlotTables } from './kernels/contract';
import { type NativeKernels, nativePoseKernels, nativeSkinningKernels, type RigImplementation } from './kernels/table';
import { webassemblyRig } from './webassembly';

/** An implementation, or the reason why this machine does not have it. */
export interface CompiledRig {
    readonly name: string;
    readonly implementation: RigImplementation | null;
    readonly reason?: string;
}

/**
 * The implementations of the addon, fastest first, then WebAssembly. The addon has none if it is missing or disabled.
 */
export const compiledRigs: readonly CompiledRig[] = [
    ...(addon?.rigs ?? []).map((rig) =>
        rig.load === undefined
            ? { name: rig.name, implementation: null, reason: rig.unavailable }
            : { name: rig.name, implementation: implementationOf(rig.name, rig.load) },
    ),
    webassemblyUnavailable === undefined
        ? { name: STRICT_WASM, implementation: webassemblyRig(STRICT_WASM, strictModule) }
        : { name: STRICT_WASM, implementation: null, reason: webassemblyUnavailable },
];

function implementationOf(name: string, load: NonNullable<NativeRig['load']>): RigImplementation {
    const loaded = (tables: RigTables) => {
        const select = load(tables);
        if (select === false) throw refusedTables(name, 'tables');
        return (slots: SlotTables) => {
            const kernels = select(slots);
            if (kernels === false) throw refusedTables(name, 'slots');
            return kernels as NativeKernels;
        };
    };
    return {
        name,
        load: (tables) => {
            const select = loaded(tables);
            return { select: (slots) => nativePoseKernels(select(slots)) };
        },
        skinning: {
            // Skinning has its own copy of the tables, with meshes and without clips.
            load: (tables) => {
                const select = loaded({ ...tables, clips: [] });
                return { select: (slots) => nativeSkinningKernels(select(slots)) };
            },
        },
    };
}

function refusedTables(name: string, what: string): Error {
    return rangeError('ERR_RIG_INVALID', `${name}: the ${what} do not fit together, or there is no memory for them`);
}
