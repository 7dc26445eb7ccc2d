// SPDX-License-Identifier: MIT

import { gunzipSync } from 'node:zlib';
import type { ReportData } from '../../lib/report/data';

/** The data packed into a page. */
export function readPage<Data = ReportData>(html: string): { data: Data; blobs: Buffer[] } {
    const scripts = [...html.matchAll(/<script type="([^"]*)" id="([^"]*)">([^<]*)<\/script>/g)];
    const data = JSON.parse(scripts.find(([, , id]) => id === 'report')![3]!);
    const blobs = scripts
        .filter(([, , id]) => id!.startsWith('blob-'))
        .map(([, type, , text]) => {
            const bytes = Buffer.from(text!, 'base64');
            return type === 'application/gzip' ? gunzipSync(bytes) : bytes;
        });
    return { data, blobs };
}
