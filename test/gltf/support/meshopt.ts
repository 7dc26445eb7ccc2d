// SPDX-License-Identifier: MIT

import { onceFor } from '../../support/once';
import { outputOfNode } from '../../support/processes';
import { asBytes, type GltfBuilder, type LooseJson, type Numbers } from './builder';

// meshoptimizer's encoder is an ES module, which jest does not load; Node does.
const SCRIPT = `
import { MeshoptEncoder as encoder } from 'meshoptimizer';
await encoder.ready;
const { data, count, stride, mode, filter, version } = JSON.parse(process.argv[1]);
const floats = () => new Float32Array(new Uint8Array(data).buffer);
const source = {
    NONE: () => new Uint8Array(data),
    QUATERNION: () => encoder.encodeFilterQuat(floats(), count, stride, 16),
}[filter]();
process.stdout.write(Buffer.from(encoder.encodeGltfBuffer(source, count, stride, mode, version)).toString('base64'));
`;

export interface MeshoptOptions {
    readonly extension?: 'EXT_meshopt_compression' | 'KHR_meshopt_compression';
    readonly count: number;
    readonly stride: number;
    readonly filter?: 'NONE' | 'QUATERNION';
}

const encode = onceFor((input: string) =>
    Buffer.from(outputOfNode(['--input-type=module', '-e', SCRIPT, '--', input]), 'base64'),
);

/** A compressed buffer view; its parent refers to a fallback buffer without data. */
export function compressedView(builder: GltfBuilder, data: Numbers, options: MeshoptOptions): number {
    const { extension = 'EXT_meshopt_compression', count, stride, filter = 'NONE' } = options;
    const version = extension === 'KHR_meshopt_compression' ? 1 : 0;
    const input = { data: [...asBytes(data)], count, stride, mode: 'ATTRIBUTES', filter, version };
    const stream = encode(JSON.stringify(input));
    const byteOffset = builder.append(stream);
    const { buffers, bufferViews } = builder.json as LooseJson;
    if (buffers.length === 1) buffers.push({ byteLength: 1, extensions: { [extension]: { fallback: true } } });
    const byteLength = count * stride;
    const compressed = { buffer: 0, byteOffset, byteLength: stream.length, byteStride: stride, count, filter };
    const extensions = { [extension]: { ...compressed, mode: 'ATTRIBUTES' } };
    builder.json.extensionsUsed = builder.json.extensionsRequired = [extension];
    return bufferViews.push({ buffer: 1, byteLength, extensions }) - 1;
}
