// SPDX-License-Identifier: MIT

/** Loads the report's model by GLTFLoader. All its files are in the page. */

import dracoBytes from 'draco:draco_decoder.wasm';
import dracoScript from 'draco:draco_wasm_wrapper.js';
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { packedKeys } from '../../verify/packed-keys';
import type { ReportData } from '../data';
import { readBlob } from './blobs';
import { say } from './dom';

const BASISU = 'KHR_texture_basisu';

/**
 * Loads the model, at rest, without its lights, because the page has its own.
 *
 * @throws Error with a sentence for the page.
 */
export async function loadModel({ files }: Pick<ReportData, 'files'>): Promise<GLTF> {
    const [main, ...others] = await Promise.all(files.map(({ uri, blob }) => readBlob(blob, uri)));
    const urls = new Map(others.map((bytes, i) => [pathOf(files[i + 1]!.uri), URL.createObjectURL(new Blob([bytes]))]));
    const names = new Map(files.slice(1).map(({ uri }) => [urls.get(pathOf(uri))!, uri]));
    const manager = new THREE.LoadingManager();
    manager.setURLModifier((url) => (/^(blob|data):/i.test(url) ? url : (urls.get(pathOf(url)) ?? absent(url))));
    manager.onError = (url) => {
        const name = names.get(url) ?? (/^(blob|data):/i.test(url) ? 'An image inside the file' : url);
        say(`${name} cannot be decoded; what uses it is shown without it.`);
    };
    const draco = new DRACOLoader(manager);
    draco.setDecoderPath({
        js: URL.createObjectURL(new Blob([dracoScript])),
        wasm: URL.createObjectURL(new Blob([dracoBytes])),
    });
    const loader = new GLTFLoader(manager).setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);
    loader.register((parser) => packedKeys(parser, THREE.BufferAttribute));
    try {
        const gltf = await loader.parseAsync(main!.buffer, '');
        gltf.scene ??= await sceneOf(gltf);
        const lights: THREE.Object3D[] = [];
        gltf.scene.traverse((object) => {
            if ('isLight' in object) lights.push(object);
        });
        for (const light of lights) light.removeFromParent();
        return gltf;
    } catch (error) {
        if (String(error).includes('KTX2')) {
            throw new Error(`It has KTX2 textures (${BASISU}), which this page does not decode.`, { cause: error });
        }
        throw error;
    } finally {
        draco.dispose();
    }
}

/** The scene of a file that names none: all nodes without a parent. */
async function sceneOf({ parser }: GLTF): Promise<THREE.Group> {
    const nodes: readonly { children?: number[] }[] = parser.json.nodes ?? [];
    const below = new Set(nodes.flatMap(({ children = [] }) => children));
    const roots = [...nodes.keys()].filter((node) => !below.has(node));
    const objects: THREE.Object3D[] = await Promise.all(roots.map((node) => parser.getDependency('node', node)));
    const scene = new THREE.Group();
    for (const object of objects) scene.add(object);
    return scene;
}

function absent(url: string): string {
    say(`The model refers to ${url}, which this report does not have.`);
    return 'data:,';
}

/** Decodes a URI to a path. */
function pathOf(uri: string): string {
    try {
        return decodeURIComponent(uri).replace(/^(\.\/)+/, '');
    } catch {
        return uri;
    }
}
