// SPDX-License-Identifier: MIT

/** Packs a report into one HTML file that loads nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ReportData } from './data';
import { elementOf, fillPage, jsonOf } from './pack';

/**
 * The page without data, made by scripts/build/bundle-report.mjs. The same path from lib/report, dist/report and
 * dist/cli.
 */
const PAGE = join(__dirname, '../../dist/report/page.html');

/**
 * The page of a report: one HTML file with script and data, which can be mailed and opened from disk. The same
 * arguments give the same text.
 *
 * @param data Contents of the page.
 * @param blobs The bytes that `data` refers to, by index.
 * @returns HTML.
 * @throws UsageError if the page would be too long for a string.
 */
export function reportHtml(data: ReportData, blobs: readonly Uint8Array[]): string {
    const json = jsonOf(data, blobs);
    const elements = blobs.map((bytes, index) => elementOf(index, bytes, gzipSync(bytes, { level: 9 }), base64Of));
    return fillPage(readFileSync(PAGE, 'utf8'), data.title, json, elements);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
}
