// SPDX-License-Identifier: MIT
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../lib/format/manifest';
import { nativeSkipReason } from './implementations';
import { outputOfNode, startNode } from './processes';

/** A value of `POSELANE_BACKEND`. */
export type Backend = 'ts' | 'wasm' | 'native' | `strict/${string}`;

export type { Manifest };

const ROOT = join(__dirname, '../..');

/** The reason why the addon can be missing here; null where a missing addon is a failure. */
export const withoutAddon: () => string | null = nativeSkipReason;

export const BACKENDS: readonly Backend[] = withoutAddon() === null ? ['native', 'ts'] : ['wasm', 'ts'];

/** The tests run the built package, so dist/ must not be older than lib/. */
function requireFreshBuild(): void {
    const built = join(ROOT, 'dist/index.js');
    if (!existsSync(built)) throw new Error('dist/ is missing: run npm run build first');
    const sources = readdirSync(join(ROOT, 'lib'), { recursive: true }) as string[];
    const newest = Math.max(...sources.map((name) => statSync(join(ROOT, 'lib', name)).mtimeMs));
    if (statSync(built).mtimeMs < newest) throw new Error('dist/ is older than lib/: run npm run build first');
}

// Thousands of frames and several processes; a slow machine may need more than jest's 5 s for one model.
jest.setTimeout(60_000);

const servers = new Map<Backend, ChildProcess>();

function serverOf(backend: Backend): ChildProcess {
    let server = servers.get(backend);
    if (server === undefined) {
        requireFreshBuild();
        server = startNode([join(__dirname, 'bake-server.cjs')], {
            env: { ...process.env, POSELANE_BACKEND: backend },
            serialization: 'advanced',
            stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        });
        servers.set(backend, server);
    }
    return server;
}

interface Answer {
    readonly id: number;
    readonly outputs?: readonly BakedFiles[];
    readonly error?: { code: string; message: string };
}

/** The contents of an output's two files. */
export interface BakedFiles {
    readonly stem: string;
    readonly json: string;
    readonly bin: Uint8Array;
}

let asked = 0;

/** Bakes with the built library's `bakeFile` on the backend asked for; one result a skin. Errors keep their code. */
export function bakeFilesOn(backend: Backend, input: string, options: object): Promise<readonly BakedFiles[]> {
    const server = serverOf(backend);
    const id = ++asked;
    return new Promise((resolve, reject) => {
        const ended = (code: number | null): void => {
            server.off('message', answered);
            servers.delete(backend);
            reject(new Error(`the process that bakes on '${backend}' ended with ${code}`));
        };
        const answered = ({ id: of, outputs, error }: Answer): void => {
            if (of !== id) return;
            server.off('message', answered).off('exit', ended);
            if (error === undefined) resolve(outputs!);
            else reject(Object.assign(new Error(error.message), { code: error.code }));
        };
        server.on('message', answered);
        server.on('exit', ended);
        server.send({ id, input, options });
    });
}

/** Bakes with the built command-line tool into a folder, and reads the manifests there, one a skin. */
export function bakeByCommand(backend: Backend, input: string, fps: number, folder: string) {
    requireFreshBuild();
    const tool = join(ROOT, 'dist/cli/main.js');
    outputOfNode([tool, 'bake', input, '-o', folder, '--fps', String(fps)], {
        env: { ...process.env, POSELANE_BACKEND: backend },
    });
    const manifests = readdirSync(folder).filter((name) => name.endsWith('.bake.json'));
    return manifests.sort().map((name) => {
        const manifest: Manifest = JSON.parse(readFileSync(join(folder, name), 'utf8'));
        return { stem: name.slice(0, -'.bake.json'.length), manifest };
    });
}
