// SPDX-License-Identifier: MIT

/** Links and pictures of a site that lead nowhere. Those to other sites are left alone. */

import * as fs from 'node:fs';
import * as path from 'node:path';

/** The HTML files below a folder, relative to it, with slashes. */
export function pagesIn(folder) {
    return fs
        .readdirSync(folder, { recursive: true })
        .map((file) => String(file).split(path.sep).join('/'))
        .filter((file) => file.endsWith('.html'))
        .sort();
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);

/** The values of attributes, as they are meant, of elements alone: what a page says in a sample is no link. */
function attributes(html, names) {
    const found = [];
    for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) {
        for (const [, value] of tag.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, 'g'))) found.push(decode(value));
    }
    return found;
}

/** @returns the links of these pages that lead nowhere, and how many were looked at. */
export function deadLinks(folder, pages) {
    const anchors = new Map();
    const anchorsOf = (file) => {
        if (!anchors.has(file)) anchors.set(file, new Set(attributes(fs.readFileSync(file, 'utf8'), 'id|name')));
        return anchors.get(file);
    };
    const dead = [];
    let links = 0;
    for (const page of pages) {
        const html = fs.readFileSync(path.join(folder, page), 'utf8');
        for (const link of attributes(html, 'href|src')) {
            // '#' alone is the page's own buttons'.
            if (link === '' || link === '#' || /^[a-z][a-z0-9+.-]*:/i.test(link)) continue;
            links++;
            const [where, anchor] = link.split('#');
            const target = path.join(
                folder,
                where === '' ? page : path.join(path.dirname(page), decodeURIComponent(where)),
            );
            const isFile = fs.statSync(target, { throwIfNoEntry: false })?.isFile() ?? false;
            const needsAnchor = anchor !== undefined && /\.(html|svg)$/.test(target);
            if (!isFile || (needsAnchor && !anchorsOf(target).has(decodeURIComponent(anchor))))
                dead.push({ page, link });
        }
    }
    return { dead, links };
}
