// SPDX-License-Identifier: MIT

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../base/errors';
import { significant, whyUnreadable } from '../../base/messages';
import type { VerifyProblem } from '../check-manifest';
import { readWithClips } from '../clips';
import { columnsOfBake } from '../columns';
import { DoubleEvaluator } from '../evaluator';
import { framesOf } from '../frame-times';
import { readWholeFile } from '../gltf-file';
import { transformed } from '../matrix';
import { checkOptions, checkPaths, type VerifyOptions } from '../options';
import { Progress } from '../progress';
import { type BakeManifest, RECIPE_SHAPE, SOURCE_SHAPE } from '../read-bake';
import { flag, list, memberOf, number, object, optional, record, text, whole } from '../shape';
import { skinnedPrimitives, verticesOf } from '../vertices';
import { type Image, readImage } from './images';

/** The result of {@link verifyOpenVat}. Lengths are in model units. */
export interface VatVerification {
    /** Whether there is no problem and every vertex of every frame is within the stated error. */
    readonly ok: boolean;
    /** Faults other than wrong vertices. */
    readonly problems: readonly VerifyProblem[];
    /** Number of frames that were compared. */
    readonly rows: number;
    /** Number of vertices in each. */
    readonly vertices: number;
    /** Maximum distance of a vertex in a frame, and its place; null if nothing could be judged. */
    readonly worst: {
        readonly error: number;
        /** `error` as a share of the extent. */
        readonly share: number;
        readonly clip: string;
        readonly animation: number;
        readonly frame: number;
        /** Node, primitive and number of the vertex in the input. */
        readonly vertex: string;
    } | null;
    /** The error that the folder states for its frames, and between them. */
    readonly stated: { readonly frames: number; readonly between: number };
    /** The length that `share` is relative to. */
    readonly extent: number;
}

interface Info {
    readonly 'os-remap': { readonly Min: readonly number[]; readonly Max: readonly number[]; readonly Frames: number };
    readonly animations: Readonly<
        Record<string, { startFrame: number; endFrame: number; framerate: number; looping: boolean }>
    >;
    readonly poselane: {
        readonly source: BakeManifest['source'];
        readonly recipe: BakeManifest['recipe'];
        readonly extent: number;
        readonly error: VatVerification['stated'];
        readonly clips: BakeManifest['clips'];
        readonly parts: readonly (readonly { node: number; primitive: number; vertices: number }[])[];
    };
}

const SHAPE = object({
    'os-remap': object({ Min: list(number, 3), Max: list(number, 3), Frames: whole }),
    animations: record(object({ startFrame: whole, endFrame: whole, framerate: number, looping: flag })),
    poselane: object({
        source: SOURCE_SHAPE,
        recipe: RECIPE_SHAPE,
        extent: number,
        error: object({ frames: number, between: number }),
        clips: list(
            object({
                name: text,
                animation: whole,
                firstRow: whole,
                frameCount: whole,
                rate: optional(list(whole, 2)),
            }),
        ),
        parts: list(list(object({ node: whole, primitive: whole, vertices: whole }))),
    }),
});

/** Maximum distance between the ends of a clip that is looping, in extents: 1e-4 by matrices, and as much by morph weights. */
const LOOP = 2.1e-4;

/** The end of the name of the file that describes an OpenVAT folder. */
export const INFO = '-remap_info.json';

/** @throws InputError `FILE_UNREADABLE`, `BAKE_INVALID`. */
export async function readVatInfo(path: string): Promise<Info> {
    const refuse = (rule: string, pointer = '', cause?: unknown): never => {
        throw new InputError('BAKE_INVALID', path, pointer, rule, { cause });
    };
    const bytes = await readBytes(path);
    let info: Info;
    try {
        info = JSON.parse(bytes.toString('utf8'));
    } catch (cause) {
        return refuse('it is not JSON', '', cause);
    }
    if (typeof info?.poselane !== 'object') refuse("there is no 'poselane': another tool made this OpenVAT folder");
    const fault = SHAPE(info, '');
    if (fault !== null) refuse(fault.rule, fault.pointer);
    return info;
}

async function readBytes(path: string): Promise<Buffer> {
    return readFile(path).catch((cause) => {
        throw new InputError('FILE_UNREADABLE', path, '', `cannot read it: ${whyUnreadable(cause)}`, { cause });
    });
}

