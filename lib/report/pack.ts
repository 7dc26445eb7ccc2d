// SPDX-License-Identifier: MIT

/** Makes the text of a report's page from its parts. */

import { UsageError } from '../base/errors';
import { sizeOf, visible } from '../base/messages';
import type { IndexData, ReportData } from './data';

/** A little less than the maximum length of a string in V8. */
const MAX_CHARACTERS = 500_000_000;

/**
 * The data as JSON for the page.
 *
 * @throws UsageError if the page would be too long for a string.
 */
export function jsonOf(data: ReportData | IndexData, blobs: readonly Uint8Array[]): string {
    // `<` could end the element, or begin a comment in it.
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    const characters = blobs.reduce((sum, { byteLength }) => sum + Math.ceil(byteLength / 3) * 4, json.length);
    if (characters > MAX_CHARACTERS) {
        const size = `the page would have ${sizeOf(characters)} at worst, more than ${sizeOf(MAX_CHARACTERS)}`;
        throw new UsageError(`${data.title}: ${size}: bake fewer clips, or fewer frames per second`);
    }
    return json;
}

/** Bytes as an element that browsers do not run: base64, of gzip if that is shorter. */
export function elementOf(
    index: number,
    bytes: Uint8Array,
    zipped: Uint8Array,
    base64Of: (bytes: Uint8Array) => string,
): string {
    const [type, content] =
        zipped.length < bytes.length ? ['application/gzip', zipped] : ['application/octet-stream', bytes];
    return `<script type="${type}" id="blob-${index}">${base64Of(content)}</script>`;
}

/** @param page The page without data: dist/report/page.html. */
export function fillPage(page: string, title: string, json: string, elements: readonly string[]): string {
    const [head, body, end] = page.split(/<!--(?:title|data)-->/) as [string, string, string];
    const all = [`<script type="application/json" id="report">${json}</script>`, ...elements];
    return `${head}${escapeHtml(title)}${body}${all.join('\n')}${end}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};

/** Escapes text for HTML elements and attributes. */
export function escapeHtml(text: string): string {
    return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
