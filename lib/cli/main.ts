#!/usr/bin/env node
// SPDX-License-Identifier: MIT

import { Command, CommanderError } from 'commander';
import { EXIT, exitCodeOf, interruption } from './exit-codes';
import { messageOf } from './flags';
import { type Io, writeError, writeLine, writeText } from './io';
import { packageVersion } from './version';

/**
 * Runs the command line.
 *
 * @param argv The arguments, without `node` and the script.
 * @returns The exit code; nothing is thrown.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
    try {
        await createProgram(argv, io).parseAsync(argv, { from: 'user' });
        return EXIT.ok;
    } catch (error) {
        if (io.signal?.aborted) {
            writeLine(io.stderr, 'poselane: interrupted');
            return EXIT.interrupted;
        }
        writeFailure(error, io);
        return exitCodeOf(error);
    }
}

/**
 * Each command is loaded only when called, or for help and completion, because loading all would take half the time of a small bake. None
 * is loaded at the top: kernels refuse a wrong POSELANE_BACKEND when they load.
 */
const COMMANDS: Readonly<Record<string, (io: Io) => Command>> = {
    inspect: (io) => (require('./inspect') as typeof import('./inspect')).inspectCommand(io),
    convert: (io) => (require('./convert') as typeof import('./convert')).convertCommand(io),
    bake: (io) => (require('./bake') as typeof import('./bake')).bakeCommand(io),
    reduce: (io) => (require('./reduce') as typeof import('./reduce')).reduceCommand(io),
    rig: (io) => (require('./rig') as typeof import('./rig')).rigCommand(io),
    view: (io) => (require('./view') as typeof import('./view')).viewCommand(io),
    verify: (io) => (require('./verify') as typeof import('./verify')).verifyCommand(io),
    diff: (io) => (require('./diff') as typeof import('./diff')).diffCommand(io),
    cache: (io) => (require('./cache') as typeof import('./cache')).cacheCommand(io),
    'merge-reports': (io) => (require('./merge-reports') as typeof import('./merge-reports')).mergeReportsCommand(io),
    info: (io) => (require('./info') as typeof import('./info')).infoCommand(io),
    bench: (io) => (require('./bench') as typeof import('./bench')).benchCommand(io),
    completion: (io) => (require('./completion') as typeof import('./completion')).completionCommand(io),
};

function createProgram(argv: readonly string[], io: Io): Command {
    const program = new Command('poselane')
        .description('Bakes, reduces and verifies skeletal animation of glTF, FBX and BVH files.')
        .version(packageVersion());
    const called = argv[0] ?? '';
    // Help, completion and unknown names need all commands.
    const needed =
        called !== 'completion' && Object.hasOwn(COMMANDS, called) ? [COMMANDS[called]!] : Object.values(COMMANDS);
    for (const create of needed) program.addCommand(create(io));
    for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
        command.exitOverride().configureOutput({
            writeOut: (text) => writeText(io.stdout, text),
            writeErr: (text) => writeText(io.stderr, text),
            // writeFailure prints it on one line.
            outputError: () => {},
        });
    }
    return program;
}

function writeFailure(error: unknown, io: Io): void {
    if (error instanceof CommanderError) {
        // Help and the version exit with 0. 'error: …\n(Did you mean …?)' becomes one line.
        const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
        // `bake --root` is about root motion.
        const advice = /'--root\b(?!-)/.test(message) ? ' (for clips of other skeletons: --travel scale or keep)' : '';
        if (error.exitCode !== 0 && error.code !== 'commander.help') writeError(io, message + advice);
        return;
    }
    writeError(io, messageOf(error));
    if (exitCodeOf(error) === EXIT.internal && process.env.POSELANE_DEBUG && error instanceof Error) {
        writeText(io.stderr, `${error.stack}\n`);
    }
}

/**
 * Bytecode that a function runs before V8 optimizes it, in all threads: about eight times V8's own in Node 20. Short
 * commands end before more compilation pays.
 */
const INTERRUPT_BUDGET = 528_000;

async function main(): Promise<void> {
    // V8 prints an error for a flag that it does not know: Node 22 has no such flag, and Bun no V8.
    const { bun, node } = process.versions;
    if (bun === undefined && node.startsWith('20.')) {
        (require('node:v8') as typeof import('node:v8')).setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
    }
    const controller = new AbortController();
    const interrupt = () => controller.abort(interruption());
    // Only once: a second Ctrl-C kills the process.
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    let broken = false;
    for (const stream of [process.stdout, process.stderr]) {
        stream.on('error', (error: NodeJS.ErrnoException) => {
            // A reader that stops early (`| head`) is not an error.
            if (error.code === 'EPIPE' || broken) return;
            broken = true;
            process.exitCode ||= EXIT.internal;
            if (stream === process.stdout) writeLine(process.stderr, `poselane: standard output: ${messageOf(error)}`);
        });
    }
    const code = await run(process.argv.slice(2), {
        stdout: process.stdout,
        stderr: process.stderr,
        signal: controller.signal,
    });
    process.exitCode = broken && code === EXIT.ok ? EXIT.internal : code;
}

// Not `require.main === module`: in dist the whole command is one file, with another `module`.
if (require.main?.filename === __filename) void main();
