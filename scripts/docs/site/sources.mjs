// SPDX-License-Identifier: MIT

/**
 * The guides link to source files, which TypeDoc puts into the site's folder media. Servers take `.ts` for video, and browsers save
 * what they do not know: as `.txt` every one of them is shown.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { pagesIn } from './links.mjs';

/** What browsers show, or are meant to save, as it is. */
const SHOWN = /\.(svg|png|json|html|txt|glb)$/;

export function showSources(site) {
    const media = path.join(site, 'media');
    const sources = fs.readdirSync(media).filter((file) => !SHOWN.test(file));
    for (const file of sources) fs.renameSync(path.join(media, file), path.join(media, `${file}.txt`));
    const renamed = new Set(sources);
    for (const page of pagesIn(site)) {
        const file = path.join(site, page);
        const html = fs.readFileSync(file, 'utf8');
        const changed = html.replace(
            /((?:href|src)="(?:\.\.\/)*media\/)([^"#]+)((?:#[^"]*)?")/g,
            (all, before, name, after) =>
                renamed.has(decodeURIComponent(name)) ? `${before}${name}.txt${after}` : all,
        );
        // A folder's own page, which a disk does not look for.
        const complete = changed.replace(/(<a\b[^>]*? href="(?:\.\.\/)+)"/g, '$1index.html"');
        if (complete !== html) fs.writeFileSync(file, complete);
    }
}