/**
 * Verifies an OpenVAT folder: decodes its texture, evaluates the input again in double precision, and compares every
 * vertex of every frame. It shares no code with the baker.
 *
 * @param input Path of the `.glb` or `.gltf` that was baked.
 * @param info Path of the folder's `-remap_info.json`. The mesh and the texture are beside it.
 * @param options Files with further clips, progress, a signal.
 * @returns Problems, and the maximum error. `ok` is false above the error that the folder states.
 * @throws InputError for files that cannot be read; UsageError for wrong options; the signal's reason.
 * @example
 * const { ok, worst } = await verifyOpenVat('hero.glb', 'out/hero_vat/hero-remap_info.json');
 */
export async function verifyOpenVat(
    input: string,
    info: string,
    options: Pick<VerifyOptions, 'animations' | 'signal' | 'onProgress'> = {},
): Promise<VatVerification> {
    checkPaths('verifyOpenVat', { input, info });
    checkOptions('verifyOpenVat', options, ['animations', 'signal', 'onProgress']);
    options.signal?.throwIfAborted();
    const { 'os-remap': remap, animations, poselane } = await readVatInfo(info);
    const { source, recipe, extent, error: stated, clips, parts } = poselane;
    const problems: VerifyProblem[] = [];
    const add = (code: VerifyProblem['code'], pointer: string, message: string) => {
        problems.push({ code, pointer, message });
    };
    const stem = join(dirname(info), basename(info).slice(0, -INFO.length));
    const [exr, png] = await Promise.all(['exr', 'png'].map((end) => readFile(`${stem}_vat.${end}`).catch(() => null)));
    const texture = `${stem}_vat.${exr ? 'exr' : 'png'}`;
    if (exr && png) {
        const rule = `'${basename(stem)}_vat.png' is beside it, and only one is of this bake; remove the older one`;
        throw new InputError('BAKE_INVALID', texture, '', rule);
    }
    const image = readImage(texture, exr ?? png ?? (await readBytes(texture)));
    const mesh = await readMesh(`${stem}.glb`);
    const { file, absent } = await readWithClips(input, poselane as unknown as BakeManifest, options.animations, true);
    const result = { problems, rows: 0, vertices: 0, worst: null, stated, extent };
    if (source.sha256 !== file.sha256 || absent.length > 0) {
        const message = `this is the bake of another input, or the input has changed since: it was '${source.name}' with the sha256 ${source.sha256}`;
        add('SOURCE_DIFFERS', '/poselane/source', message);
        return { ...result, ok: false };
    }
    const evaluator = new DoubleEvaluator(file, { renormalize: recipe.renormalize === true });
    const drawn = parts.flat().map((part) => drawnOf(evaluator, part));
    const counts = parts.map((group) => group.reduce((sum, { vertices }) => sum + vertices, 0));
    const wrong = drawn.findIndex((one, i) => one === null || one.count !== parts.flat()[i]!.vertices);
    if (wrong >= 0 || counts.join() !== mesh.map(({ positions }) => positions.length / 3).join()) {
        add('ARRAY_INVALID', '/poselane/parts', "the mesh does not have the vertices of the input's primitives");
        return { ...result, ok: false };
    }
    const listed = new Set(parts.flat().map(({ node, primitive }) => `${node} ${primitive}`));
    for (const [node, primitive] of movingOf(evaluator, parts.flat(), recipe.attachments)) {
        if (listed.has(`${node} ${primitive}`)) continue;
        add('ARRAY_INVALID', '/poselane/parts', `node ${node}, primitive ${primitive} moves, and is not in the mesh`);
    }
    const rows = clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    const lines = image.height / 2;
    if (remap.Frames !== rows || rows === 0 || lines % rows !== 0) {
        add(
            'CLIP_DIFFERS',
            '/os-remap/Frames',
            `${remap.Frames}; the clips have ${rows}, the texture has ${image.height} lines`,
        );
        return { ...result, ok: false };
    }
    const decode = decoderOf(image, remap);
    const progress = new Progress(options, rows);
    let worst: VatVerification['worst'] = null;
    const vertices = counts.reduce((sum, count) => sum + count, 0);
    const start = new Float64Array(vertices * 3);
    const names = new Set<string>();
    let row = 0;
    for (const [c, { name, animation, firstRow, frameCount, rate }] of clips.entries()) {
        const fault = file.faults.get(animation);
        if (fault !== undefined) throw fault;
        const pointer = `/poselane/clips/${c}`;
        const exists = file.json.animations?.[animation] !== undefined;
        const frames = exists
            ? framesOf(evaluator.duration(animation), {
                  ...recipe,
                  end: 'fit',
                  fps: (rate ?? recipe.fps) as [number, number],
              })
            : null;
        const follows = firstRow === row;
        row += frameCount;
        if (!follows)
            add('CLIP_DIFFERS', `${pointer}/firstRow`, `${firstRow}; the clips before end with ${row - frameCount}`);
        // Names that repeat have a number.
        const base = name || `Clip ${animation}`;
        let unique = base;
        for (let n = 2; names.has(unique); n++) unique = `${base} ${n}`;
        names.add(unique);
        if (frames?.count !== frameCount || !follows) {
            add(
                'CLIP_DIFFERS',
                pointer,
                `clip #${animation} has ${frameCount} frames, the input's has ${frames?.count ?? 'none'}`,
            );
            continue;
        }
        const stating = memberOf(animations, unique);
        const isClip =
            stating?.startFrame === firstRow + 1 &&
            stating.endFrame === firstRow + frameCount &&
            (frames.fps === null || Math.abs(stating.framerate - frames.fps) <= 1e-9 * frames.fps);
        if (!isClip)
            add(
                'CLIP_DIFFERS',
                '/animations',
                `'${unique}' does not have the frames and the rate of clip #${animation}`,
            );
        let apart = 0;
        for (let frame = 0; frame < frameCount; frame++) {
            const time = frames.timeOf(frame);
            const posed = poserOf(evaluator, animation, time);
            let [part, first, at] = [0, 0, 0];
            for (const { positions, places } of mesh) {
                for (let v = 0; v < positions.length / 3; v++, first++, at += 3) {
                    while (first >= drawn[part]!.count) [part, first] = [part + 1, 0];
                    const p = posed(drawn[part]!, first);
                    if (frame === 0) start.set(p, at);
                    else if (frame === frameCount - 1)
                        apart = Math.max(apart, Math.hypot(...p.map((number, axis) => number - start[at + axis]!)));
                    const [x, y, z] = decode(places, v, firstRow + frame);
                    const error = Math.hypot(
                        positions[v * 3]! + x - p[0]!,
                        positions[v * 3 + 1]! + y - p[1]!,
                        positions[v * 3 + 2]! + z - p[2]!,
                    );
                    // This comparison treats NaN as the maximum.
                    if (error <= (worst?.error ?? -1)) continue;
                    const { node, primitive } = parts.flat()[part]!;
                    const vertex = `node ${node}, primitive ${primitive}, vertex ${first}`;
                    worst = {
                        error: error >= 0 ? error : Infinity,
                        share: error / extent,
                        clip: name,
                        animation,
                        frame,
                        vertex,
                    };
                }
            }
            await progress.rowDone();
        }
        if (stating?.looping && apart > LOOP * extent)
            add('CLIP_DIFFERS', '/animations', `'${unique}' is looping, but its ends are ${significant(apart)} apart`);
    }
    const ok = problems.length === 0 && worst !== null && worst.error <= stated.frames;
    return { ...result, ok, rows: progress.done, vertices, worst };
}

