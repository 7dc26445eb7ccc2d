// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../base/errors';
import { stemOf } from '../base/names';
import { LARGE_SHARE, playedShare } from '../format/played-error';
import type { BakeJobResult } from './batch/bake-job';
import { messageOf } from './flags';
import type { Shard } from './inputs';
import { refuseFile, writeWhole } from './output-file';
import type { Target } from './output-folders';
import { packageVersion } from './version';

export interface Pages {
    readonly paths: ReadonlyMap<string, string>;
    /** Null if there is only one page. */
    readonly index: string | null;
}

/**
 * The page of one input is a file, unless the path is a folder or ends in a slash. Several inputs have a folder.
 *
 * @param targets Targets of all shards.
 * @param out Folder of the bakes; null in a dry run.
 * @throws UsageError if the file cannot be written.
 */
export async function pagesOf(
    html: string,
    targets: readonly Target[],
    out: string | null,
    shard: Shard | undefined,
): Promise<Pages> {
    const isFolder = (await stat(html).catch(() => null))?.isDirectory() ?? (html.endsWith('/') || html.endsWith(sep));
    if (targets.length === 1 && !isFolder) {
        await refuseFile('--html', html, out);
        return { paths: new Map([[targets[0]!.path, html]]), index: null };
    }
    // Shards of one batch may share the folder.
    const index = shard === undefined ? 'index.html' : `index.${shard.index}-of-${shard.count}.html`;
    const taken = new Set([index]);
    const paths = targets.map(({ path, below }) => {
        let name = join(below, `${stemOf(basename(path))}.html`);
        // File systems may ignore case.
        while (taken.has(name.toLowerCase())) name = join(below, `_${basename(name)}`);
        taken.add(name.toLowerCase());
        return [path, join(html, name)] as const;
    });
    return { paths: new Map(paths), index: join(html, index) };
}

/** The output files that options name, with the option. @throws UsageError if `--report` is one of the pages. */
export function namedFiles(pages: Pages | null, report: string | undefined): Map<string, string> {
    const named = new Map<string, string>();
    for (const path of pages?.paths.values() ?? []) named.set(path, '--html');
    if (pages?.index) named.set(pages.index, '--html');
    if (report === undefined) return named;
    const name = [...named.keys()].find((path) => resolve(path) === resolve(report));
    if (name !== undefined) throw new UsageError(`--report: '${report}' is a page of --html`);
    return named.set(report, '--report');
}

/** The URL of a page, relative to another one. */
export function relativeUrl(from: string, to: string): string {
    return relative(dirname(from), to).split(sep).map(encodeURIComponent).join('/');
}

/**
 * Writes the index of the pages, with a line for each input.
 *
 * @param results In the order of the inputs; undefined for inputs that did not begin.
 * @param ended The error that ended the command.
 */
export async function writeIndex(
    path: string,
    inputs: readonly string[],
    results: readonly (BakeJobResult | undefined)[],
    ended: unknown,
): Promise<void> {
    // Loaded here: a bake without pages starts faster without it.
    const { indexHtml } = require('../report/index-page') as typeof import('../report/index-page');
    const entries = inputs.map((input, number) => {
        const result = results[number];
        const { outputs = [], files = [], page = null, stats = null, warnings = [] } = result ?? {};
        const failure = result === undefined ? `not begun: ${messageOf(ended)}` : (result.error?.message ?? null);
        const errors = outputs.flatMap((output) => output.errors);
        const fps = errors.flatMap((error) => error.fps ?? []);
        const worst = errors.reduce((a, b) => (playedShare(b) > playedShare(a) ? b : a), errors[0]!);
        const sizes = [
            ...outputs.flatMap((one) => [one.byteLength, one.jsonByteLength]),
            ...files.map((one) => one.byteLength),
        ];
        return {
            input: input.split(sep).join('/'),
            href: page && relativeUrl(path, page.path),
            thumbnail: page?.thumbnail ?? null,
            clips: stats?.clips ?? 0,
            rows: stats?.frames ?? 0,
            fps: fps.length === 0 ? null : ([Math.min(...fps), Math.max(...fps)] as const),
            bytes: sizes.reduce((sum, size) => sum + size, 0),
            error:
                worst === undefined
                    ? null
                    : {
                          share: playedShare(worst),
                          distance: Math.max(worst.maxLerp, worst.maxMorph ?? 0),
                          clip: worst.name,
                      },
            bound: page?.bound ?? LARGE_SHARE,
            warnings,
            failure,
        };
    });
    await writeWhole('--html', path, indexHtml(packageVersion(), entries));
}
