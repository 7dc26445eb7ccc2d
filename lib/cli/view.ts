// SPDX-License-Identifier: MIT

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { Command } from 'commander';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { type BakeOptions, hasArrays, recipeOf } from '../bake/plan/options';
import { UsageError } from '../base/errors';
import { roughSizeOf } from '../base/messages';
import type { BakeToReport } from '../report/collect';
import { wholeFrom } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, isPlainFile, refuseName } from './inputs';
import { type Io, oneLine, writeLine, writeWarnings } from './io';
import { addLibraryOptions } from './library-options';
import { refuseFile, refuseInput, writeWhole } from './output-file';
import { createProgress } from './progress';

interface Options extends Omit<BakeOptions, 'animations'> {
    readonly animations?: readonly string[];
    readonly html?: string;
    readonly port?: number;
}

export function viewCommand(io: Io): Command {
    const command = new Command('view')
        .description('play a bake or a reduced model beside its source, in a browser')
        .argument('<model>', 'a .glb, .gltf, .vrm or .fbx file')
        .argument(
            '[bakes...]',
            'its .bake.json or .bake.glb, one for each skin (default: bake the model in memory); ' +
                'or one .glb, .gltf or .vrm with reduced animations',
        )
        .option('--port <number>', 'port of the page (default: any free port)', wholeFrom(0))
        .option('--html <file>', 'write the page to a file, which needs no server');
    addLibraryOptions(command, BAKE_OPTIONS);
    return command
        .addHelpText(
            'after',
            `
Examples:
  $ poselane view hero.glb
  $ poselane view hero.glb --clips Walk,Run
  $ poselane view hero.glb --animations 'clips/*.glb'
  $ poselane view hero.glb out/hero.bake.json
  $ poselane view hero.glb out/hero.bake.json --html hero.html
  $ poselane view hero.glb hero.small.glb --max-error 0.5mm

The page is served only to this machine, until Ctrl-C.
Exit codes: 0 done, 1 system error such as a port in use, 2 wrong use, 3 file missing or invalid, 4 with --html: a bake has
another source (without --html, a warning), or the second file is not a reduced version of the first; 130 interrupted.

For a reduced model, the page shows its error next to --max-error (default: 0.1% of the extent). A larger error is allowed
here; 'poselane verify' refuses it.`,
        )
        .action((model: string, bakes: string[], options: Options) => view(model, bakes, options, command, io));
}

async function view(
    path: string,
    bakes: readonly string[],
    { html, port, ...given }: Options,
    command: Command,
    io: Io,
): Promise<void> {
    refuseName('model', path);
    for (const bake of bakes) refuseName('bakes', bake);
    if (html !== undefined && port !== undefined)
        throw new UsageError('--port has no effect with --html; leave one of them out');
    if (port !== undefined && port > 65535) throw new UsageError(`--port is ${port}; it must be from 0 to 65535`);
    const { isModel } = require('../verify/read-bake') as typeof import('../verify/read-bake');
    if (isPlainFile(bakes) && (await isModel(bakes[0]!))) {
        refuseRecipe(command, ['html', 'port', 'maxError'], 'nothing is baked');
        return viewReduced(path, bakes[0]!, given.maxError, { html, port }, io);
    }
    if (bakes.length > 0) refuseRecipe(command, ['html', 'port', 'animations'], 'the bakes have been made');
    const animations = given.animations && (await expandInputs(given.animations));
    const recipe = recipeOf('poselane view', { ...given, animations });
    if (!hasArrays(recipe.emit)) {
        throw new UsageError(`--emit: a page shows arrays, and '${[...recipe.emit].join()}' has none`);
    }
    if (html !== undefined) await refuseFile('--html', html, null);
    // Loaded here: other commands start faster without it.
    const { absentClips, bakeModel, inputsOfModel, isBakeOf, openBakedModel, openModel, pageOf, readBakes } =
        require('./page') as typeof import('./page');
    const read = await readBakes(bakes);
    if (html !== undefined) await refuseInput('--html', html, [...(await inputsOfModel(path)), ...read.inputs]);
    const baked = read.files[0]?.manifest;
    const model = baked ? await openBakedModel(path, baked, animations) : await openModel(path, recipe);
    if (html !== undefined) await refuseInput('--html', html, model.clipPaths ?? []);
    let shown: BakeToReport = { label: 'Baked', outputs: read.outputs };
    if (bakes.length === 0) {
        const progress = createProgress(io.stderr, oneLine(basename(path)), 1);
        try {
            const result = await bakeModel(model, recipe, {
                signal: io.signal,
                onProgress: (done, total) => progress.update(done, total > 0 ? done / total : 0),
                onTrial: (rate) => progress.update(0, 0, rate),
            });
            progress.stop();
            writeWarnings(io, path, result.warnings, 'the page lists them');
            shown = { ...shown, outputs: result.outputs, warnings: result.warnings };
        } finally {
            progress.stop();
        }
    }
    for (const { path: bake, manifest } of read.files) {
        if (isBakeOf(model, manifest)) continue;
        const clips = absentClips(model, manifest);
        const what =
            clips === null
                ? `this is the bake of another model, or the model has changed since: it was '${manifest.source.name}'`
                : `the clips of '${clips}' are not those of any file here, or it has changed since`;
        const message = `${bake}: ${what}`;
        if (html !== undefined) throw new ExitError(EXIT.tolerance, message);
        writeWarnings(io, bake, [{ code: 'SOURCE_DIFFERS', pointer: '/source/sha256', message }], '');
    }
    const page = await pageOf(basename(path), model, [shown], recipe, io.signal);
    await show(path, page, { html, port }, io);
}

