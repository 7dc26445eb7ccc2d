// SPDX-License-Identifier: MIT

import { describe, isGone, isUint8Array, lengthOf } from '../../base/arguments';
import { rangeError, typeError } from '../../base/errors';
import type { BakeOutput } from '../skin';
import { type BakeContainer, namesOf } from './container';

/** A file of the whole input, besides manifests and bins. */
export interface BakeFile {
    /** File name. Files that belong together have a folder of their own, `hero_vat/hero.glb`. */
    readonly name: string;
    /** Contents. */
    readonly bytes: Uint8Array;
    /**
     * Length, if the bytes are read on first access.
     *
     * @internal
     */
    readonly byteLength?: number;
}

/** The part of a `BakeResult` that is written. Its bytes must not change before the call ends. */
export interface Writable {
    /** Pairs of manifest and bin. */
    readonly outputs: readonly Pick<BakeOutput, 'stem' | 'json' | 'bin'>[];
    /** Default: none. */
    readonly files?: readonly BakeFile[];
    /** Absolute paths that must not be overwritten. Default: none. */
    readonly inputs?: readonly string[];
}

/**
 * Checks a bake before its files are made.
 *
 * @param separator Separates folders in paths, besides `/`.
 * @throws As `writeBake`.
 */
export function checkBake(
    routine: string,
    bake: Writable | Writable['outputs'],
    container: BakeContainer,
    separator = '/',
): Writable {
    const refuse = (what: string): never => {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: bake must be what bakeFile gives, got ${what}`);
    };
    if (typeof bake !== 'object' || bake === null) return refuse(describe(bake));
    const { outputs, files = [], inputs = [] }: Writable = isList(bake) ? { outputs: bake } : bake;
    if (!Array.isArray(outputs) || !Array.isArray(files)) return refuse(describe(bake));
    if (!Array.isArray(inputs) || !inputs.every(isText)) return refuse('inputs that are not a list of paths');
    for (const [i, output] of outputs.entries()) {
        if (!isText(output?.stem) || !isText(output.json) || !isUint8Array(output.bin)) {
            refuse(`outputs[${i}] without stem, json or bin`);
        }
        checkName(routine, separator, `outputs[${i}].stem`, output.stem, `${output.stem}.bake.json`);
        checkLive(routine, `outputs[${i}].bin`, output.bin);
        const manifest = manifestIn(output.json);
        if (manifest === undefined && container === 'glb') refuse(`outputs[${i}].json that is not JSON`);
        const [stated, length] = [manifest?.binary?.byteLength, lengthOf(output.bin)];
        if (typeof stated === 'number' && stated !== length) {
            const what = `outputs[${i}].bin has ${length} bytes, its manifest states ${stated}`;
            throw rangeError('ERR_BINARY_DIFFERS', `${routine}: ${what}`);
        }
    }
    for (const [i, file] of files.entries()) {
        if (!isText(file?.name) || !isUint8Array(file.bytes)) refuse(`files[${i}] without name or bytes`);
        const parts = file.name.split('/', 3);
        for (const part of parts.length > 2 ? [file.name] : parts)
            checkName(routine, separator, `files[${i}].name`, file.name, part);
        checkLive(routine, `files[${i}].bytes`, file.bytes);
    }
    const own = outputs.flatMap(({ stem }) => namesOf(stem, container));
    checkDifferent(routine, [...own, ...files.map(({ name }) => name)]);
    return { outputs, files, inputs };
}

/** Some file systems ignore case in names. */
function checkDifferent(routine: string, names: readonly string[]): void {
    const seen = new Set<string>();
    for (const name of names) {
        if (seen.size === seen.add(name.toLowerCase()).size) {
            throw typeError(
                'ERR_ARGUMENT_TYPE',
                `${routine}: bake has two files ${describe(name)}, needs different names`,
            );
        }
    }
}

function isText(value: unknown): boolean {
    return typeof value === 'string';
}

/** A name that contains other folders could lead out of the given folder. */
function checkName(routine: string, separator: string, argument: string, given: string, name = given): void {
    if (!['', '.', '..'].includes(name) && !['/', separator, '\0'].some((part) => name.includes(part))) return;
    const rule = `must be the name of a file without its folder, got ${describe(given)}`;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} ${rule}`);
}

function checkLive(routine: string, argument: string, bytes: Uint8Array): void {
    if (!isGone(bytes)) return;
    throw typeError('ERR_DETACHED_BUFFER', `${routine}: ${argument} is detached or shrunk, needs a live buffer`);
}

function manifestIn(json: string): { readonly binary?: { readonly byteLength?: unknown } } | null | undefined {
    try {
        return JSON.parse(json);
    } catch {
        return undefined;
    }
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(bake: Writable | Writable['outputs']): bake is Writable['outputs'] {
    return Array.isArray(bake);
}
