// SPDX-License-Identifier: MIT

/** Why a test is skipped; nothing where it runs. */
type Reason = string | false | null | undefined;

export const NOT_POSIX = process.platform === 'win32' && 'needs POSIX';

export function testUnless(reason: Reason, title: string, body: () => unknown, timeout?: number): void {
    if (reason) test.skip(`${title} [skipped: ${reason}]`, () => {});
    else test(title, body as () => void, timeout);
}

export function describeUnless(reason: Reason, title: string, body: () => void): void {
    if (reason) describe.skip(`${title} [skipped: ${reason}]`, body);
    else describe(title, body);
}
