// SPDX-License-Identifier: MIT

import { isObject, type JsonObject } from './json';
import { type Report, warn } from './reading';

/** Reports the warnings of the conversion that made a file, and returns its source. */
export function sourceOf({ asset }: JsonObject, report: Report): string | undefined {
    const about = isObject(asset) && isObject(asset.extras) ? asset.extras.poselane : undefined;
    const warnings: unknown = isObject(about) ? about.warnings : undefined;
    for (const one of Array.isArray(warnings) ? warnings : []) {
        const { code, message } = isObject(one) ? one : {};
        if (code !== 'SOURCE_APPROXIMATED' && code !== 'SOURCE_LEFT_OUT') continue;
        if (typeof message === 'string') warn(report, code, '', message);
    }
    return isObject(about) && typeof about.source === 'string' ? about.source : undefined;
}
