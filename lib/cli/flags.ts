// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../bake';
import { messageWith } from '../errors';

/** What the command calls the library's options. */
export const FLAGS: Readonly<Record<keyof BakeOptions, string>> = {
    fps: '--fps',
    maxError: '--max-error',
    clips: '--clips',
    skin: '--skin',
    from: '--from',
    to: '--to',
    end: '--end',
    emit: '--emit',
    layout: '--layout',
    dtype: '--dtype',
    space: '--space',
    hitJoints: '--hit-joints',
    renormalize: '--renormalize',
    maxRows: '--max-rows',
    strict: '--strict',
};

/** The message of whatever was thrown, with options as they are called here. */
export function messageOf(error: unknown): string {
    if (error instanceof Error) return messageWith(error, (option) => FLAGS[option as keyof BakeOptions] ?? option);
    const { message } = (error ?? {}) as { message?: unknown };
    return typeof message === 'string' ? message : String(error);
}
