// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile } from '../../lib/bake';
import { BACKENDS, type BakedFiles, bakeFilesOn } from '../support/baked';
import { CHARACTER } from '../support/models';

/** Bytes of the example since `strict@1`. Other bytes are another kernel, and need a new name. */
const { fps: FPS, ...GOLDEN } = JSON.parse(readFileSync(join(__dirname, '../golden/character.json'), 'utf8'));

/** Hash of its manifest with its figures. Changes when keys are added to the format. */
const GOLDEN_MANIFEST = '599c12359813e5046467bc7e8adca1956988312516186aabfddfe75665fb8bbf';

test.each(BACKENDS)('the example has the bytes of earlier releases (%s)', async (backend) => {
    const [{ json }] = (await bakeFilesOn(backend, CHARACTER.path, { fps: FPS })) as [BakedFiles];
    const { recipe, binary } = JSON.parse(json);
    expect({ kernel: recipe.kernel, sha256: binary.sha256 }).toEqual(GOLDEN);
    expect(createHash('sha256').update(json).digest('hex')).toBe(GOLDEN_MANIFEST);
});

test('every array has the bytes of earlier releases', async () => {
    const emit = ['palette', 'hit', 'local', 'bounds', 'jointBounds', 'root'] as const;
    const { outputs } = await bakeFile(CHARACTER.path, { fps: 12, emit, root: 'keep' });
    const { sha256 } = outputs[0]!.manifest.binary;
    expect(sha256).toBe('9523511ba9e8ce9c2bc084c34a52e39c3effdb8e1ebd9c35efcd863e83fd4d48');
});