/** The rest positions and texture coordinates of each primitive of the folder's mesh. */
async function readMesh(path: string): Promise<{ positions: Float64Array; places: Float64Array }[]> {
    const file = await readWholeFile(path, ({ meshes = [] }) =>
        meshes.flatMap(({ primitives = [] }) =>
            primitives.flatMap(({ attributes }) => [attributes.POSITION ?? [], attributes.TEXCOORD_1 ?? []].flat()),
        ),
    );
    const { meshes = [] } = file.json;
    return meshes.flatMap(({ primitives = [] }) =>
        primitives.map(({ attributes }) => {
            const [positions, places] = ['POSITION', 'TEXCOORD_1'].map((name) =>
                file.numbers.get(attributes[name] ?? -1),
            );
            if (positions && places?.length === (positions.length / 3) * 2) return { positions, places };
            throw new InputError('BAKE_INVALID', path, '/meshes', 'a primitive has no POSITION or no TEXCOORD_1');
        }),
    );
}

/** Returns a function that gives a vertex's offset in a frame, with the axes of glTF. */
function decoderOf(image: Image, { Min, Max }: Info['os-remap']) {
    return (places: Float64Array, vertex: number, frame: number): [number, number, number] => {
        const x = Math.floor(places[vertex * 2]! * image.width);
        const y = Math.floor(places[vertex * 2 + 1]! * image.height) + frame;
        if (!(x >= 0 && x < image.width && y >= 0 && y < image.height)) return [NaN, NaN, NaN];
        const [right, front, up] = [0, 1, 2].map((c) => Min[c]! + image.at(x, y, c) * (Max[c]! - Min[c]!));
        return [right!, up!, -front!];
    };
}

