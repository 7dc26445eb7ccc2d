// SPDX-License-Identifier: MIT

/** Packs a report as one HTML file, which loads nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../errors';
import { sizeOf } from '../messages';
import type { ReportData } from './data';

/** The page without data, as scripts/build/bundle-report.mjs makes it: from lib/report, dist/report and dist/cli alike. */
const PAGE = join(__dirname, '../../dist/report/page.html');

/** A little less than a string can have in V8. */
const MAX_CHARACTERS = 500_000_000;

/**
 * The page of a report: one file that holds everything, script and data, so that it can be mailed and opened from a disk. The same
 * arguments give the same text.
 *
 * @param data What it shows.
 * @param blobs The bytes that `data` refers to, by index.
 * @returns HTML.
 * @throws UsageError where the page would be too long for a string.
 */
export function reportHtml(data: ReportData, blobs: readonly Uint8Array[]): string {
    const [head, body, end] = readFileSync(PAGE, 'utf8').split(/<!--(?:title|data)-->/) as [string, string, string];
    // `<` is what could end the element, or begin a comment in it.
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    const characters = blobs.reduce((sum, { byteLength }) => sum + Math.ceil(byteLength / 3) * 4, json.length);
    if (characters > MAX_CHARACTERS) {
        const size = `the page would have ${sizeOf(characters)} at worst, more than ${sizeOf(MAX_CHARACTERS)}`;
        throw new UsageError(`${data.title}: ${size}: bake fewer clips, or fewer frames per second`);
    }
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
