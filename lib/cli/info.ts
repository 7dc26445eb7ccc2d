// SPDX-License-Identifier: MIT

import { cpus } from 'node:os';
import { Command } from 'commander';
import { nativeLoadError } from '../addon/load';
import { backend, defaultImplementation } from '../lists/choose';
import { implementations } from '../lists/implementations';
import { evaluationImplementation } from '../rig/implementations';
import { STRICT_VERSION } from '../strict/version';
import { type Io, writeJson, writeLine } from './io';
import { packageVersion } from './version';

export function infoCommand(io: Io): Command {
    return new Command('info')
        .description('show the version, the backend, and which implementations this CPU can run')
        .option('--json', 'print as JSON')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane info
  $ POSELANE_BACKEND=ts poselane info --json`,
        )
        .action(({ json = false }: { json?: boolean }) => {
            const info = collect();
            if (json) writeJson(io.stdout, info);
            else describeInfo(info, io);
        });
}

function collect() {
    return {
        version: packageVersion(),
        /** Version of the result bits. */
        kernel: STRICT_VERSION,
        backend,
        implementation: defaultImplementation,
        evaluation: evaluationImplementation,
        nativeError: nativeLoadError?.message ?? null,
        implementations: implementations().map(({ name, available, reason }) => ({
            name,
            available,
            ...(reason === undefined ? {} : { reason }),
        })),
        cpu: cpus()[0]?.model.trim() ?? 'unknown',
        processors: cpus().length,
        platform: `${process.platform}-${process.arch}`,
        node: process.versions.node,
    };
}

function describeInfo(info: ReturnType<typeof collect>, io: Io): void {
    const line = (text: string) => writeLine(io.stdout, text);
    line(`poselane ${info.version}, results ${info.kernel}`);
    line(`backend ${info.backend}: joint lists ${info.implementation}, poses ${info.evaluation}`);
    if (info.nativeError !== null) line(`  ${info.nativeError}`);
    line(`${info.platform}, Node ${info.node}, ${info.processors} x ${info.cpu}`);
    for (const { name, available, reason } of info.implementations) {
        line(`  ${available ? 'yes' : 'no '}  ${name}${reason === undefined ? '' : ` (${reason})`}`);
    }
}