/**
 * The triangles of the input that move, as node and primitive: those of the skins that the folder has, because a bake
 * can be of one skin, and their attachments.
 */
function movingOf(
    evaluator: DoubleEvaluator,
    parts: readonly { readonly node: number }[],
    attachments: BakeManifest['recipe']['attachments'],
): (readonly [node: number, primitive: number])[] {
    const { nodes, file } = evaluator;
    const used = new Set(parts.map(({ node }) => nodes[node]?.skin ?? null));
    if (used.size > 1) used.delete(null);
    const columns = [...used].map((skin) => columnsOfBake(evaluator, skin, undefined));
    const skins = new Set(columns.flatMap((one) => one.skins));
    const rigid = new Set(attachments ? [] : columns.flatMap((one) => one.nodes.slice(one.joints)));
    return nodes.flatMap(({ mesh = -1, skin }, node) => {
        if (!(skin === undefined ? rigid.has(node) : skins.has(skin))) return [];
        const { primitives = [] } = file.json.meshes?.[mesh] ?? {};
        return primitives.flatMap(({ mode = 4, attributes }, primitive) => {
            const moves = skin === undefined || (attributes.JOINTS_0 ?? attributes.WEIGHTS_0) !== undefined;
            return mode >= 4 && attributes.POSITION !== undefined && moves ? [[node, primitive] as const] : [];
        });
    });
}

interface Drawn {
    readonly node: number;
    readonly count: number;
    readonly positions: Float64Array;
    readonly targets: readonly (Float64Array | null)[];
    /** Null for a mesh that only its node moves. */
    readonly skinned: {
        readonly skin: number;
        readonly influences: number;
        readonly joints: Int32Array;
        readonly weights: Float64Array;
    } | null;
}

/** The vertices of a primitive of the input; null if there is none. */
function drawnOf(evaluator: DoubleEvaluator, { node, primitive }: { node: number; primitive: number }): Drawn | null {
    const { file, nodes } = evaluator;
    const { json, numbers } = file;
    const { mesh, skin } = nodes[node] ?? {};
    const { attributes, targets = [] } = json.meshes?.[mesh ?? -1]?.primitives?.[primitive] ?? {};
    const positions = numbers.get(attributes?.POSITION ?? -1);
    if (positions === undefined) return null;
    const displaced = targets.map(({ POSITION = -1 }) => numbers.get(POSITION) ?? null);
    const own = { node, count: positions.length / 3, positions, targets: displaced };
    if (skin === undefined) return { ...own, skinned: null };
    const pointer = `/meshes/${mesh}/primitives/${primitive}`;
    const at = skinnedPrimitives(json, skin).findIndex((one) => one.pointer === pointer);
    if (at < 0) return null;
    const joints = evaluator.joints(skin);
    const columns = { skins: [skin], rescaled: [], nodes: joints, joints: joints.length, binds: new Float64Array(0) };
    const { influences, joints: of, signed } = verticesOf(file, columns)[at]!;
    return { ...own, skinned: { skin, influences, joints: of, weights: signed! } };
}

/** Returns a function that poses a vertex of the input. */
function poserOf(evaluator: DoubleEvaluator, animation: number, time: number) {
    const kept = <T>(make: (key: number) => T) => {
        const known = new Map<number, T>();
        return (key: number): T => {
            const value = known.get(key) ?? make(key);
            known.set(key, value);
            return value;
        };
    };
    const palettes = kept((skin) => evaluator.palette(skin, animation, time));
    const globals = kept(() => evaluator.globals(animation, time));
    const weightsOf = kept((node) => evaluator.weights(node, animation, time));
    return ({ node, positions, targets, skinned }: Drawn, vertex: number): readonly number[] => {
        const place = [0, 1, 2].map((c) => {
            const moved = (sum: number, target: Float64Array | null, i: number) =>
                target === null ? sum : sum + weightsOf(node)[i]! * target[vertex * 3 + c]!;
            return targets.reduce(moved, positions[vertex * 3 + c]!);
        }) as [number, number, number];
        if (skinned === null) return transformed(globals(0), node * 16, ...place);
        const { skin, influences, joints, weights } = skinned;
        let [x, y, z, sum] = [0, 0, 0, 0];
        for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
            if (weights[k] === 0) continue;
            const p = transformed(palettes(skin), joints[k]! * 16, ...place);
            x += weights[k]! * p[0]!;
            y += weights[k]! * p[1]!;
            z += weights[k]! * p[2]!;
            sum += weights[k]!;
        }
        return [x / sum, y / sum, z / sum];
    };
}
