// SPDX-License-Identifier: MIT

/** Converts FBX files in a thread of its own, which can be ended at any point: a damaged file may never end. */

import { parentPort } from 'node:worker_threads';
import { writeConverted } from '../write-glb';
import { NoLoader, readFbx } from './babylon';
import { convertScene } from './scene';

/** A file, or the contents of a file that was asked for; null if none of its names exists. */
export type FbxRequest = { readonly fbx: Uint8Array } | { readonly found: Uint8Array | null };

/** The converted file, or the reason why there is none. */
export type FbxResult = { readonly glb: Uint8Array } | { readonly rule: string; readonly isMissing: boolean };

/** The result, or a question for a file by several names. */
export type FbxAnswer = FbxResult | { readonly names: readonly string[] };

// The loader prints.
Object.assign(console, { log() {}, info() {}, warn() {}, error() {} });

const port = parentPort!;
let answered: (found: Uint8Array | null) => void = () => {};

const find = (names: readonly string[]) =>
    new Promise<Uint8Array | null>((resolve) => {
        answered = resolve;
        port.postMessage({ names } satisfies FbxAnswer);
    });

async function convert(bytes: Uint8Array): Promise<Uint8Array> {
    const core = await import('@gltf-transform/core');
    const scene = await readFbx(bytes);
    const { unitScaleFactor, upAxis } = scene.fbx;
    const unit = { 1: 'centimeters', 100: 'meters', 2.54: 'inches', 0.1: 'millimeters' }[unitScaleFactor];
    const axis = ['X', 'Y', 'Z'][upAxis] ?? 'Y';
    const source = `FBX, ${unit ?? `units of ${unitScaleFactor} cm`}, ${axis} up, ${scene.fbx.frameRate} fps`;
    const { document, about } = await convertScene(core, scene, find, source);
    return writeConverted(core, document, about);
}

/** JavaScript's own errors say nothing of the file. Those thrown here are of other classes. */
const isUnforeseen = (error: unknown) => error instanceof TypeError || error instanceof RangeError;
const DAMAGED = 'the file is damaged or uses an unknown feature; export it again as FBX Binary 7.4 or later';

port.on('message', (request: FbxRequest) => {
    if ('found' in request) {
        answered(request.found);
        return;
    }
    convert(request.fbx).then(
        (glb) => port.postMessage({ glb } satisfies FbxAnswer),
        (error: unknown) => {
            const text = error instanceof Error ? error.message.replace(/^FBXFileLoader: /, '') : String(error);
            const rule = isUnforeseen(error) ? DAMAGED : text;
            port.postMessage({ rule, isMissing: error instanceof NoLoader } satisfies FbxAnswer);
        },
    );
});
