// SPDX-License-Identifier: MIT

import { resolve } from '../channels';
import type { DoubleEvaluator } from '../evaluator';
import { type GltfJson, nameOf } from '../gltf';
import type { WholeFile } from '../gltf-file';
import { compose } from '../matrix';

/** A place in the source, and the difference there. */
export interface Difference {
    /** JSON pointer (RFC 6901) into the source, or into the other file if only that has the place. */
    readonly pointer: string;
    readonly message: string;
}

const { fround } = Math;

/** Members that describe storage, or that are compared separately. */
const LEFT_OUT = new Set([
    'accessors',
    'bufferViews',
    'buffers',
    'animations',
    'extensionsUsed',
    'extensionsRequired',
    'asset',
    'samplers',
]);
/** Compressed attributes have ids of their own. */
const DRACO = 'KHR_draco_mesh_compression';
/** Members whose default equals their absence (glTF 2.0, 5). */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
    alphaCutoff: ['0.5'],
    alphaMode: ['"OPAQUE"'],
    baseColorFactor: ['[1,1,1,1]'],
    byteOffset: ['0'],
    doubleSided: ['false'],
    emissiveFactor: ['[0,0,0]'],
    metallicFactor: ['1'],
    mode: ['4'],
    name: ['""'],
    roughnessFactor: ['1'],
    scale: ['1'],
    strength: ['1'],
    texCoord: ['0'],
    wrapS: ['10497'],
    wrapT: ['10497'],
};
/** Deeper parts of the JSON, in extras or unknown extensions, are not compared. */
const DEPTH = 64;
/**
 * A node's matrix may change by this share of its largest element, its translation by this share of the extent. Tools
 * write matrices as T, R and S, and omit those close to the identity. Exporters' matrices have slight shear. The effect
 * on vertices is judged with the clips.
 */
const MATRIX_ROUNDING = 2e-5;

/** Accessors of a file that are compared but not evaluated. */
export function* comparedAccessors(json: GltfJson): Generator<number> {
    const found: number[] = [];
    contentOf(json, { accessor: (index) => found.push(index), view: () => null, uri: () => null, sampler: () => null });
    yield* found;
    for (const animation of (json.animations ?? []).keys()) {
        for (const { sampler } of pointerChannels(json, animation).values()) {
            if (sampler !== undefined) yield* [sampler.input, sampler.output];
        }
    }
}

interface References {
    accessor(index: number): unknown;
    view(index: number): unknown;
    uri(uri: string): unknown;
    /** The sampler of a texture. */
    sampler(index: number): unknown;
}

/** The JSON without its storage: indices are replaced by the numbers of accessors and the bytes of views. */
function contentOf(json: GltfJson, references: References): Record<string, unknown> {
    const content: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(json)) {
        if (!LEFT_OUT.has(key)) content[key] = resolved(value, [key], references);
    }
    return content;
}

/** @param path Member names that lead to the value, without list indices. */
function resolved(value: unknown, path: readonly string[], references: References): unknown {
    const key = path.at(-1)!;
    const inExtras = path.includes('extras');
    if (path.length > DEPTH) return undefined;
    if (Number.isInteger(value) && !inExtras) {
        if (key === 'bufferView') return references.view(value as number);
        if (path.join('/') === 'textures/sampler')
            return resolved(references.sampler(value as number), ['samplers'], references);
        if (refersToAccessor(path)) return references.accessor(value as number);
    }
    if (typeof value === 'string' && path.join('/') === 'images/uri') return references.uri(value);
    if (Array.isArray(value)) return value.map((item) => resolved(item, path, references));
    if (typeof value !== 'object' || value === null) return value;
    const members: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
        if (DEFAULTS[name]?.includes(JSON.stringify(member)) && !inExtras) continue;
        const to = resolved(member, [...path, name], references);
        if (isEmpty(to) && !inExtras) continue;
        // An image is the same in the file or beside it.
        if (path.join('/') === 'images' && name === 'mimeType') continue;
        members[path.join('/') === 'images' && (name === 'uri' || name === 'bufferView') ? 'bytes' : name] = to;
    }
    return members;
}

