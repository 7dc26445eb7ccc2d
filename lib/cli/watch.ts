// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readReferences } from '../gltf/files';
import type { BakeJobResult } from './batch/bake-job';
import { wasCut } from './batch/batch';
import { inputsOf, type Settings, settingsOf } from './config';
import { EXIT, exitCodeOf } from './exit-codes';
import { messageOf } from './flags';
import { expandInputs } from './inputs';
import { type Io, plural, writeError, writeLine } from './io';

/** One bake of `--watch`; or the only one, without it. */
export interface Round {
    /** The inputs to bake, or null for all. */
    readonly changed: ReadonlySet<string> | null;
    readonly results: Map<string, BakeJobResult>;
}

/** Minimum pause between two looks. */
const PAUSE_MILLISECONDS = 100;
/** After a slow look, the pause is this many times longer. */
const PAUSE_LOOKS = 4;

/** The state of everything that is watched: each input with all that its bake depends on, and the config. */
interface Look {
    readonly inputs: ReadonlyMap<string, string>;
    readonly config: string;
}

/**
 * Bakes, then bakes changed inputs again until the signal is aborted. Watches inputs, the files that they refer to, clips of other files,
 * the config, and new files that match.
 *
 * Looks at the files again and again. System notifications differ between systems, and miss network drives, containers and files that an
 * editor replaces.
 *
 * @param settings Settings of the first bake.
 * @param read Reads the settings again.
 * @throws A usage error of the first bake; the signal's reason.
 */
export async function watch(
    settings: Settings,
    read: () => Promise<Settings>,
    bake: (settings: Settings, round: Round, io: Io) => Promise<void>,
    io: Io,
): Promise<void> {
    const results = new Map<string, BakeJobResult>();
    const look = createLook(results);
    let now = await look(settings);
    for (let changed: Set<string> | null = null; ; ) {
        try {
            await bake(settings, { changed, results }, io);
        } catch (error) {
            io.signal?.throwIfAborted();
            if (results.size === 0 && exitCodeOf(error) === EXIT.usage) throw error;
            writeError(io, messageOf(error));
        }
        if (!settings.given.quiet) {
            writeLine(io.stderr, `poselane: watching ${plural(String(now.inputs.size), 'file')} (Ctrl-C ends)`);
        }
        const baked = now;
        for (let fixed = false; !fixed; ) {
            const { config } = now;
            now = await untilChanged(() => look(settings), now, io.signal);
            fixed = true;
            if (now.config === config) continue;
            try {
                settings = await read();
                now = await look(settings);
            } catch (error) {
                writeError(io, messageOf(error));
                fixed = false;
            }
        }
        const { inputs } = now;
        changed = new Set(
            [...inputs.keys()].filter((input) => {
                const result = results.get(input);
                // --fail-fast may have stopped it.
                return !result || wasCut(result) || inputs.get(input) !== baked.inputs.get(input);
            }),
        );
    }
}

/** Waits for a change, then until two looks are the same. */
async function untilChanged(look: () => Promise<Look>, before: Look, signal: AbortSignal | undefined): Promise<Look> {
    for (let last = before; ; ) {
        const started = performance.now();
        const now = await look();
        const took = performance.now() - started;
        if (!isSame(now, before) && isSame(now, last)) return now;
        last = now;
        const long = isSame(now, before) ? took * PAUSE_LOOKS : 0;
        await setTimeout(Math.max(PAUSE_MILLISECONDS, long), undefined, { signal });
    }
}

function isSame(a: Look, b: Look): boolean {
    if (a.config !== b.config || a.inputs.size !== b.inputs.size) return false;
    return [...a.inputs].every(([input, state]) => b.inputs.get(input) === state);
}

/** Makes a function that looks at everything. It reads only changed files. */
function createLook(results: ReadonlyMap<string, BakeJobResult>): (settings: Settings) => Promise<Look> {
    const references = new Map<string, { readonly state: string; readonly paths: readonly string[] }>();
    const stateOfModel = async (path: string): Promise<string> => {
        const state = await stateOf(path);
        let known = references.get(path);
        if (known?.state !== state) {
            known = { state, paths: (await readReferences(path)).map((name) => join(dirname(path), name)) };
            references.set(path, known);
        }
        return [state, ...(await Promise.all(known.paths.map(stateOf)))].join();
    };
    return async (settings) => {
        const names = await Promise.all(
            settings.names.map((name) =>
                found(async () => (await inputsOf({ ...settings, names: [name] }, results)).map(({ path }) => path)),
            ),
        );
        const inputs = await settingsOf(settings, [...new Set(names.flat())]);
        const states = [...inputs].map(async ([input, { given }]) => {
            const animations = await found(() => expandInputs(given.animations ?? []));
            const models = await Promise.all([input, ...animations].map(stateOfModel));
            return [input, JSON.stringify([given, animations, models])] as const;
        });
        const { config } = settings;
        return { inputs: new Map(await Promise.all(states)), config: config === null ? '' : await stateOf(config) };
    };
}

/** The files found, or none after an error. */
async function found(expand: () => Promise<string[]>): Promise<string[]> {
    return expand().catch(() => []); // the bake reports the error
}

async function stateOf(path: string): Promise<string> {
    const { ino, size, mtimeNs, ctimeNs } = (await stat(path, { bigint: true }).catch(() => null)) ?? {};
    return [ino, size, mtimeNs, ctimeNs].join(' ');
}
