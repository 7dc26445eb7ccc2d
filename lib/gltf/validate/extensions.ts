// SPDX-License-Identifier: MIT

import { arrayAt, describe, type JsonObject } from '../json';
import { fail, invalid, type Report } from '../reading';

/** Extensions that change the data of skins and animations, and that are decoded here. */
const SUPPORTED = new Set([
    'EXT_meshopt_compression',
    'KHR_animation_pointer',
    'KHR_draco_mesh_compression',
    'KHR_mesh_quantization',
    'KHR_meshopt_compression',
]);

/** Extensions that only affect appearance. They change no transform, and no accessor of a skin or an animation. */
const APPEARANCE = /^[A-Z0-9]+_(?:lights|materials|packing|texture)_[A-Za-z0-9_]+$/;

/** Other extensions that cannot change a pose: visibility, selection, instancing, sound, and metadata. */
const WITHOUT_EFFECT = new Set([
    'CESIUM_primitive_outline',
    'EXT_instance_features',
    'EXT_mesh_features',
    'EXT_mesh_gpu_instancing',
    'EXT_structural_metadata',
    'FB_geometry_metadata',
    'KHR_audio_emitter',
    'KHR_mesh_primitive_restart',
    'KHR_node_hoverability',
    'KHR_node_selectability',
    'KHR_node_visibility',
    'KHR_techniques_webgl',
    'KHR_xmp',
    'KHR_xmp_json_ld',
    'MSFT_lod',
]);

/** Whether an extension's effect is known: it is decoded here, or changes no pose. */
export function isKnownExtension(name: string): boolean {
    return SUPPORTED.has(name) || WITHOUT_EFFECT.has(name) || APPEARANCE.test(name);
}

/**
 * Rejects a file that requires an unsupported extension which could change the result (glTF 2.0, 3.12). Unknown
 * extensions are rejected, because they may redefine anything. Extensions in `extensionsUsed` that are not required are
 * optional, and are ignored.
 */
export function checkExtensions(json: JsonObject, report: Report): void {
    const pointer = '/extensionsRequired';
    for (const [index, name] of arrayAt(report, json.extensionsRequired, pointer).entries()) {
        if (typeof name !== 'string') invalid(report, `${pointer}/${index}`, `must be a string, is ${describe(name)}`);
        if (isKnownExtension(name)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', `${pointer}/${index}`, `needs ${describe(name)}, which is not supported`);
    }
}
