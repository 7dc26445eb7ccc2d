// SPDX-License-Identifier: MIT

import { type BufferData, loadBuffers, storedBytes } from './buffers';
import { openContainer } from './container';
import { accessorsOfFaultyClips } from './faulty-clips';
import type { InputFiles } from './input';
import { arrayAt, type JsonObject } from './json';
import { catching, createReport, type Report } from './reading';
import { type AccessorInfo, createAccessorTable } from './validate/accessors';
import { FileClaims } from './validate/claims';
import { createViewTable } from './validate/views';

/** A file that will be written again. All its accessors are read, not only those that poses depend on. */
export interface WholeFile {
    readonly json: JsonObject;
    readonly buffers: readonly BufferData[];
    /** In file order, without faulty ones that only faulty clips use. */
    readonly accessors: readonly AccessorInfo[];
    readonly report: Report;
}

/**
 * Reads a file that `readGltf` has accepted again.
 *
 * @param faulty Clips with a fault. Their accessors can be faulty too.
 * @throws InputError `GLTF_INVALID` for a faulty accessor that no pose depends on and that was not checked before.
 */
export async function readWhole(
    { file, load, resolve }: InputFiles,
    faulty: ReadonlySet<number> = new Set(),
): Promise<WholeFile> {
    const report = createReport(file);
    const { json, bin } = await openContainer(load, report);
    const buffers = await loadBuffers(json, bin, resolve, report);
    for (const list of ['extensionsUsed', 'extensionsRequired']) arrayAt(report, json[list], `/${list}`);
    const claims = new FileClaims(storedBytes(buffers), report);
    const table = createAccessorTable(json, createViewTable(json, buffers, claims, report), claims, report);
    const indices = arrayAt(report, json.accessors, '/accessors').keys();
    const loose = accessorsOfFaultyClips(json, faulty);
    const accessors = Array.from(indices).flatMap((index): AccessorInfo | AccessorInfo[] => {
        const pointer = `/accessors/${index}`;
        const read = () => table(index, pointer);
        return loose.has(index) ? catching<AccessorInfo | AccessorInfo[]>(report, pointer, read, () => []) : read();
    });
    claims.check();
    return { json, buffers, accessors, report };
}
