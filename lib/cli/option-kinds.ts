// SPDX-License-Identifier: MIT

import type { Option } from 'commander';

/** Whether an option names files or folders, by what stands for its value in the help. */
export function takesPath({ flags }: Option): boolean {
    return /[<[](files?|folder|path|place)[>\]]/.test(flags);
}

/** Whether an option has a value, and is no switch. */
export function hasValue({ required, optional }: Option): boolean {
    return required || optional;
}