async function viewReduced(
    path: string,
    reduced: string,
    maxError: Options['maxError'],
    to: Pick<Options, 'html' | 'port'>,
    io: Io,
): Promise<void> {
    if (to.html !== undefined) await refuseFile('--html', to.html, null);
    const { inputsOfModel, pageOfReduced } = require('./page') as typeof import('./page');
    if (to.html !== undefined) {
        await refuseInput('--html', to.html, [...(await inputsOfModel(path)), ...(await inputsOfModel(reduced))]);
    }
    const progress = createProgress(io.stderr, oneLine(basename(reduced)), 1);
    let made: Awaited<ReturnType<typeof pageOfReduced>>;
    try {
        made = await pageOfReduced(path, reduced, {
            ...(maxError !== undefined && { maxError }),
            signal: io.signal,
            onProgress: (done, total) => progress.update(done, total > 0 ? done / total : 0),
        });
    } finally {
        progress.stop();
    }
    writeWarnings(io, reduced, made.problems, 'the page lists them');
    await show(path, made.page, to, io);
}

/** Writes a page, or serves it until the signal is aborted. */
async function show(path: string, page: string, { html, port = 0 }: Pick<Options, 'html' | 'port'>, io: Io) {
    if (html === undefined) return serve(page, port, io);
    await writeWhole('--html', html, page);
    writeLine(io.stdout, `${path} -> ${html}, ${roughSizeOf(Buffer.byteLength(page))}`);
}

/**
 * Refuses bake options that have no effect: a finished bake has its own, and a reduced model is not baked.
 *
 * @param left Options that still have an effect.
 */
function refuseRecipe(command: Command, left: readonly string[], why: string): void {
    for (const option of command.options) {
        const name = option.attributeName();
        if (left.includes(name) || command.getOptionValueSource(name) !== 'cli') continue;
        throw new UsageError(`${option.long} has no effect: ${why}; leave it out`);
    }
}

/** @param port 0 for any free port. */
async function serve(page: string, port: number, { stdout, signal }: Io): Promise<void> {
    const bytes = Buffer.from(page);
    const server = createServer(({ method, url, headers: { host = '' } }, response) => {
        // Another site could point its name at this server and read the model.
        const isOurs = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
        const found = isOurs && url === '/' && (method === 'GET' || method === 'HEAD');
        const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': bytes.length };
        response.writeHead(found ? 200 : 404, found ? headers : {}).end(found && method === 'GET' ? bytes : '');
    });
    server.listen(port, '127.0.0.1');
    try {
        await once(server, 'listening', { signal });
    } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
        const why = code === 'EADDRINUSE' ? 'is in use' : 'is not allowed by the system';
        throw new ExitError(EXIT.internal, `--port ${port} ${why}; choose another (${message})`);
    }
    const { port: had } = server.address() as AddressInfo;
    writeLine(stdout, `http://127.0.0.1:${had}/ (Ctrl-C ends)`);
    await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        else signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    server.close();
    server.closeAllConnections();
}
