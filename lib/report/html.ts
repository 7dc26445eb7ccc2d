// SPDX-License-Identifier: MIT

/** Packs a report into one HTML file that loads nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ReportData } from './data';
import { elementOf, fillPage, jsonOf } from './pack';

/** Made by scripts/build/bundle-report.mjs. The same path from lib/report, dist/report and dist/cli. */
const PAGES = join(__dirname, '../../dist/report');

/** A page without data. */
export const emptyPage = (name: 'page' | 'index-page') => readFileSync(join(PAGES, `${name}.html`), 'utf8');

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
    return fillPage(emptyPage('page'), data.title, json, elements);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
}
