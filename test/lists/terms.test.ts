// SPDX-License-Identifier: MIT

/** The arguments of `implementation(name, { terms })`. */

import { implementation, implementations } from '../../lib/lists';
import { NOT_NUMBERS, NOT_OPTIONS, thrownBy } from '../support/faults';
import { describeImplementation, IMPLEMENTATIONS } from '../support/implementations';

/** The call, also of implementations that cannot run here: arguments are checked first. */
const askingFor = (name: unknown, ...options: unknown[]) =>
    thrownBy(() => (implementation as (...all: unknown[]) => unknown)(name, ...options));

describe('implementation(name, { terms })', () => {
    const listed = implementations();
    const withTerms = listed.filter(({ maxTerms }) => maxTerms !== undefined);

    it('is for eberly/* only', () => {
        expect(withTerms.map(({ name, maxTerms }) => [name.startsWith('eberly/'), maxTerms])).toEqual(
            Array(5).fill([true, 16]),
        );
        for (const { name, maxTerms } of listed) {
            if (maxTerms !== undefined) continue;
            for (const terms of [1, 8, 0, 17]) {
                expect(askingFor(name, { terms })).toEqual({
                    name: 'RangeError',
                    code: 'ERR_COUNT_RANGE',
                    message: `implementation: ${name} has no terms to choose, got ${terms}`,
                });
            }
        }
    });

    it.each([
        ...[0, -0, -1, 17, 18, 100, 1.5, 16.000001, 0.999],
        ...[Number.NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32 + 1, 2 ** 53, 1e300],
    ])('refuses terms of %d', (terms) => {
        for (const { name } of withTerms) {
            expect(askingFor(name, { terms })).toEqual({
                name: 'RangeError',
                code: 'ERR_COUNT_RANGE',
                message: `implementation: terms must be an integer from 1 to 16, got ${Object.is(terms, -0) ? '-0' : terms}`,
            });
        }
    });

    it('rejects terms that are not numbers, and options that are not objects', () => {
        const refused = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' };
        for (const { name } of withTerms) {
            for (const [, terms, given] of NOT_NUMBERS) {
                const message = `implementation: terms must be a number, got ${given}`;
                expect(askingFor(name, { terms: terms() })).toEqual({ ...refused, message });
            }
        }
        for (const { name } of listed) {
            for (const [, options, given] of NOT_OPTIONS) {
                const message = `implementation: options must be an object, got ${given}`;
                expect(askingFor(name, options())).toEqual({ ...refused, message });
            }
        }
    });

    for (const { name } of IMPLEMENTATIONS.filter((known) => known.name.startsWith('eberly/'))) {
        describeImplementation(name, (kernels) => {
            it('takes 1 … 16 terms, and without them 8; the same object for the same terms', () => {
                for (let terms = 1; terms <= 16; terms++) {
                    const chosen = implementation(name, { terms });
                    expect(chosen).toBe(implementation(name, { terms }));
                    expect(chosen === kernels).toBe(terms === 8);
                    expect(Object.keys(chosen)).toEqual(expect.arrayContaining(['slerpQuats', 'slerpQuatTimes']));
                    expect(Object.isFrozen(chosen)).toBe(true);
                }
                expect(implementation(name, {})).toBe(kernels);
                expect(implementation(name, { terms: undefined })).toBe(kernels);
            });
        });
    }
});
