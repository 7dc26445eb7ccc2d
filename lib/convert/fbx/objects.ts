// SPDX-License-Identifier: MIT

/** Reads from the objects of an FBX document what the loader ignores. */

import { cached } from '../../base/cached';

export interface FbxDocument {
    readonly version: number;
    readonly nodes: readonly FbxNode[];
}

interface FbxNode {
    readonly name: string;
    readonly properties: readonly { readonly value: unknown }[];
    readonly children: readonly FbxNode[];
}

/** Parts of a document that the loader ignores. */
export interface Ignored {
    /** Identifiers of the skins that do not blend linearly. */
    readonly dualQuaternions: ReadonlySet<number>;
    /** Identifiers of the skins with more joints for a vertex than the loader takes. */
    readonly crowdedSkins: ReadonlySet<number>;
    /** Weights of the vertices of a shape, in percent, by the identifier of its channel. */
    readonly vertexWeights: ReadonlyMap<number, ArrayLike<number>>;
    /** Weights of blend shape channels without an animated property. */
    readonly percents: ReadonlyMap<number, number>;
    /**
     * Weights by the name of the channel, which files before version 7200 store as properties of meshes. By the identifier
     * of the geometry; before version 7000 by the name of the model.
     */
    readonly percentOf: ReadonlyMap<unknown, ReadonlyMap<unknown, number>>;
    /** Other parts, as messages. */
    readonly problems: readonly string[];
}

/** The loader takes this many joints for a vertex. */
const MOST_JOINTS = 8;

/**
 * The loader's reader of text never ends at a brace that closes nothing.
 *
 * @throws Error with the line of that brace.
 */
export function checkBraces(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (text.startsWith('Kaydara')) return;
    let depth = 0;
    for (const { 0: found, index } of text.matchAll(/;[^\n]*|"[^"]*"?|[{}]/g)) {
        if (found === '{') depth++;
        else if (found === '}') depth--;
        if (depth < 0) throw new Error(`line ${text.slice(0, index).split('\n').length}: '}' closes nothing`);
    }
}

/** Files before version 7000 have their axes and units among the objects, where the loader does not look. */
export function withSettings(document: FbxDocument): FbxDocument {
    const { nodes } = document;
    if (nodes.some(({ name }) => name === 'GlobalSettings')) return document;
    return { ...document, nodes: [...nodes, ...objectsOf(document).filter(({ name }) => name === 'GlobalSettings')] };
}

/** The local range of a stack counts, as in MotionBuilder. The loader takes the last range in the file. */
export function withLocalRanges(document: FbxDocument): FbxDocument {
    const isOf = (range: string) => (one: FbxNode) => String(one.properties[0]?.value).startsWith(range);
    const withLocal = (properties: FbxNode): FbxNode =>
        properties.children.some(isOf('LocalStop'))
            ? { ...properties, children: properties.children.filter((one) => !isOf('Reference')(one)) }
            : properties;
    const changed = (node: FbxNode): FbxNode => ({
        ...node,
        children: node.children.map((child) =>
            node.name === 'AnimationStack'
                ? withLocal(child)
                : child.name === 'AnimationStack'
                  ? changed(child)
                  : child,
        ),
    });
    return { ...document, nodes: document.nodes.map((node) => (node.name === 'Objects' ? changed(node) : node)) };
}

function objectsOf({ nodes }: FbxDocument): FbxNode[] {
    return nodes.filter(({ name }) => name === 'Objects').flatMap(({ children }) => children);
}

const valuesOf = (node: FbxNode | undefined) => node?.properties.map(({ value }) => value) ?? [];

export function ignoredOf(document: FbxDocument): Ignored {
    const owners = ownersOf(document);
    const dualQuaternions = new Set<number>();
    const vertexWeights = new Map<number, ArrayLike<number>>();
    const percents = new Map<number, number>();
    const percentOf = new Map<unknown, Map<unknown, number>>();
    for (const object of objectsOf(document)) {
        const { name, properties, children } = object;
        const id = properties[0]?.value;
        const hasPercents = document.version < 7200 && (name === 'Geometry' || name === 'Model');
        for (const own of hasPercents ? children : []) {
            const numbers = own.children.map(valuesOf).filter(([, type]) => type === 'Number');
            for (const [channel, ...others] of numbers) {
                const percent = others.at(-1);
                if (typeof percent !== 'number' || !Number.isFinite(percent)) continue;
                cached(percentOf, typeof id === 'number' ? id : nameOf(object), () => new Map()).set(channel, percent);
            }
        }
        if (name !== 'Deformer' || typeof id !== 'number') continue;
        const property = (wanted: string) => valuesOf(children.find((child) => child.name === wanted))[0];
        const shares = property('BlendWeights');
        const isBlend = property('SkinningType') === 'Blend' && ArrayBuffer.isView(shares);
        const blends = isBlend && (shares as unknown as number[]).some((share) => share !== 0);
        if (property('SkinningType') === 'DualQuaternion' || blends) dualQuaternions.add(id);
        const weights = property('FullWeights');
        if (ArrayBuffer.isView(weights)) vertexWeights.set(id, weights as unknown as number[]);
        const percent = property('DeformPercent');
        const isProperty = children.some((child) =>
            child.children.some((one) => one.properties[0]?.value === 'DeformPercent'),
        );
        if (typeof percent === 'number' && !isProperty) percents.set(id, percent);
    }
    return {
        dualQuaternions,
        crowdedSkins: crowdedSkins(document, owners),
        vertexWeights,
        percents,
        percentOf,
        problems: problemsOf(document, owners),
    };
}

