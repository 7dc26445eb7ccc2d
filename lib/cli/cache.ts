// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../errors';
import { roughSizeOf } from '../messages';
import { refuseEmpty } from './inputs';
import { groupDigits, type Io, plural, writeLine } from './io';

/** `poselane cache` */
export function cacheCommand(io: Io): Command {
    const prune = new Command('prune')
        .description('remove what was used least recently')
        .argument('<folder>', 'the folder that --cache named')
        .requiredOption('--max-size <size>', 'how much may stay: 500MB, 10GB', bytes)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane cache prune .cache/poselane --max-size 10GB

Others may bake with the cache meanwhile. Exit codes: 0 done, 1 the system refused something, 2 wrong use.`,
        )
        .action(async (folder: string, { maxSize }: { maxSize: number }) => {
            refuseEmpty('folder', folder);
            if (/^https?:/i.test(folder)) throw new UsageError('folder: a server looks after its cache by itself');
            const found = await stat(folder).catch(() => null);
            if (!found?.isDirectory()) {
                throw new UsageError(`folder: '${folder}' ${found === null ? 'is not there' : 'is not a folder'}`);
            }
            const { pruneFolder } = require('../bake/cache/folder') as typeof import('../bake/cache/folder');
            const { kept, removed } = await pruneFolder(folder, maxSize);
            const counted = ({ files, bytes }: typeof kept) =>
                `${plural(groupDigits(files), 'file')} (${roughSizeOf(bytes)})`;
            writeLine(io.stdout, `${folder}: removed ${counted(removed)}, kept ${counted(kept)}`);
        });
    return new Command('cache').description('look after a folder that --cache keeps').addCommand(prune);
}

const UNITS: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function bytes(value: string): number {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(kB|MB|GB|TB)$/.exec(value) ?? [];
    if (number === undefined)
        throw new InvalidArgumentError('Needs a size in kB, MB, GB or TB, such as 500MB or 10GB.');
    return Number(number) * UNITS[unit!]!;
}
