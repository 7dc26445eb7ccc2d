// SPDX-License-Identifier: MIT

/** Random rigs keep the bound at all times. More of them every night: test/long/reduce/random.test.ts. */

import { expectSound, judgeSeed, type Outcome } from './random-case';

const outcomes: Outcome[] = [];

test('twenty random rigs', async () => {
    for (let seed = 0; seed < 20; seed++) outcomes.push(await expectSound(seed));
});

test('many of their clips are reduced', () => {
    const sum = (of: 'clips' | 'kept' | 'keysBefore' | 'keysAfter') =>
        outcomes.reduce((total, one) => total + one[of], 0);
    expect(outcomes).toHaveLength(20);
    expect(sum('kept')).toBeLessThan(0.4 * sum('clips'));
    expect(sum('keysAfter')).toBeLessThan(0.9 * sum('keysBefore'));
    expect(outcomes.filter(({ share }) => share > 0.5).length).toBeGreaterThan(5);
});

test('a seed gives the same rig and the same outcome each time', async () => {
    expect(await judgeSeed(3)).toEqual(outcomes[3]);
});
