// SPDX-License-Identifier: MIT

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GltfBuilder, skinnedModel } from '../../gltf/support/builder';
import { type Patch, patched } from '../../gltf/support/faults';

/** A file that must be rejected, and the error's text besides the file's name. */
export interface TortureFault {
    /** The title of a test. */
    readonly about: string;
    readonly code: string;
    readonly pointer: string;
    readonly rule: RegExp;
    write(folder: string): string;
}

function fault(about: string, patch: Patch, pointer: string, rule: RegExp, code = 'GLTF_INVALID'): TortureFault {
    return {
        about,
        code,
        pointer,
        rule,
        write(folder) {
            const path = join(folder, `fault ${about}.glb`);
            writeFileSync(path, patched(skinnedModel(), patch).toGlb());
            return path;
        },
    };
}

const input = '/animations/0/samplers/0/input';
const times = (...list: number[]): Patch => ({
    [input]: (model: GltfBuilder) => model.accessor(Float32Array.from(list), 'SCALAR'),
});

export const FAULTS: readonly TortureFault[] = [
    fault('cycles in the hierarchy', { '/nodes/2/children': [0] }, '/nodes/2/children/0', /own ancestor/),
    fault(
        'two parents',
        { '/nodes/3/children': [2] },
        '/nodes/3/children/0',
        /already a child of node 1: one parent at most/,
    ),
    fault(
        'channel without sampler',
        { '/animations/0/channels/0/sampler': 2 },
        '/animations/0/channels/0/sampler',
        /index into .*samplers/,
    ),
    fault(
        'counts past the buffer',
        { '/accessors/3/count': 1e6 },
        '/accessors/3/count',
        /ends at byte 16000000 of buffer view 3, which has 48/,
    ),
    fault('NaN keys', times(0, Number.NaN, 1), input, /is NaN/),
    fault('unsorted keys', times(0, 1, 0.5), input, /times must increase/),
    fault(
        'missing external buffers',
        { '/buffers/0/uri': 'absent.bin' },
        '/buffers/0/uri',
        /cannot read "absent.bin"/,
        'FILE_UNREADABLE',
    ),
    fault(
        '`joints` out of range',
        { '/skins/0/joints/1': 17 },
        '/skins/0/joints/1',
        /index into nodes, which has 4, is 17/,
    ),
];