function refersToAccessor(path: readonly string[]): boolean {
    const [top, second, third] = path;
    const parent = path.at(-2);
    if (top === 'skins') return path.length === 2 && second === 'inverseBindMatrices';
    if (top === 'nodes') return third === 'EXT_mesh_gpu_instancing' && parent === 'attributes';
    if (top !== 'meshes' || path.includes(DRACO)) return false;
    return path.at(-1) === 'indices' || parent === 'attributes' || (parent === 'targets' && path.length === 4);
}

function isEmpty(value: unknown): boolean {
    if (value === undefined) return true;
    return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.keys(value).length === 0;
}

function contentOfFile({ json, numbers, buffers, images }: WholeFile, evaluator: DoubleEvaluator, extent: number) {
    const content = contentOf(json, {
        accessor: (index) => numbers.get(index),
        view: (index) => {
            const view = json.bufferViews?.[index];
            const { buffer = -1, byteOffset = 0, byteLength = 0 } = view ?? {};
            return buffers[buffer]?.subarray(byteOffset, byteOffset + byteLength) ?? null;
        },
        uri: (uri) => images.get(uri) ?? uri,
        sampler: (index) => json.samplers?.[index],
    });
    // Nodes may store their transform in different ways.
    const nodes = content.nodes as Record<string, unknown>[] | undefined;
    const locals = evaluator.locals(null, 0);
    for (const [index, node] of (nodes ?? []).entries()) {
        const matrix = new Float64Array(16);
        const own = evaluator.matrixOf(index);
        if (own === null) compose(matrix, 0, locals, index * 10);
        else matrix.set(own);
        for (const name of ['matrix', 'translation', 'rotation', 'scale']) delete node[name];
        const [linear, translation] = [matrix.subarray(0, 12), matrix.subarray(12, 15)];
        node.transform = { linear: new Rounded(linear, 0), translation: new Rounded(translation, extent) };
    }
    return content;
}

/** Numbers that are compared with a tolerance. */
class Rounded {
    constructor(
        readonly numbers: Float64Array,
        private readonly size: number,
    ) {}

    equals({ numbers }: Rounded): boolean {
        const size = this.numbers.reduce((max, x) => Math.max(max, Math.abs(x)), this.size);
        return this.numbers.every((x, i) => Math.abs(x - numbers[i]!) <= MATRIX_ROUNDING * size);
    }
}

/** Differences outside of the animations: the first one in each item of the JSON's lists. */
export function fileDifferences(
    [a, b]: readonly [WholeFile, WholeFile],
    evaluators: readonly [DoubleEvaluator, DoubleEvaluator],
    extent: number,
): Difference[] {
    const [source, other] = [contentOfFile(a, evaluators[0], extent), contentOfFile(b, evaluators[1], extent)];
    return [...new Set([...Object.keys(source), ...Object.keys(other)])].flatMap((key) => {
        const [x, y] = [source[key], other[key]];
        const pointer = `/${key}`;
        if (!Array.isArray(x) || !Array.isArray(y)) return difference(x, y, pointer) ?? [];
        if (x.length !== y.length) return { pointer, message: `there are ${y.length}, in the source ${x.length}` };
        return x.flatMap((item, i) => difference(item, y[i], `${pointer}/${i}`) ?? []);
    });
}

