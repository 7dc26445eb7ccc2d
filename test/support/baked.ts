// SPDX-License-Identifier: MIT
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest as FormatManifest } from '../../lib/format/manifest';
import { nativeSkipReason } from './implementations';
import { outputOfNode, startNode } from './processes';

/** The manifest of a bake with a skin. */
export type Manifest = FormatManifest & { readonly skin: NonNullable<FormatManifest['skin']> };

export interface Baked {
    readonly stem: string;
    readonly manifest: Manifest;
    readonly bin: Buffer;
}

/** A value of `POSELANE_BACKEND`. */
export type Backend = 'ts' | 'wasm' | 'native' | `strict/${string}`;

const ROOT = join(__dirname, '../..');

/** Why the addon need not be there, or null: then its absence is a failure. */
export const withoutAddon: () => string | null = nativeSkipReason;

export const BACKENDS: readonly Backend[] = withoutAddon() === null ? ['native', 'ts'] : ['wasm', 'ts'];

/** What is judged is the built package, so it has to be built from what lies in lib/. */
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

/** What an output's two files have in them. */
export interface BakedFiles {
    readonly stem: string;
    readonly json: string;
    readonly bin: Uint8Array;
}

let asked = 0;

/**
 * Bakes with the built library's `bakeFile` on the backend asked for; one result a skin. Errors keep their code.
 *
 * @param options Others than `fps`.
 */
export async function bakeFileOn(
    backend: Backend,
    input: string,
    fps: number | string,
    options: Readonly<Record<string, unknown>> = {},
): Promise<Baked[]> {
    const outputs = await bakeFilesOn(backend, input, { ...options, fps });
    return outputs.map(({ stem, json, bin }) => {
        const manifest = JSON.parse(json) as Manifest;
        return { stem, manifest, bin: Buffer.from(bin.buffer, bin.byteOffset, bin.byteLength) };
    });
}

/** The same with any options, and what it gives as it stands. */
export function bakeFilesOn(backend: Backend, input: string, options: object): Promise<readonly BakedFiles[]> {
    const server = serverOf(backend);
    const id = ++asked;
    return new Promise((resolve, reject) => {
        const done = (): void => {
            server.off('message', answered);
            server.off('exit', ended);
        };
        const ended = (code: number | null): void => {
            done();
            servers.delete(backend);
            reject(new Error(`the process that bakes on '${backend}' ended with ${code}`));
        };
        const answered = ({ id: of, outputs, error }: Answer): void => {
            if (of !== id) return;
            done();
            if (error !== undefined) {
                reject(Object.assign(new Error(error.message), { code: error.code }));
                return;
            }
            resolve(outputs!);
        };
        server.on('message', answered);
        server.on('exit', ended);
        server.send({ id, input, options });
    });
}

/** Bakes with the built command-line tool and reads its files back from the folder, one result a skin. */
export function bakeByCommand(
    backend: Backend,
    input: string,
    fps: number | string,
    folder: string,
    ...flags: string[]
): Baked[] {
    requireFreshBuild();
    const tool = join(ROOT, 'dist/cli/main.js');
    outputOfNode([tool, 'bake', input, '-o', folder, '--fps', String(fps), ...flags], {
        env: { ...process.env, POSELANE_BACKEND: backend },
    });
    const manifests = readdirSync(folder).filter((name) => name.endsWith('.bake.json'));
    return manifests.sort().map((name) => {
        const manifest = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Manifest;
        const bin = readFileSync(join(folder, decodeURIComponent(manifest.binary.uri)));
        return { stem: name.slice(0, -'.bake.json'.length), manifest, bin };
    });
}

/** The palettes of all rows, after checking that manifest and file agree with each other. */
export function palettesOf({ manifest, bin }: Baked): Float32Array {
    expect(manifest.format).toBe('poselane-bake');
    expect(bin.length).toBe(manifest.binary.byteLength);
    expect(createHash('sha256').update(bin).digest('hex')).toBe(manifest.binary.sha256);
    const { byteOffset, byteLength, shape, layout } = manifest.arrays.palette!;
    const rows = manifest.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    expect(layout).toBe('mat4');
    const columns = (manifest.skin?.joints.length ?? 0) + manifest.attachments.length;
    expect(shape).toEqual([rows, columns, 16]);
    expect(byteLength).toBe(rows * columns * 64);
    expect(byteOffset % 256).toBe(0);
    const floats = new Float32Array(byteLength / 4);
    for (let k = 0; k < floats.length; k++) floats[k] = bin.readFloatLE(byteOffset + k * 4);
    return floats;
}
