// SPDX-License-Identifier: MIT

/** The GLB of a character for an engine: one mesh that a shader moves, with the materials of the input. */

import type { Accessor, Document, Material, Primitive, TextureInfo } from '@gltf-transform/core' with {
    'resolution-mode': 'import',
};
import { floatsOf } from '../../rig/source/document-meshes';
import { joined } from '../pvat/pvat';

/** The vertices of a primitive of the input, and what replaces their attributes. */
export interface Part {
    readonly source: Primitive;
    /** `[vertex][3]` */
    readonly positions: Float32Array;
    readonly normals: Float32Array;
    /** `[vertex][2]`: where a shader finds the vertex in a texture. */
    readonly places: Float32Array;
    /** Numbers of vertices of this part. */
    readonly triangles: Uint32Array;
}

/** Extensions of materials and their textures. Others belong to nodes, skins and meshes. */
const KEPT = /^(KHR_materials_(?!variants)|KHR_texture|EXT_texture)/;

/** Groups parts by material, in the order in which materials first come. Each group becomes a primitive. */
export function byMaterial<T extends { readonly source: Primitive }>(parts: readonly T[]): T[][] {
    const groups = new Map<Material | null, T[]>();
    for (const part of parts) {
        const material = part.source.getMaterial();
        groups.set(material, [...(groups.get(material) ?? []), part]);
    }
    return [...groups.values()];
}

/**
 * Replaces the contents of a Document by one node with one mesh. `TEXCOORD_1` has the places of vertices. Further sets
 * of texture coordinates get the next number. Skins, clips, tangents and all other nodes are removed.
 */
export function replaceByMesh(document: Document, name: string, groups: readonly (readonly Part[])[]): void {
    const root = document.getRoot();
    const infos = document
        .getGraph()
        .listEdges()
        .map((edge) => edge.getChild() as unknown as TextureInfo)
        // The transform of KHR_texture_transform can name another set. Null, which names none, stays null.
        .filter(({ propertyType }) => ['TextureInfo', 'Transform'].includes(propertyType));
    const known = infos.map((info) => info.getTexCoord() ?? 0);
    const sets = [...new Set(known.filter((set) => set > 0))].sort((a, b) => a - b);
    const numberOf = (set: number) => (set > 0 ? sets.indexOf(set) + 2 : set);
    for (const info of new Set(infos)) info.setTexCoord(numberOf(info.getTexCoord()));
    const [buffer = document.createBuffer()] = root.listBuffers();
    const accessor = (array: Float32Array | Uint16Array | Uint32Array, type: string): Accessor =>
        document
            .createAccessor()
            .setType(type as 'VEC3')
            .setArray(array as Float32Array<ArrayBuffer>)
            .setBuffer(buffer);
    const mesh = document.createMesh(name);
    for (const parts of groups) {
        const primitive = document.createPrimitive().setMaterial(parts[0]!.source.getMaterial());
        mesh.addPrimitive(primitive);
        const set = (attribute: string, type: string, list: (part: Part) => Float32Array) =>
            primitive.setAttribute(attribute, accessor(joined(Float32Array, parts.map(list)), type));
        set('POSITION', 'VEC3', ({ positions }) => positions);
        set('NORMAL', 'VEC3', ({ normals }) => normals);
        // glTF wants all numbers from 0 on.
        for (const uv of [0, ...sets])
            set(`TEXCOORD_${numberOf(uv)}`, 'VEC2', (part) => valuesOf(part, `TEXCOORD_${uv}`, 2, 0));
        set('TEXCOORD_1', 'VEC2', ({ places }) => places);
        if (parts.some(({ source }) => source.getAttribute('COLOR_0') !== null))
            set('COLOR_0', 'VEC4', (part) => valuesOf(part, 'COLOR_0', 4, 1));
        let count = 0;
        const triangles = parts.map(({ triangles: own, positions }) => {
            const moved = own.map((index) => index + count);
            count += positions.length / 3;
            return moved;
        });
        const indices = joined(Uint32Array, triangles);
        // Index 65,535 starts a new strip in WebGL.
        primitive.setIndices(accessor(count > 65535 ? indices : Uint16Array.from(indices), 'SCALAR'));
    }
    for (const extension of root.listExtensionsUsed()) if (!KEPT.test(extension.extensionName)) extension.dispose();
    const scene = document.createScene(name).addChild(document.createNode(name).setMesh(mesh));
    root.setDefaultScene(scene);
    const graph = document.getGraph();
    const kept = new Set([scene as ReturnType<typeof graph.listChildren>[0]]);
    for (const one of kept) for (const child of graph.listChildren(one)) kept.add(child);
    for (const one of graph.listChildren(root)) if (!kept.has(one)) one.dispose();
}

/** An attribute of a primitive as floats, where it is missing `rest`. */
function valuesOf({ source, positions }: Part, name: string, size: number, rest: number): Float32Array {
    const all = new Float32Array((positions.length / 3) * size).fill(rest);
    const own = source.getAttribute(name);
    if (own === null) return all;
    const width = own.getElementSize(); // colors have 3 or 4 numbers
    for (const [i, x] of floatsOf(own).entries()) all[Math.floor(i / width) * size + (i % width)] = x;
    return all;
}
