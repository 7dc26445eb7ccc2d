// SPDX-License-Identifier: MIT

/** Reads folders for engines as their consumers do. */

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../base/errors';
import { whyUnreadable } from '../../base/messages';
import type { GltfFile } from '../gltf';
import { readWholeFile } from '../gltf-file';
import { type BakeManifest, RECIPE_SHAPE, SOURCE_SHAPE } from '../read-bake';
import { flag, list, number, object, optional, record, type Shape, text, whole } from '../shape';
import { readImage } from './images';
import { POSED, poseVertex, type Vertices } from './vertices';

/** Facts that a folder states for `verify`. */
interface Facts {
    readonly source: BakeManifest['source'];
    readonly recipe: BakeManifest['recipe'];
    readonly skin?: number;
    readonly extent: number;
    readonly error: { readonly frames: number; readonly between: number };
    readonly clips: BakeManifest['clips'];
    readonly parts: readonly (readonly { node: number; primitive: number; vertices: number }[])[];
}

/** A clip as the consumer plays it. */
interface PlayedClip {
    readonly first: number;
    readonly intervals: number;
    readonly fps: number;
    readonly looping: boolean;
}

export interface Folder {
    readonly facts: Facts;
    readonly clips: ReadonlyMap<string, PlayedClip>;
    /** Rows of all clips. */
    readonly rows: number;
    /** Numbers of vertices, by primitive of the mesh. */
    readonly counts: readonly number[];
    readonly hasMorphs: boolean;
    /** Maximum error of a normal, radians: in itself, and for each rounding of its matrix. */
    readonly normalError: readonly [number, number];
    /** Writes a vertex's position and normal, x y z each. NaN where the texture does not have it. */
    decode(out: Float64Array, primitive: number, vertex: number, row: number): void;
}

const FACTS_SHAPE = object({
    source: SOURCE_SHAPE,
    recipe: RECIPE_SHAPE,
    skin: optional(whole),
    extent: number,
    error: object({ frames: number, between: number }),
    clips: list(
        object({ name: text, animation: whole, firstRow: whole, frameCount: whole, rate: optional(list(whole, 2)) }),
    ),
    parts: list(list(object({ node: whole, primitive: whole, vertices: whole }))),
});

/** Ends of the names of the files that stand for folders. */
const INFO = '-remap_info.json';
const PALETTE = '_palette.exr';

/** Whether a file stands for a folder of an engine. */
export function isOfFolder(path: string): boolean {
    return [INFO, PALETTE].some((end) => path.toLowerCase().endsWith(end));
}

/** @throws InputError `FILE_UNREADABLE`, `BAKE_INVALID`. */
export async function readFacts(path: string): Promise<Facts> {
    return (path.toLowerCase().endsWith(INFO) ? await readInfo(path) : await readCrowd(path)).poselane;
}

/** @throws InputError `FILE_UNREADABLE`, `BAKE_INVALID`; those of glTF files. */
export async function readFolder(path: string): Promise<Folder> {
    return path.toLowerCase().endsWith(INFO) ? readOpenVat(path) : readGodot(path);
}

function refuse(path: string, rule: string, pointer = '', cause?: unknown): never {
    throw new InputError('BAKE_INVALID', path, pointer, rule, { cause });
}

async function readBytes(path: string): Promise<Buffer> {
    return readFile(path).catch((cause) => {
        throw new InputError('FILE_UNREADABLE', path, '', `cannot read it: ${whyUnreadable(cause)}`, { cause });
    });
}

function checkShape(path: string, value: unknown, shape: Shape): void {
    if (typeof (value as { poselane?: unknown } | null | undefined)?.poselane !== 'object')
        refuse(path, "there is no 'poselane': another tool made this folder");
    const fault = shape(value, '');
    if (fault !== null) refuse(path, fault.rule, fault.pointer);
}

interface Info {
    readonly 'os-remap': { readonly Min: readonly number[]; readonly Max: readonly number[]; readonly Frames: number };
    readonly animations: Readonly<
        Record<string, { startFrame: number; endFrame: number; framerate: number; looping: boolean }>
    >;
    readonly poselane: Facts;
}

const INFO_SHAPE = object({
    'os-remap': object({ Min: list(number, 3), Max: list(number, 3), Frames: whole }),
    animations: record(object({ startFrame: whole, endFrame: whole, framerate: number, looping: flag })),
    poselane: FACTS_SHAPE,
});

