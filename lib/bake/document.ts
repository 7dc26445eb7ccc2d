// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { checkHooks, describe } from '../base/arguments';
import { typeError } from '../base/errors';
import type { BakeHooks } from '../base/progress';
import { asStored, componentTypeOf } from '../gltf/as-stored';
import type { GltfScene, SceneChannel, Warning } from '../gltf/scene';
import { SHORT } from '../gltf/validate/accessors';
import { lengthError, unitTolerance } from '../gltf/validate/transforms';
import { type DocumentLike, rigidMeshesOf, sourceOfDocument } from '../rig/source/from-document';
import { heldBytes, type RigSource } from '../rig/source/source';
import { type BakeResult, bakeRead, recipeWithoutFile } from './bake';
import type { BakeOptions } from './plan/options';
import { toLittleEndian } from './rows/floats';

/** Hooks of {@link bakeDocument}. */
export interface DocumentHooks extends BakeHooks {
    /** File name that the Document represents, used for outputs, manifests and messages. Default: `'document'`. */
    name?: string;
}

const ROUTINE = 'bakeDocument';
/** Default name of outputs. Messages do not use it. */
const DEFAULT_NAME = 'document.glb';

/**
 * Bakes the clips of a glTF-Transform Document. Prefer `bakeFile` if you have the file: a Document has already lost
 * parts of it (see `Rig.fromDocument`). The manifest's `source.sha256` is a hash of the data that was read from the
 * Document, not of a file.
 *
 * @param document The Document. It is not changed.
 * @param options As for {@link bakeFile}.
 * @param hooks Progress, a signal, and the name of the file.
 * @returns As {@link bakeFile}.
 * @throws As `bakeFile`; TypeError `ERR_ARGUMENT_TYPE` if `document` is not a Document; InputError `GLTF_INVALID` for
 * contents that no glTF file may have.
 * @example
 * const document = await new NodeIO().read('hero.glb');
 * const { outputs } = await bakeDocument(document, { fps: 30 }, { name: 'hero.glb' });
 */
export async function bakeDocument(
    document: DocumentLike,
    options: BakeOptions = {},
    hooks: DocumentHooks = {},
): Promise<BakeResult> {
    const started = performance.now();
    const recipe = recipeWithoutFile(ROUTINE, options);
    checkHooks(ROUTINE, hooks);
    const { name, signal } = hooks;
    if (name !== undefined && (typeof name !== 'string' || basename(name) === '')) {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: hooks.name must be a file's name, got ${describe(name)}`);
    }
    signal?.throwIfAborted();
    const file = name ?? '';
    const source = sourceOfDocument(document, ROUTINE, file);
    const whole = { ...source, rigidMeshes: rigidMeshesOf(document, source) };
    const read = { ...whole, ownBytes: heldBytes(whole) };
    return bakeRead(sceneOf(read, basename(name ?? DEFAULT_NAME)), file, recipe, hooks, started);
}

type DocumentSource = RigSource & Pick<GltfScene, 'rigidMeshes'>;

function sceneOf(source: DocumentSource, name: string): GltfScene {
    const ofChannels = source.animations.flatMap(({ channels }) => channels.flatMap(warningsOf));
    const warnings = [...(source.warnings ?? []), ...ofChannels];
    return { ...source, name, sha256: hashSource(source), warnings };
}

/** The warnings of the file reader that a Document can still reveal. */
function warningsOf(channel: SceneChannel): Warning[] {
    const { pointer, path, interpolation, times, values } = channel;
    const warnings: Warning[] = [];
    const repeated = times.findIndex((time, key) => key > 0 && time === times[key - 1]);
    if (repeated > 0) {
        const message = `key ${repeated} repeats the time before it, ${times[repeated]} s; the last one wins (5.7.1); export one key for each time`;
        warnings.push({ code: 'DUPLICATE_KEY_TIMES', pointer, message });
    }
    if (path !== 'rotation') return warnings;
    const [stride, first] = interpolation === 'CUBICSPLINE' ? [12, 4] : [4, 0];
    // The stored type of rotations is lost here. Use the largest tolerance that it can have had.
    const tolerance = Math.max(unitTolerance(SHORT), unitTolerance(componentTypeOf(asStored(channel).values)));
    for (let key = 0; key < times.length; key++) {
        const error = lengthError(values, key * stride + first);
        if (error <= tolerance) continue;
        const message = `the length of the rotation of key ${key} differs from 1 by ${error.toPrecision(2)} (3.5.3); a bake uses it as it is, or unit length with renormalize`;
        warnings.push({ code: 'NON_UNIT_ROTATION', pointer, message });
        break;
    }
    return warnings;
}

/**
 * SHA-256 of everything that a bake depends on: the lists as JSON, with a checksum in place of each list of numbers.
 */
function hashSource({ nodes, skins, animations, skinnedMeshes, rigidMeshes }: DocumentSource): string {
    const json = JSON.stringify({ nodes, skins, animations, skinnedMeshes, rigidMeshes }, (_, value) =>
        ArrayBuffer.isView(value) ? hashNumbers(value as Float32Array | Uint16Array) : value,
    );
    return createHash('sha256').update(json).digest('hex');
}

function hashNumbers(numbers: Float32Array | Uint16Array): string {
    return createHash('sha256').update(toLittleEndian(numbers.slice())).digest('hex');
}
