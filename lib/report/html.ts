// SPDX-License-Identifier: MIT

/** Packs a report as one HTML file, which loads nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ReportData } from './data';

/** The page without data, as scripts/build/bundle-report.mjs makes it: from lib/report, dist/report and dist/cli alike. */
const PAGE = join(__dirname, '../../dist/report/page.html');

/**
 * The page of a report: one file that holds everything, script and data, so that it can be mailed and opened from a disk. The same
 * arguments give the same text.
 *
 * @param data What it shows.
 * @param blobs The bytes that `data` refers to, by index.
 * @returns HTML.
 */
export function reportHtml(data: ReportData, blobs: readonly Uint8Array[]): string {
    const [head, body, end] = readFileSync(PAGE, 'utf8').split(/<!--(?:title|data)-->/) as [string, string, string];
    // `<` is what could end the element, or begin a comment in it.
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    const elements = [`<script type="application/json" id="report">${json}</script>`, ...blobs.map(elementOf)];
    return `${head}${escapeHtml(data.title)}${body}${elements.join('\n')}${end}`;
}

/** Bytes as an element that no browser runs: base64, of gzip where that is shorter. */
function elementOf(bytes: Uint8Array, index: number): string {
    const zipped = gzipSync(bytes, { level: 9 });
    const [type, content] =
        zipped.length < bytes.length ? ['application/gzip', zipped] : ['application/octet-stream', bytes];
    const { buffer, byteOffset, byteLength } = content;
    const base64 = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
    return `<script type="${type}" id="blob-${index}">${base64}</script>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};

/** Text as HTML, in elements and attributes. */
export function escapeHtml(text: string): string {
    return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
