// SPDX-License-Identifier: MIT

import { UsageError } from '../base/errors';

/**
 * Whether a cache is on a server rather than in a folder. Messages never repeat the place, because it may contain a
 * password.
 *
 * @param argument Name of the place in messages.
 * @throws UsageError for a place that is neither: a URL with another scheme, a misspelled URL, or white space around
 * the name.
 */
export function isServer(argument: string, place: string): boolean {
    const refuse = (rule: string): never => {
        throw new UsageError(`${argument}: ${rule}`);
    };
    if (place === '') refuse('the name of the folder is empty');
    // URL parsers drop these characters, so the text would have another meaning to them.
    if (place !== place.trim() || /\p{Cc}/u.test(place)) {
        refuse('the place begins or ends with white space, or has control characters in it; remove them');
    }
    if (/^https?:\/\/[^/\\]/i.test(place)) return true;
    // One letter and a colon is a drive on Windows.
    const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(place) ?? [];
    if (scheme !== undefined) {
        const isKnown = /^https?$/i.test(scheme);
        // In 'user:password@host', the part before the colon is not a scheme.
        const named = /^[^/\\]*@/.test(place) ? 'the place' : `'${scheme}:'`;
        refuse(
            isKnown
                ? `a URL of a server begins with '${scheme.toLowerCase()}://' and a host`
                : `${named} is not supported: name a folder ('./' before a name with a colon), or an http: or https: URL`,
        );
    }
    const isNetwork = /^[/\\]{2}/.test(place) && process.platform !== 'win32';
    // 'folder/ftp://…', 'user:password@host', 'user@host:path'
    if (isNetwork || /:[/\\]{2}|:[^/\\]*@|^[^/\\]*@[^/\\]*:/.test(place)) {
        refuse('the place looks like a URL without its scheme: name a folder, or an http: or https: URL');
    }
    return false;
}
