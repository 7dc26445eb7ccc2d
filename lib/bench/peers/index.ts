// SPDX-License-Identifier: MIT

/**
 * Other libraries on the same data. They are not dependencies: only those installed beside the caller or beside poselane are measured.
 * Their objects are made beforehand, so that only the calculation is timed.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Routine } from '../../lists/routines';
import type { BenchData } from '../data';
import type { Subject } from '../measure';
import { javascriptSubject } from '../subjects';
import type { PeerCalls } from './convert';
import { flatCalls } from './flat';
import { type GlMatrix, glMatrixCalls } from './gl-matrix';
import { type Three, threeCalls } from './three';

export interface PeerInfo {
    readonly name: string;
    /** Null where it is not installed. */
    readonly version: string | null;
}

/** Loops over flat arrays, part of this benchmark. */
const FLAT = 'flat JavaScript';

export interface Peer extends PeerInfo {
    /** Null where it is not installed. */
    readonly create: ((data: BenchData) => PeerCalls) | null;
}

/** All libraries, installed or not. */
export async function loadPeers(): Promise<Peer[]> {
    const three = await load<Three>('three');
    const glMatrix = await load<GlMatrix>('gl-matrix');
    return [
        {
            name: 'three.js',
            version: three?.version ?? null,
            create: three && ((data) => threeCalls(three.module, data)),
        },
        {
            name: 'gl-matrix',
            version: glMatrix?.version ?? null,
            create: glMatrix && ((data) => glMatrixCalls(glMatrix.module, data)),
        },
        { name: FLAT, version: '(part of this benchmark)', create: flatCalls },
    ];
}

/** The cases of the peers that are installed. */
export function peerSubjects(peers: readonly Peer[], data: BenchData): Subject[] {
    return peers.flatMap(({ name, create }) =>
        Object.entries(create?.(data) ?? {}).map(([routine, { run }]) =>
            javascriptSubject({ routine: routine as Routine, implementation: name, n: data.n }, run),
        ),
    );
}

/** Loads a package installed beside the caller or beside poselane. Null if it is missing. */
async function load<Module>(name: string): Promise<{ module: Module; version: string } | null> {
    const root = [process.cwd(), __dirname].map((folder) => packageRoot(name, folder)).find((found) => found !== null);
    if (!root) return null;
    const { version, main, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson;
    // three.js complains when it is loaded by `require`.
    const entry = exports?.['.']?.import ?? main;
    return { module: (await import(pathToFileURL(join(root, entry)).href)) as Module, version };
}

interface PackageJson {
    readonly version: string;
    readonly main: string;
    readonly exports?: { readonly '.'?: { readonly import?: string } };
}

function packageRoot(name: string, folder: string): string | null {
    for (let parent = resolve(folder); ; parent = dirname(parent)) {
        const root = join(parent, 'node_modules', name);
        if (existsSync(join(root, 'package.json'))) return root;
        if (parent === dirname(parent)) return null;
    }
}
