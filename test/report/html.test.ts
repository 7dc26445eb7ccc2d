// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { ReportData } from '../../lib/report/data';
import { reportHtml } from '../../lib/report/html';
import { indexHtml } from '../../lib/report/index-page';

const HOSTILE = `</script><!-- <script> ]]> & ' " $& $\` \u2028 𝄞`;

const data: ReportData = {
    poselane: '0.0.0',
    title: HOSTILE,
    files: [{ uri: HOSTILE, blob: 0 }],
    sha256: null,
    modelBytes: 3,
    bakes: [{ label: HOSTILE, bound: 0.01, warnings: [], outputs: [] }],
    rates: [],
    smaller: [],
};
const even = new Uint8Array(1000);
// Data that gzip makes longer.
const uneven = Uint8Array.from({ length: 300 }, (_, i) => (i * 167 + ((i * i) >> 3) * 41) & 255);
// Data with an offset in its buffer.
const blobs = [even, uneven, even.subarray(3, 3), new Uint8Array(uneven.buffer, 5, 7)];
const html = reportHtml(data, blobs);

/** Elements and their contents; a script ends at the first `</script`, as in the HTML standard. */
const scriptsOf = (page: string) =>
    [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/g)].map(([, attributes, text]) => ({
        type: /type="([^"]+)"/.exec(attributes!)?.[1],
        id: /id="([^"]+)"/.exec(attributes!)?.[1],
        text: text!,
    }));
const scripts = scriptsOf(html);
const index = indexHtml('0.0.0', [
    {
        input: HOSTILE,
        href: 'a.html',
        thumbnail: null,
        clips: 1,
        rows: 1,
        fps: null,
        bytes: 1,
        error: { share: 0.1, distance: 1, clip: HOSTILE },
        bound: 0.01,
        warnings: [{ code: 'A', pointer: '', message: HOSTILE }],
        failure: HOSTILE,
    },
]);

test('data and names cannot end or start an element', () => {
    expect(scripts.map(({ id }) => id)).toEqual(['report', ...blobs.map((_, i) => `blob-${i}`), undefined]);
    expect(JSON.parse(scripts[0]!.text)).toEqual(data);
    expect(/<title>([^<]*)<\/title>/.exec(html)![1]).toBe(
        '&lt;/script&gt;&lt;!-- &lt;script&gt; ]]&gt; &amp; &#39; &quot; $&amp; $` \\u2028 𝄞',
    );
});

test('data and names in an index cannot end or start an element', () => {
    expect(scriptsOf(index).map(({ id }) => id)).toEqual(['report', undefined]);
    expect(JSON.parse(scriptsOf(index)[0]!.text).entries[0]).toMatchObject({ input: HOSTILE, failure: HOSTILE });
});

test('blobs are restored byte for byte, compressed only if that is shorter', () => {
    const elements = scripts.slice(1, -1);
    expect(elements.map(({ type }) => type)).toEqual([
        'application/gzip',
        ...[0, 0, 0].map(() => 'application/octet-stream'),
    ]);
    for (const [i, { type, text }] of elements.entries()) {
        const bytes = Buffer.from(text, 'base64');
        expect(Buffer.from(type === 'application/gzip' ? gunzipSync(bytes) : bytes)).toEqual(Buffer.from(blobs[i]!));
    }
});

test.each([
    ['page', html],
    ['index', index],
])('the policy allows only the script and the style of the %s', (_, page) => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!;
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!;
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        `script-src ${hashOf(scriptsOf(page).at(-1)!.text)} 'wasm-unsafe-eval'`,
        `style-src ${hashOf(style)}`,
        'img-src blob: data:',
        'connect-src blob: data:',
        'worker-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
    ]);
});

test('the same report gives the same text', () => {
    expect(reportHtml(structuredClone(data), blobs)).toBe(html);
});
