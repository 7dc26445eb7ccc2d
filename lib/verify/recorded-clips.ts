// SPDX-License-Identifier: MIT

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError, namingOptions, UsageError } from '../base/errors';
import type { ClipOptions } from '../clips/options';
import type { Manifest, ManifestClipFile } from '../format/manifest';

type RecordedOption = 'rename' | 'unmatched' | 'retarget' | 'feet' | 'travel' | 'roles';

/** The part of a manifest that records how clips of other files were taken. */
interface Recorded {
    readonly source: Manifest['source'];
    readonly recipe: Partial<Pick<Manifest['recipe'], RecordedOption>>;
}

/**
 * The options by which a bake took clips of other files.
 *
 * @param input Path of the baked input. The other files are expected beside it.
 * @param given Paths of the other files, in any order, if they are elsewhere.
 * @throws InputError `FILE_UNREADABLE` for a missing file; UsageError for files that the bake does not use.
 */
export function recordedClips(
    { source, recipe }: Recorded,
    input: string,
    given?: readonly string[],
): ClipOptions<string> {
    const { animations = [] } = source;
    if (animations.length === 0) {
        if (given === undefined) return {};
        throw namingOptions((name) => new UsageError(`${name('animations')}: the bake has no clips of other files`));
    }
    const { rename, unmatched, retarget, feet, travel, roles } = recipe;
    const paths = given ?? animations.map(({ name }) => join(dirname(input), basename(name)));
    const absent = given === undefined ? paths.find((path) => !existsSync(path)) : undefined;
    if (absent !== undefined) {
        throw namingOptions((name) => {
            const rule = `the bake has clips of this file, which is not beside '${input}': name it by ${name('animations')}`;
            return new InputError('FILE_UNREADABLE', absent, '', rule);
        });
    }
    return { animations: paths, rename, unmatched, retarget, feet, travel, roles };
}

/** The files in the order of a manifest; null for an entry that no file matches unchanged. */
export function inRecordedOrder<File>(
    files: readonly File[],
    shaOf: (file: File) => string,
    { animations = [] }: { readonly animations?: readonly ManifestClipFile[] },
): (File | null)[] {
    return animations.map(({ sha256 }) => files.find((file) => shaOf(file) === sha256) ?? null);
}
