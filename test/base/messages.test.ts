// SPDX-License-Identifier: MIT

import { roughSizeOf, significant, sizeOf, whyUnreadable } from '../../lib/base/messages';

test('measured numbers have at most six digits, integers have all of theirs', () => {
    expect([0.00031046790536493063, 32.36779198050499, 240, 1e-7, 2049].map((value) => significant(value))).toEqual([
        '0.000310468',
        '32.3678',
        '240',
        '1e-7',
        '2049',
    ]);
});

test('sizes are readable and exact', () => {
    expect(sizeOf(811527168)).toBe('774 MiB (811527168 bytes)');
    expect(sizeOf(23983601408)).toBe('22.3 GiB (23983601408 bytes)');
    expect([sizeOf(1023), roughSizeOf(71), roughSizeOf(1024)]).toEqual(['1023 bytes', '71 bytes', '1 KiB']);
});

test('too many open files, a code without text, and an error without a code', () => {
    expect(
        [{ code: 'EMFILE' }, { code: 'EIO' }, { code: 'constructor' }, new Error('x'), null].map(whyUnreadable),
    ).toEqual([
        'EMFILE: this process has too many files open; raise the limit (ulimit -n), or work on fewer files at once (-j)',
        'EIO',
        'constructor',
        'unknown error',
        'unknown error',
    ]);
});