async function readInfo(path: string): Promise<Info> {
    const bytes = await readBytes(path);
    let info: Info;
    try {
        info = JSON.parse(bytes.toString('utf8'));
    } catch (cause) {
        return refuse(path, 'it is not JSON', '', cause);
    }
    checkShape(path, info, INFO_SHAPE);
    return info;
}

/** By channel: the axis of glTF, and its sign. */
const AXES = [
    [0, 0, 1],
    [1, 2, -1],
    [2, 1, 1],
] as const;

async function readOpenVat(path: string): Promise<Folder> {
    const { 'os-remap': remap, animations, poselane: facts } = await readInfo(path);
    const stem = join(dirname(path), basename(path).slice(0, -INFO.length));
    const [exr, png] = await Promise.all(['exr', 'png'].map((end) => readFile(`${stem}_vat.${end}`).catch(() => null)));
    const texture = `${stem}_vat.${exr ? 'exr' : 'png'}`;
    if (exr && png) {
        const rule = `'${basename(stem)}_vat.png' is beside it, and only one is of this bake; remove the older one`;
        refuse(texture, rule);
    }
    const image = readImage(texture, exr ?? png ?? (await readBytes(texture)));
    const mesh = meshOf(await readMesh(`${stem}.glb`));
    const { Min, Max } = remap;
    return {
        facts,
        rows: remap.Frames,
        clips: new Map(
            Object.entries(animations).map(([name, { startFrame, endFrame, framerate, looping }]) => {
                return [name, { first: startFrame - 1, intervals: endFrame - startFrame, fps: framerate, looping }];
            }),
        ),
        counts: mesh.map(({ positions }) => positions.length / 3),
        hasMorphs: true,
        normalError: [1e-3, 1e-5], // of half floats, from 0 to 1
        decode(out, primitive, vertex, row) {
            const { positions, places } = mesh[primitive]!;
            const x = Math.floor(places[vertex * 2]! * image.width);
            const y = Math.floor(places[vertex * 2 + 1]! * image.height) + row;
            const half = image.height / 2;
            if (!(x >= 0 && x < image.width && y >= 0 && y < half && Number.isInteger(half))) {
                out.fill(NaN);
                return;
            }
            // The axes of Blender are x, -z, y.
            for (const [channel, axis, sign] of AXES) {
                const offset = Min[channel]! + image.at(x, y, channel) * (Max[channel]! - Min[channel]!);
                out[axis] = positions[vertex * 3 + axis]! + sign * offset;
                out[3 + axis] = sign * (2 * image.at(x, y + half, channel) - 1);
            }
        },
    };
}

type Clips = Record<string, readonly [first: number, intervals: number, fps: number, looping: boolean]>;

/** The mesh of a crowd, the constants of its shader, its clips. */
async function readCrowd(path: string) {
    const stem = path.slice(0, -PALETTE.length);
    const script = (await readBytes(`${stem}.gd`)).toString('utf8');
    const constant = (text: string, name: string): string =>
        new RegExp(`^const (?:int )?${name} :?= (\\{[^]*?^\\}|[^;\\n]+)`, 'm').exec(text)?.[1] ?? '';
    const parsed = (name: string): unknown => {
        try {
            return JSON.parse(constant(script, name));
        } catch (cause) {
            return refuse(`${stem}.gd`, `its constant ${name} is not what poselane writes`, '', cause);
        }
    };
    for (const [name, end] of Object.entries({ MESH: '.glb', PALETTE })) {
        if (parsed(name) !== `${basename(stem)}${end}`) refuse(`${stem}.gd`, `its constant ${name} is another file`);
    }
    const clips = parsed('CLIPS');
    if (record(list(() => null, 4))(clips, '') !== null)
        refuse(`${stem}.gd`, 'its constant CLIPS is not what poselane writes');
    const file = await readMesh(`${stem}.glb`);
    const { extras } = (file.json as { asset?: { extras?: { poselane: Facts } } }).asset ?? {};
    checkShape(`${stem}.glb`, extras, object({ poselane: FACTS_SHAPE }));
    const shader = join(dirname(path), basename(String(parsed('SHADER'))));
    const code = (await readBytes(shader)).toString('utf8');
    return {
        file,
        clips: clips as Clips,
        poselane: extras!.poselane,
        constant: (name: string) => Number(constant(code, name) || NaN),
    };
}

