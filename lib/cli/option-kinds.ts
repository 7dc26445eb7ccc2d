// SPDX-License-Identifier: MIT

import type { Option } from 'commander';

/** Whether the value of an option is a path, by its placeholder in the help. */
export function takesPath({ flags }: Option): boolean {
    return /[<[](files?|folder|path|place)[>\]]/.test(flags);
}

export function hasValue({ required, optional }: Option): boolean {
    return required || optional;
}
