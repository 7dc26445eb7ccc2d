// SPDX-License-Identifier: MIT

/** Every reader converts a length to the same number of model units. */

import { type BakeOptions, bakeFile } from '../../lib/bake';
import { recipeOf } from '../../lib/bake/plan/options';
import { messageWith } from '../../lib/base/errors';
import { readLength, unitsOf } from '../../lib/base/length';
import { reduceFile } from '../../lib/reduce';
import { reduceRecipeOf } from '../../lib/reduce/options';
import { verifyReduced } from '../../lib/verify';
import { CHARACTER } from '../support/models';

const EXTENT = 1.7;
const DIVISORS = { mm: 1000, cm: 100, m: 1, '': 1 };

describe('the bits of a length', () => {
    test.each(Object.entries(DIVISORS))('with %p equal those of a division, in bake and in reduce', (unit, divisor) => {
        for (let k = 1; k <= 1999; k++) {
            const digits = (k / 100).toFixed(2);
            const units = Number(digits) / divisor;
            const maxError = `${digits}${unit}`;
            const baked = recipeOf('bake', { fps: 'auto', maxError }).maxError!;
            const { maxError: reduced, maxSlide } = reduceRecipeOf('reduce', { maxError, maxSlide: maxError });
            expect([baked, reduced, maxSlide].map((length) => unitsOf(length!, EXTENT))).toEqual([units, units, units]);
        }
    });

    test('with % equal those of a hundredth times the extent', () => {
        for (let k = 1; k <= 1999; k++) {
            const digits = (k / 100).toFixed(2);
            expect(unitsOf(readLength('x', `${digits}%`), EXTENT)).toBe((Number(digits) / 100) * EXTENT);
        }
    });

    test('equal those of verify', async () => {
        for (const maxError of ['0.07mm', '0.5  mm', '0.29cm', '0.3%', 0.002]) {
            const { maxError: allowed, extent } = await verifyReduced(CHARACTER.path, CHARACTER.path, { maxError });
            expect(allowed).toBe(unitsOf(reduceRecipeOf('reduce', { maxError }).maxError, extent));
        }
    });
});

test.each([
    ['0.5mm', 0.0005],
    [' 0.5 \t mm ', 0.0005],
    ['1e-2M', 0.01],
    ['.5CM', 0.005],
    ['5.', 5],
    ['0.002', 0.002],
    [0.002, 0.002],
    ['10%', 0.17],
])('%j', (given, units) => {
    expect(unitsOf(readLength('x', given), EXTENT)).toBeCloseTo(units, 15);
});

const FORMS = "be a number in the model's units, or one with mm, cm, m or % of the extent, such as 0.5mm or 0.1%";

test.each<[given: number | string, shown: string, rule: string]>([
    [-1, '-1', 'be greater than 0'],
    [0, '0', 'be greater than 0'],
    ['0', '0', 'be greater than 0'],
    ['-0.5mm', '-0.5mm', 'be greater than 0'],
    ['0%', '0%', 'be greater than 0'],
    [NaN, 'NaN', FORMS],
    [Infinity, 'Infinity', FORMS],
    ['much', "'much'", FORMS],
    ['', "''", FORMS],
    ['mm', "'mm'", FORMS],
    ['1 inch', "'1 inch'", FORMS],
    ['1..2', "'1..2'", FORMS],
    ['1,5mm', "'1,5mm'", FORMS],
    ['1e999', "'1e999'", FORMS],
    ['0x10', "'0x10'", FORMS],
])("%j is rejected, with the option's name for the caller, the value, and the rule", (given, shown, rule) => {
    const read = () => readLength('maxError', given);
    expect(read).toThrow(`maxError is ${shown}; it must ${rule}`);
    try {
        read();
    } catch (error) {
        expect(error).toMatchObject({ name: 'UsageError', code: 'USAGE' });
        expect(messageWith(error as Error, () => '--max-error')).toBe(`--max-error is ${shown}; it must ${rule}`);
    }
});

test('0 is valid for some options, a negative length for none', () => {
    expect(readLength('x', 0, true)).toEqual({ of: 'units', value: 0 });
    expect(() => readLength('x', '-1mm', true)).toThrow('x is -1mm; it must be 0 or more');
});

test('a bake with a share equals the bake with that share of the extent in its manifest', async () => {
    const bake = async (options: BakeOptions) => {
        const { outputs } = await bakeFile(CHARACTER.path, options);
        return outputs.map(({ json, bin }) => [json, Buffer.from(bin).toString('base64')]);
    };
    const { extent } = (await bakeFile(CHARACTER.path, {})).outputs[0]!.manifest;
    expect(await bake({ fps: 'auto', maxError: '0.4%' })).toEqual(
        await bake({ fps: 'auto', maxError: 0.004 * extent }),
    );
    expect(await bake({ maxError: '1%' })).toEqual(await bake({}));
});

test("a length that does not fit the model's units gets a hint, in bake and in reduce", async () => {
    const hints = async (maxError: string) => {
        const options = { maxError, clips: ['Wave'] };
        const made = [await bakeFile(CHARACTER.path, options), await reduceFile(CHARACTER.path, options)];
        return made.map(({ warnings }) =>
            warnings.flatMap(({ code, message }) => (code === 'MAX_ERROR_UNITS' ? message : [])),
        );
    };
    const hint = /^the maximum error of 0.2 is 12\.\d% of the model's extent of 1\.\d+ units; 1% is 0\.01\d+$/;
    expect(await hints('20cm')).toEqual([[expect.stringMatching(hint)], [expect.stringMatching(hint)]]);
    expect(await hints('2cm')).toEqual([[], []]);
    expect(await hints('20%')).toEqual([[], []]);
});
