// SPDX-License-Identifier: MIT

import { basename, dirname } from 'node:path';
import { roughSizeOf, significant } from '../base/messages';
import type { Warning } from '../gltf/scene';
import { escapeHtml } from './pack';

/** A row of an index. */
export interface IndexEntry {
    readonly input: string;
    /** URL of the page, relative to the index; null if there is none. */
    readonly href: string | null;
    /** PNG, base64. */
    readonly thumbnail: string | null;
    readonly clips: number;
    readonly rows: number;
    /** Total bytes of the bake's files. */
    readonly bytes: number;
    /** Maximum over all clips; null if no clip has an error. */
    readonly error: { readonly share: number; readonly distance: number; readonly clip: string } | null;
    readonly warnings: readonly Warning[];
    /** Why there is no bake. */
    readonly failure: string | null;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-top: 1px solid #8884; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
img { display: block; width: 96px; height: 96px; }
ul { margin: 0; padding-left: 1.2rem; }
.name { min-width: 10rem; }
.name, li { overflow-wrap: anywhere; }
small { display: block; font-weight: normal; }
.failure { color: light-dark(#b3261e, #ff8a80); overflow-wrap: anywhere; }
`;

/**
 * The index of a batch: one HTML file that loads nothing else and links to the pages.
 *
 * @param entries In the order in which they are shown.
 */
export function indexHtml(entries: readonly IndexEntry[]): string {
    const failed = entries.filter(({ failure }) => failure !== null).length;
    const count = `${entries.length} file${entries.length === 1 ? '' : 's'}`;
    const title = failed === 0 ? `${count} baked` : `${count}, ${failed} not baked`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<div class="scroll" role="region" aria-label="Bakes" tabindex="0">
<table>
<thead><tr><th scope="col">Picture</th><th scope="col">File</th><th scope="col" class="number">Clips</th>
<th scope="col" class="number">Rows</th><th scope="col" class="number">Size</th><th scope="col">Greatest error</th>
<th scope="col">Warnings</th></tr></thead>
<tbody>
${entries.map(rowOf).join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
}

function rowOf({ input, href, thumbnail, clips, rows, bytes, error, warnings, failure }: IndexEntry): string {
    const [folder, file] = [dirname(input), escapeHtml(basename(input))];
    const link = href === null ? file : `<a href="${escapeHtml(href)}">${file}</a>`;
    const name = folder === '.' ? link : `${link}<small>${escapeHtml(folder)}</small>`;
    const picture = thumbnail === null ? '' : `<img alt="" loading="lazy" src="data:image/png;base64,${thumbnail}">`;
    const cells =
        failure === null
            ? `<td class="number">${clips}</td><td class="number">${rows}</td><td class="number">${roughSizeOf(bytes)}</td>` +
              `<td>${errorText(error)}</td><td>${warningList(warnings)}</td>`
            : `<td colspan="5" class="failure">${escapeHtml(failure)}</td>`;
    return `<tr><td>${picture}</td><th scope="row" class="name">${name}</th>${cells}</tr>`;
}

function errorText(error: IndexEntry['error']): string {
    if (error === null) return '';
    const share = `${significant(error.share * 100, 3)}% of the extent (${significant(error.distance, 3)})`;
    return `${share}${error.share > 0 ? `, ${escapeHtml(error.clip)}` : ''}`;
}

function warningList(warnings: readonly Warning[]): string {
    if (warnings.length === 0) return 'none';
    const items = warnings.map(({ code, message }) => `<li>${escapeHtml(`${code}: ${message}`)}</li>`);
    return `<details><summary>${warnings.length}</summary><ul>${items.join('')}</ul></details>`;
}