/** Objects by identifier. Before version 7000 that is a name with its class. */
function byId(document: FbxDocument): Map<unknown, FbxNode> {
    return new Map(objectsOf(document).map((object) => [object.properties[0]?.value, object]));
}

/** The objects that an object is connected to, by identifier. */
type Owners = ReadonlyMap<unknown, readonly unknown[]>;

function ownersOf({ nodes }: FbxDocument): Owners {
    const owners = new Map<unknown, unknown[]>();
    for (const connection of nodes.filter(({ name }) => name === 'Connections').flatMap(({ children }) => children)) {
        const [, child, parent] = valuesOf(connection);
        cached(owners, child, () => []).push(parent);
    }
    return owners;
}

function crowdedSkins(document: FbxDocument, owners: Owners): Set<number> {
    const counts = new Map<unknown, Map<number, number>>();
    for (const { name, properties, children } of objectsOf(document)) {
        const [id] = valuesOf({ name, properties, children });
        const points = valuesOf(children.find((child) => child.name === 'Indexes'))[0];
        if (name !== 'Deformer' || !ArrayBuffer.isView(points)) continue;
        for (const skin of owners.get(id) ?? []) {
            const count = counts.get(skin) ?? new Map<number, number>();
            counts.set(skin, count);
            for (const point of points as unknown as number[]) count.set(point, (count.get(point) ?? 0) + 1);
        }
    }
    const isCrowded = ([, count]: [unknown, Map<number, number>]) => [...count.values()].some((n) => n > MOST_JOINTS);
    return new Set([...counts].filter(isCrowded).map(([skin]) => skin as number));
}

/** Objects that the loader leaves out or takes for others. */
function problemsOf(document: FbxDocument, owners: Owners): string[] {
    const objects = byId(document);
    const problems: string[] = [];
    const seen = new Set<unknown>();
    for (const object of objectsOf(document)) {
        const [id] = valuesOf(object);
        const { name } = object;
        const isModel = (other: unknown) => objects.get(other)?.name === 'Model';
        if ((name === 'Model' || name === 'Geometry') && id !== undefined) {
            if (seen.has(id))
                problems.push(
                    `'${nameOf(object)}': several objects have its ${typeof id === 'number' ? 'number' : 'name'}, so parts are mixed up`,
                );
            seen.add(id);
            if (name === 'Model' && (owners.get(id) ?? []).filter(isModel).length > 1)
                problems.push(`'${nameOf(object)}' has several parents: it is placed below one of them`);
            if (/^(TrimNurbs|Nurbs)Surface$/.test(classOf(object)))
                problems.push(
                    `'${modelNameOf(id, objects, owners)}': a NURBS surface becomes few triangles; convert it to polygons`,
                );
        }
        if (name === 'Deformer' && classOf(object) === 'VertexCacheDeformer')
            problems.push(
                `'${modelNameOf(id, objects, owners)}': its geometry cache is not read; export blend shapes or a skin`,
            );
    }
    return [...new Set(problems)];
}

/** Objects that are searched for a name in a message. */
const MOST_OWNERS = 100;

/** The name of the model that an object belongs to. */
function modelNameOf(id: unknown, objects: ReadonlyMap<unknown, FbxNode>, owners: Owners): string {
    const done = new Set<unknown>();
    for (const ids = [id]; ids.length > 0 && done.size < MOST_OWNERS; ) {
        const next = ids.shift();
        const object = objects.get(next);
        if (object?.name === 'Model') return nameOf(object);
        if (!done.has(next)) ids.push(...(owners.get(next) ?? []).slice(0, MOST_OWNERS));
        done.add(next);
    }
    return '';
}

/** As text `Class::Name`; in binary files the name, two bytes, and the class. */
function nameOf(object: FbxNode): string {
    const name = valuesOf(object).find((value) => typeof value === 'string');
    return typeof name === 'string' ? name.split('\0')[0]!.replace(/^\w*::/, '') : '';
}

function classOf(object: FbxNode): string {
    return String(valuesOf(object).at(-1));
}
