// SPDX-License-Identifier: MIT

import { readFileSync, writeFileSync } from 'node:fs';
import { GltfBuilder } from '../gltf-builder';
import { moved } from './scene';

/** A file that has to be refused, with what the error has to say besides the file's name. */
export interface TortureFault {
    /** As in the row "malformed input" of the table. */
    readonly about: string;
    readonly code: string;
    readonly pointer: string;
    readonly rule: RegExp;
    write(folder: string): string;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that is to be broken
type Broken = any;

/** A good file of a root and a joint below it, with a clip, and the change that breaks it. */
function fault(
    about: string,
    pointer: string,
    rule: RegExp,
    edit: (json: Broken) => void,
    { code = 'GLTF_INVALID', times = [0, 1] } = {},
): TortureFault {
    return {
        about,
        code,
        pointer,
        rule,
        write(folder) {
            const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, {}]);
            gltf.skinnedMesh(gltf.skin([0, 1]));
            gltf.animation('clip', [{ ...moved(1, [0, 1, 0], [0, 3, 0]), times }]);
            const path = gltf.write(folder, `fault ${about}`);
            const json = JSON.parse(readFileSync(path, 'utf8'));
            edit(json);
            writeFileSync(path, JSON.stringify(json));
            return path;
        },
    };
}

/** JSON has no NaN for the bounds. */
const withoutBounds = ({ accessors }: Broken) => {
    for (const accessor of accessors) delete accessor.min;
    for (const accessor of accessors) delete accessor.max;
};

export const FAULTS: readonly TortureFault[] = [
    fault('cycles in the hierarchy', '/nodes/1/children/0', /own ancestor/, ({ nodes }) => {
        nodes[1].children = [0];
    }),
    fault('two parents', '/nodes/2/children/0', /already a child of node 0: one parent at most/, ({ nodes }) => {
        nodes[2].children = [1];
    }),
    fault('channel without sampler', '/animations/0/channels/0/sampler', /index into .*samplers/, ({ animations }) => {
        animations[0].channels[0].sampler = 1;
    }),
    fault(
        'counts past the buffer',
        '/accessors/3/count',
        /ends at byte 4000000 of buffer view 3, which has 8/,
        ({ accessors }) => {
            accessors[3].count = 1e6;
        },
    ),
    fault('NaN keys', '/animations/0/samplers/0/input', /is NaN/, withoutBounds, { times: [0, Number.NaN] }),
    fault('unsorted keys', '/animations/0/samplers/0/input', /times must increase/, () => {}, { times: [1, 0.5] }),
    fault(
        'missing external buffers',
        '/buffers/0/uri',
        /cannot read "absent.bin"/,
        ({ buffers }) => {
            buffers[0].uri = 'absent.bin';
        },
        { code: 'FILE_UNREADABLE' },
    ),
    fault('`joints` out of range', '/skins/0/joints/1', /index into nodes, which has 4, is 17/, ({ skins }) => {
        skins[0].joints[1] = 17;
    }),
];
