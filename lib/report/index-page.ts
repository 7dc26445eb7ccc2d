// SPDX-License-Identifier: MIT

import type { IndexData, IndexEntry } from './data';
import { emptyPage } from './html';
import { fillPage, jsonOf } from './pack';

/**
 * The index of a batch: one HTML file that loads nothing else and links to the pages.
 *
 * @param poselane Version of poselane.
 */
export function indexHtml(poselane: string, entries: readonly IndexEntry[]): string {
    const failed = entries.filter(({ failure }) => failure !== null).length;
    const count = `${entries.length} file${entries.length === 1 ? '' : 's'}`;
    const title = failed === 0 ? `${count} baked` : `${count}, ${failed} not baked`;
    const data: IndexData = { poselane, title, entries };
    return fillPage(emptyPage('index-page'), title, jsonOf(data, []), []);
}