const FOREIGN = 'the constants of the shader are not those of this texture';

async function readGodot(path: string): Promise<Folder> {
    const { file, clips, poselane: facts, constant } = await readCrowd(path);
    const image = readImage(path, await readBytes(path), 4);
    const names = ['COLUMNS', 'WIDTH', 'SKINNING', 'SETS', 'PLACES'];
    const constants = names.map(constant);
    const [columns = 0, width = 0, skinning = 0, sets = 0, places = 0] = constants;
    const size = image.width * image.height;
    const isPalette =
        width === image.width && columns >= 1 && columns < 1e6 && columns * 3 <= skinning && skinning < size;
    const isMesh = sets >= 1 && sets <= 64 && places >= 1;
    if (!isPalette || !isMesh || !constants.every(Number.isSafeInteger)) refuse(path, FOREIGN);
    const texel = (index: number) =>
        [0, 1, 2, 3].map((c) =>
            index >= 0 && index < size ? image.at(index % width, Math.floor(index / width), c) : NaN,
        );
    const mesh = meshOf(file).map(({ positions, normals, places: uvs }): Vertices => {
        const influences = sets * 4;
        const vertices = Array.from(
            { length: positions.length / 3 },
            (_, v) => Math.floor(uvs[v * 2]! + 0.5) + Math.floor(uvs[v * 2 + 1]! + 0.5) * places,
        );
        // Before anything is allocated for that many sets.
        if (!vertices.every((vertex) => vertex >= 0 && vertex < (size - skinning) / 2 / sets)) refuse(path, FOREIGN);
        const joints = new Int32Array(vertices.length * influences);
        const weights = new Float64Array(joints.length);
        for (const [v, vertex] of vertices.entries()) {
            for (let set = 0; set < sets; set++) {
                const at = skinning + (vertex * sets + set) * 2;
                joints.set(texel(at), v * influences + set * 4);
                weights.set(texel(at + 1), v * influences + set * 4);
            }
        }
        return { positions, normals, targets: [], influences, joints, weights };
    });
    const matrices = new Float64Array(columns * 16);
    const posed = new Float64Array(POSED);
    let current = -1;
    return {
        facts,
        rows: skinning / 3 / columns,
        clips: new Map(
            Object.entries(clips).map(([name, [first, intervals, fps, looping]]) => {
                return [name, { first, intervals, fps, looping }];
            }),
        ),
        counts: mesh.map(({ positions }) => positions.length / 3),
        hasMorphs: false,
        // Half floats round weights, too.
        normalError: [0, facts.recipe.maxError === undefined ? 1e-5 : 2 ** -10],
        decode(out, primitive, vertex, row) {
            for (let c = 0; row !== current && c < columns; c++) {
                for (let r = 0; r < 3; r++) {
                    const line = texel((row * columns + c) * 3 + r);
                    for (const [k, x] of line.entries()) matrices[c * 16 + k * 4 + r] = x;
                }
            }
            current = row;
            poseVertex(posed, mesh[primitive]!, vertex, matrices, []);
            out.set(posed.subarray(0, 6));
        },
    };
}

function readMesh(path: string): Promise<GltfFile> {
    return readWholeFile(path, ({ meshes = [] }) =>
        meshes.flatMap(({ primitives = [] }) =>
            primitives.flatMap(({ attributes }) => ATTRIBUTES.flatMap((name) => attributes[name] ?? [])),
        ),
    );
}

const ATTRIBUTES = ['POSITION', 'NORMAL', 'TEXCOORD_1'] as const;

/** The primitives of the folder's mesh. */
function meshOf({ path, json, numbers }: GltfFile) {
    return (json.meshes ?? []).flatMap(({ primitives = [] }) =>
        primitives.map(({ attributes }) => {
            const [positions, normals, places] = ATTRIBUTES.map((name) => numbers.get(attributes[name] ?? -1));
            if (positions && normals?.length === positions.length && places?.length === (positions.length / 3) * 2)
                return { positions, normals, places };
            return refuse(path, `a primitive does not have ${ATTRIBUTES.join(', ')}`, '/meshes');
        }),
    );
}