/** The first difference of two values. */
function difference(a: unknown, b: unknown, pointer: string): Difference | null {
    // Tools write numbers with different numbers of digits.
    if (a === b || (typeof a === 'number' && typeof b === 'number' && fround(a) === fround(b))) return null;
    if (b === undefined) return { pointer, message: 'is missing, and the source has it' };
    if (a === undefined) return { pointer, message: 'is not in the source' };
    if (a instanceof Rounded && b instanceof Rounded) {
        return a.equals(b)
            ? null
            : { pointer, message: `is ${text([...b.numbers])}, in the source ${text([...a.numbers])}` };
    }
    if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
        return listDifference(a as Float64Array, b as Float64Array, pointer);
    if (
        typeof a !== 'object' ||
        typeof b !== 'object' ||
        a === null ||
        b === null ||
        Array.isArray(a) !== Array.isArray(b)
    ) {
        return { pointer, message: `is ${text(b)}, in the source ${text(a)}` };
    }
    const [x, y] = [a, b] as Record<string, unknown>[];
    for (const key of new Set([...Object.keys(x!), ...Object.keys(y!)])) {
        const name = key.replace(/~/g, '~0').replace(/\//g, '~1');
        const found = difference(x![key], y![key], `${pointer}/${name}`);
        if (found !== null) return found;
    }
    return null;
}

function listDifference(
    a: Float64Array | Uint8Array,
    b: Float64Array | Uint8Array,
    pointer: string,
): Difference | null {
    const what = a instanceof Float64Array ? 'numbers' : 'bytes';
    if (a.length !== b.length) return { pointer, message: `has ${b.length} ${what}, in the source ${a.length}` };
    const at = a.findIndex((x, i) => !Object.is(x + 0, b[i]! + 0));
    if (at < 0) return null;
    return { pointer, message: `has other ${what} than in the source: number ${at} is ${b[at]} and not ${a[at]}` };
}

function text(value: unknown): string {
    const json = JSON.stringify(value) ?? String(value);
    return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}

/** Differences of the animations that are not motion: number, names, start and end, and changes that no pose shows. */
export function clipDifferences(
    [a, b]: readonly [WholeFile, WholeFile],
    evaluators: readonly [DoubleEvaluator, DoubleEvaluator],
): Difference[] {
    const [source, other] = [a.json.animations ?? [], b.json.animations ?? []];
    if (source.length !== other.length) {
        return [{ pointer: '/animations', message: `there are ${other.length}, in the source ${source.length}` }];
    }
    return source.flatMap((animation, index) => {
        const pointer = `/animations/${index}`;
        const found: Difference[] = [];
        const [name, otherName] = [nameOf(animation), nameOf(other[index])];
        if (name !== otherName)
            found.push({ pointer: `${pointer}/name`, message: `is '${otherName}', in the source '${name}'` });
        const [fault, otherFault] = [a, b].map(({ faults }) => faults.get(index));
        if (fault !== undefined || otherFault !== undefined) {
            if (fault === undefined) found.push({ pointer, message: `is invalid: ${otherFault!.message}` });
            else if (otherFault === undefined) found.push({ pointer, message: 'is valid, and in the source invalid' });
            return found;
        }
        const [range, otherRange] = evaluators.map((evaluator) => rangeOf(evaluator, index));
        for (const [i, does] of ['begins', 'ends'].entries()) {
            const [own, others] = [range![i]!, otherRange![i]!];
            if (Math.abs(own - others) <= 2 ** -23 * own) continue;
            found.push({ pointer, message: `${does} at ${others} s, in the source at ${own} s` });
        }
        const [channels, otherChannels] = [a, b].map(({ json }) => pointerChannels(json, index));
        for (const target of new Set([...channels!.keys(), ...otherChannels!.keys()])) {
            const [x, y] = (
                [
                    [channels, a],
                    [otherChannels, b],
                ] as const
            ).map(([list, { numbers }]) => {
                const { pointer: at, sampler } = list!.get(target) ?? {};
                if (sampler === undefined) return { at, keys: undefined };
                const { input, output, interpolation = 'LINEAR' } = sampler;
                return { at, keys: { interpolation, input: numbers.get(input), output: numbers.get(output) } };
            });
            found.push(...[difference(x!.keys, y!.keys, (x!.at ?? y!.at)!) ?? []].flat());
        }
        return found;
    });
}

/** Times of the first and the last key, over all channels; 0 without any. */
function rangeOf(evaluator: DoubleEvaluator, animation: number): readonly [number, number] {
    let [first, last] = [Infinity, 0];
    for (const { sampler } of evaluator.channelsOf(animation)) {
        first = Math.min(first, sampler.times[0]!);
        last = Math.max(last, sampler.times.at(-1)!);
    }
    return [first < Infinity ? first : 0, last];
}

/** Channels with targets other than nodes, such as a material's color, by their pointers. */
function pointerChannels(json: GltfJson, animation: number) {
    const { channels = [], samplers = [] } = json.animations![animation]!;
    return new Map(
        channels.flatMap(({ sampler, target }, i) => {
            const to = target.extensions?.KHR_animation_pointer?.pointer;
            if (target.path !== 'pointer' || to === undefined || resolve(target) !== null) return [];
            return [[to, { pointer: `/animations/${animation}/channels/${i}`, sampler: samplers[sampler] }] as const];
        }),
    );
}
