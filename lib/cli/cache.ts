// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { UsageError } from '../base/errors';
import { roughSizeOf } from '../base/messages';
import { isServer } from '../cache/place';
import { sizeOf } from './batch/options';
import { groupDigits, type Io, plural, writeLine } from './io';

export function cacheCommand(io: Io): Command {
    const prune = new Command('prune')
        .description('remove the oldest unused entries of a cache folder')
        .argument('<folder>', 'the folder of --cache')
        .requiredOption('--max-size <size>', 'size to keep: 500MB, 10GB', sizeOf)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane cache prune .cache/poselane --max-size 10GB

Other processes may use the cache meanwhile. Exit codes: 0 done, 1 system error, 2 wrong use.`,
        )
        .action(async (folder: string, { maxSize }: { maxSize: number }) => {
            if (isServer('folder', folder)) throw new UsageError('folder is a URL; only folders can be pruned');
            const found = await stat(folder).catch(() => null);
            if (!found?.isDirectory()) {
                throw new UsageError(`folder: '${folder}' ${found === null ? 'does not exist' : 'is not a folder'}`);
            }
            const { pruneFolder } = require('../cache/folder') as typeof import('../cache/folder');
            const { kept, removed } = await pruneFolder(folder, maxSize);
            const counted = ({ files, bytes }: typeof kept) =>
                `${plural(groupDigits(files), 'file')} (${roughSizeOf(bytes)})`;
            writeLine(io.stdout, `${folder}: removed ${counted(removed)}, kept ${counted(kept)}`);
        });
    return new Command('cache').description('manage a cache folder').addCommand(prune);
}
