// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a manifest that these tests read, written down from shared/baking.md and not taken from lib/. */
export interface Manifest {
    readonly format: string;
    readonly binary: { uri: string; byteLength: number; sha256: string };
    readonly recipe: { fps: [number, number] };
    readonly skin: { index: number; joints: { node: number; name: string; parent: number }[] };
    readonly clips: ManifestClip[];
    readonly arrays: Record<string, { byteOffset: number; byteLength: number; shape: number[]; layout: string }>;
    readonly warnings: { code: string; pointer: string; message: string }[];
}

export interface ManifestClip {
    readonly name: string;
    readonly animation: number;
    readonly firstRow: number;
    readonly frameCount: number;
    readonly duration: number;
    readonly fps: number | null;
    readonly animated?: boolean;
    readonly discontinuities: unknown[];
}

export interface Baked {
    readonly stem: string;
    readonly manifest: Manifest;
    readonly bin: Buffer;
}

export type Backend = 'ts' | 'native';
export const BACKENDS: readonly Backend[] = ['native', 'ts'];

interface Library {
    readonly backend: string;
    bakeFile(input: string, options: { fps: number | string }): Promise<{ outputs: { stem: string; json: string; bin: Uint8Array }[] }>;
}

/** A fresh copy of the library from its sources, on the backend asked for. */
export function loadLibrary(backend: Backend): Library {
    let library: Library | undefined;
    const before = process.env.POSELANE_BACKEND;
    process.env.POSELANE_BACKEND = backend;
    try {
        jest.isolateModules(() => {
            library = require('../../lib') as Library;
        });
    } finally {
        if (before === undefined) delete process.env.POSELANE_BACKEND;
        else process.env.POSELANE_BACKEND = before;
    }
    return library!;
}

/** Bakes in this process; one result a skin. */
export async function bakeHere(library: Library, input: string, fps: number | string): Promise<Baked[]> {
    const { outputs } = await library.bakeFile(input, { fps });
    return outputs.map(({ stem, json, bin }) => ({
        stem,
        manifest: JSON.parse(json) as Manifest,
        bin: Buffer.from(bin.buffer, bin.byteOffset, bin.byteLength),
    }));
}

/** Bakes with the built command-line tool and reads its files back from the folder, one result a skin. */
export function bakeByCommand(backend: Backend, input: string, fps: number | string, folder: string): Baked[] {
    const tool = join(__dirname, '../../dist/cli/main.js');
    if (!existsSync(tool)) throw new Error(`${tool} is missing: run npm run build first`);
    execFileSync(process.execPath, [tool, 'bake', input, '-o', folder, '--fps', String(fps)], {
        env: { ...process.env, POSELANE_BACKEND: backend },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    const manifests = readdirSync(folder).filter((name) => name.endsWith('.bake.json'));
    return manifests.sort().map((name) => {
        const manifest = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Manifest;
        return { stem: name.slice(0, -'.bake.json'.length), manifest, bin: readFileSync(join(folder, decodeURIComponent(manifest.binary.uri))) };
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
    expect(shape).toEqual([rows, manifest.skin.joints.length, 16]);
    expect(byteLength).toBe(rows * manifest.skin.joints.length * 64);
    expect(byteOffset % 256).toBe(0);
    const floats = new Float32Array(byteLength / 4);
    for (let k = 0; k < floats.length; k++) floats[k] = bin.readFloatLE(byteOffset + k * 4);
    return floats;
}
