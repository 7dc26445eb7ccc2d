#!/usr/bin/env node
// SPDX-License-Identifier: MIT

import { Command, CommanderError } from 'commander';
import { EXIT, exitCodeOf } from './exit-codes';
import { type Io, writeLine } from './io';
import { packageVersion } from './version';

/**
 * Runs the command line.
 *
 * @param argv The arguments, without `node` and the script.
 * @returns The exit code; nothing is thrown.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
    try {
        await createProgram(io).parseAsync(argv, { from: 'user' });
        return EXIT.ok;
    } catch (error) {
        if (io.signal?.aborted) {
            writeLine(io.stderr, 'poselane: interrupted');
            return EXIT.interrupted;
        }
        report(error, io);
        return exitCodeOf(error);
    }
}

function createProgram(io: Io): Command {
    // Here and not above: they load the kernels, which refuse a POSELANE_BACKEND that they do not know or have.
    const { bakeCommand } = require('./bake') as typeof import('./bake');
    const { inspectCommand } = require('./inspect') as typeof import('./inspect');
    const { verifyCommand } = require('./verify') as typeof import('./verify');
    const { diffCommand } = require('./diff') as typeof import('./diff');
    const { infoCommand } = require('./info') as typeof import('./info');
    const { benchCommand } = require('./bench') as typeof import('./bench');
    const program = new Command('poselane')
        .description('Skeletal animation: joint kernels and a glTF baker.')
        .version(packageVersion())
        .addCommand(inspectCommand(io))
        .addCommand(bakeCommand(io))
        .addCommand(verifyCommand(io))
        .addCommand(diffCommand(io))
        .addCommand(infoCommand(io))
        .addCommand(benchCommand(io));
    for (const command of [program, ...program.commands]) {
        command.exitOverride().configureOutput({
            writeOut: (text) => io.stdout.write(text),
            writeErr: (text) => io.stderr.write(text),
            // Reported on one line, like all other errors.
            outputError: () => {},
        });
    }
    return program;
}

function report(error: unknown, io: Io): void {
    if (error instanceof CommanderError) {
        // Help and the version are no errors; of 'error: …\n(Did you mean …?)' one line is made.
        const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
        if (error.exitCode !== 0 && error.code !== 'commander.help') writeLine(io.stderr, `poselane: ${message}`);
        return;
    }
    writeLine(io.stderr, `poselane: ${error instanceof Error ? error.message : String(error)}`);
    if (exitCodeOf(error) === EXIT.internal && process.env.POSELANE_DEBUG && error instanceof Error) {
        io.stderr.write(`${error.stack}\n`);
    }
}

async function main(): Promise<void> {
    const controller = new AbortController();
    const interrupt = () => controller.abort(new Error('interrupted'));
    // Once: a second Ctrl-C ends the process at once.
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    let broken = false;
    for (const stream of [process.stdout, process.stderr]) {
        stream.on('error', (error: NodeJS.ErrnoException) => {
            // A reader that has seen enough (`| head`) is no fault.
            if (error.code === 'EPIPE' || broken) return;
            broken = true;
            process.exitCode ||= EXIT.internal;
            if (stream === process.stdout) writeLine(process.stderr, `poselane: standard output: ${error.message}`);
        });
    }
    const code = await run(process.argv.slice(2), {
        stdout: process.stdout,
        stderr: process.stderr,
        signal: controller.signal,
    });
    process.exitCode = broken && code === EXIT.ok ? EXIT.internal : code;
}

if (require.main === module) void main();
