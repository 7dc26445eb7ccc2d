// SPDX-License-Identifier: MIT

/** A value that looks like a URL is a server or is rejected. No message shows a password, a token or a query. */

import { openCache } from '../../lib/bake';
import { isServer } from '../../lib/cache/place';

const SECRET = 'hunter2';

test.each([
    `ftp://user:${SECRET}@host`,
    `//user:${SECRET}@host/x`,
    `\\\\user:${SECRET}@host\\x`,
    ` https://user:${SECRET}@host/`,
    `https://user:${SECRET}@host/ `,
    `\thttps://host/${SECRET}`,
    `ht\ntps://user:${SECRET}@host`,
    `https://user:${SECRET}@host`,
    `HTTPS://user:${SECRET}@host`,
    `https://${SECRET}@host`,
    `https://host/?token=${SECRET}`,
    `https://host/#${SECRET}`,
    `https://user:${SECRET}@[`,
    `http:/user:${SECRET}@host`,
    `http:\\\\user:${SECRET}@host`,
    `https:user:${SECRET}@host`,
    `https:///user:${SECRET}@host`,
    `file:///folder/${SECRET}`,
    `file:${SECRET}`,
    `s3://user:${SECRET}@bucket`,
    `webdav+tls://${SECRET}`,
    `user:${SECRET}@host/x`,
    `user@host:${SECRET}`,
    `folder/ftp://user:${SECRET}@host`,
    `./user:${SECRET}@host`,
])('%j is rejected', (place) => {
    const thrown = (() => {
        try {
            openCache(place);
        } catch (error) {
            return error as Error & { code: string };
        }
        throw new Error('it is taken');
    })();
    expect([thrown.name, thrown.code]).toEqual(['UsageError', 'USAGE']);
    expect(`${thrown.stack} ${JSON.stringify(thrown)} ${thrown.cause}`).not.toContain(SECRET);
});

test.each(['cache', './a:b', '/tmp/cache', 'C:\\cache', 'c:/cache', '../x y/@scope/cache', '~', '[a]', 'a/b:c'])(
    '%j is a folder',
    (place) => expect(isServer('cache', place)).toBe(false),
);

test.each(['https://host', 'HTTPS://host/x', 'http://[::1]:80', 'http://127.0.0.1:9/a/'])('%j is a server', (place) =>
    expect(isServer('cache', place)).toBe(true),
);
