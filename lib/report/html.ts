// SPDX-License-Identifier: MIT

/** Packs a report as one HTML file, which loads nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ReportData } from './data';
import { elementOf, fillPage, jsonOf } from './pack';

/** The page without data, as scripts/build/bundle-report.mjs makes it: from lib/report, dist/report and dist/cli alike. */
const PAGE = join(__dirname, '../../dist/report/page.html');

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
    const json = jsonOf(data, blobs);
    const elements = blobs.map((bytes, index) => elementOf(index, bytes, gzipSync(bytes, { level: 9 }), base64Of));
    return fillPage(readFileSync(PAGE, 'utf8'), data.title, json, elements);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
}
