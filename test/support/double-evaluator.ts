// SPDX-License-Identifier: MIT
import { decodeAccessor, type GltfFile, type GltfTarget, readGltfFile } from './double-evaluator-file';
import { type Sampler, sampleAt } from './double-evaluator-sample';

interface Channel {
    readonly node: number;
    readonly path: string;
    readonly sampler: Sampler;
}

/**
 * The definition that baked palettes are measured against: a double-precision evaluator written from the glTF 2.0
 * specification, slow and plain. Matrices are column-major, 16 doubles each.
 */
export class DoubleEvaluator {
    readonly parents: Int32Array;
    private readonly channels = new Map<number, Channel[]>();

    constructor(readonly file: GltfFile) {
        this.parents = new Int32Array(file.json.nodes?.length ?? 0).fill(-1);
        for (const [index, node] of (file.json.nodes ?? []).entries()) {
            for (const child of node.children ?? []) this.parents[child] = index;
        }
    }

    static open(path: string): DoubleEvaluator {
        return new DoubleEvaluator(readGltfFile(path));
    }

    get animationCount(): number {
        return this.file.json.animations?.length ?? 0;
    }

    get skinCount(): number {
        return this.file.json.skins?.length ?? 0;
    }

    joints(skin: number): readonly number[] {
        return this.file.json.skins![skin]!.joints;
    }

    /** D of baking.md: the greatest last key time over all channels of the animation. */
    duration(animation: number): number {
        return Math.max(...this.channelsOf(animation).map(({ sampler }) => sampler.times[sampler.times.length - 1]!));
    }

    /** Global matrices of all nodes, `nodes * 16`. An animation of null is the rest pose. */
    globals(animation: number | null, time: number): Float64Array {
        const nodes = this.file.json.nodes!;
        const posed = nodes.map(({ translation, rotation, scale }): Record<string, readonly number[]> => {
            return {
                translation: translation ?? [0, 0, 0],
                rotation: rotation ?? [0, 0, 0, 1],
                scale: scale ?? [1, 1, 1],
            };
        });
        if (animation !== null) {
            for (const { node, path, sampler } of this.channelsOf(animation)) {
                posed[node]![path] = sampleAt(sampler, time);
            }
        }
        const globals = new Float64Array(nodes.length * 16);
        const done = new Array<boolean>(nodes.length).fill(false);
        const visit = (node: number): Float64Array => {
            const own = globals.subarray(node * 16, node * 16 + 16);
            if (done[node]) return own;
            const { translation, rotation, scale } = posed[node]!;
            const local = nodes[node]!.matrix ?? composed(translation!, rotation!, scale!);
            const parent = this.parents[node]!;
            own.set(parent < 0 ? local : multiplied(visit(parent), local));
            done[node] = true;
            return own;
        };
        for (let node = 0; node < nodes.length; node++) visit(node);
        return globals;
    }

    /** The morph weights of a node: those of its mesh, unless it has some of its own (section 3.7.2.2), or the clip. */
    weights(node: number, animation: number, time: number): readonly number[] {
        const own = this.channelsOf(animation).find((channel) => channel.node === node && channel.path === 'weights');
        if (own !== undefined) return sampleAt(own.sampler, time);
        const { mesh, weights } = this.file.json.nodes![node]!;
        const { primitives, weights: atRest } = this.file.json.meshes![mesh!]!;
        return weights ?? atRest ?? (primitives[0]!.targets ?? []).map(() => 0);
    }

    /** Global matrices of the skin's joints, in the order of the file. */
    jointGlobals(skin: number, animation: number | null, time: number): Float64Array {
        const globals = this.globals(animation, time);
        const joints = this.joints(skin);
        const out = new Float64Array(joints.length * 16);
        for (const [slot, node] of joints.entries()) {
            out.set(globals.subarray(node * 16, node * 16 + 16), slot * 16);
        }
        return out;
    }

    /** `globalJoint * inverseBind` in scene space; the skinned mesh's own node plays no part (section 3.7.3.3). */
    palette(skin: number, animation: number | null, time: number): Float64Array {
        const out = this.jointGlobals(skin, animation, time);
        const inverseBind = this.file.json.skins![skin]!.inverseBindMatrices;
        if (inverseBind === undefined) return out;
        const inverses = decodeAccessor(this.file, inverseBind);
        for (let start = 0; start < out.length; start += 16) {
            out.set(multiplied(out.subarray(start, start + 16), inverses.subarray(start, start + 16)), start);
        }
        return out;
    }

    /** Palettes of many times, one row after another. */
    palettes(skin: number, animation: number, times: ArrayLike<number>): Float64Array {
        const width = this.joints(skin).length * 16;
        const out = new Float64Array(times.length * width);
        for (let i = 0; i < times.length; i++) out.set(this.palette(skin, animation, times[i]!), i * width);
        return out;
    }

    private channelsOf(animation: number): Channel[] {
        let channels = this.channels.get(animation);
        if (channels === undefined) {
            const { samplers, channels: described } = this.file.json.animations![animation]!;
            channels = described
                .flatMap(({ sampler, target }) => resolved(target).map((node) => ({ sampler, target: node })))
                .map(({ sampler, target }) => {
                    const { input, output, interpolation = 'LINEAR' } = samplers[sampler]!;
                    const times = decodeAccessor(this.file, input);
                    const values = decodeAccessor(this.file, output);
                    const width = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
                    const rotation = target.path === 'rotation';
                    const decoded = { times, values, interpolation, width, rotation };
                    return { node: target.node, path: target.path, sampler: decoded };
                });
            this.channels.set(animation, channels);
        }
        return channels;
    }
}

const NODE_POINTER = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/;

/** What of which node a channel moves; nothing where it is no node (section 3.11, KHR_animation_pointer). */
function resolved({ node, path, extensions }: GltfTarget): { node: number; path: string }[] {
    if (path !== 'pointer') return node === undefined ? [] : [{ node, path }];
    const [, index, property] = NODE_POINTER.exec(extensions!.KHR_animation_pointer!.pointer) ?? [];
    return property === undefined ? [] : [{ node: Number(index), path: property }];
}

/** T * R * S. The rotation's formula is the one for unit quaternions, applied to whatever the keys give. */
function composed(t: readonly number[], q: readonly number[], s: readonly number[]): number[] {
    const [x, y, z, w] = q as [number, number, number, number];
    const columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ];
    return [...columns.flatMap((column, c) => [...column.map((m) => m * s[c]!), 0]), ...t, 1];
}

function multiplied(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
    const out = new Float64Array(16);
    for (let column = 0; column < 4; column++) {
        for (let row = 0; row < 4; row++) {
            let sum = 0;
            for (let k = 0; k < 4; k++) sum += a[k * 4 + row]! * b[column * 4 + k]!;
            out[column * 4 + row] = sum;
        }
    }
    return out;
}
