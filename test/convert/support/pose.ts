// SPDX-License-Identifier: MIT

/** Poses a GLB in double precision, read by glTF-Transform. Shares no code with the package. */

import type { Node } from '@gltf-transform/core' with { 'resolution-mode': 'import' };

type Point = number[];
type Matrix = number[];

const times = (a: Matrix, b: Matrix): Matrix =>
    Array.from({ length: 16 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)]! * b[Math.floor(i / 4) * 4 + k]!, 0),
    );
const apply = (m: Matrix, [x, y, z]: Point): Point =>
    [0, 1, 2].map((r) => m[r]! * x! + m[4 + r]! * y! + m[8 + r]! * z! + m[12 + r]!);

function matrixOf(t: Point, q: Point, s: Point): Matrix {
    const length = Math.hypot(...q);
    const [x, y, z, w] = q.map((part) => part / length) as [number, number, number, number];
    const turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
    return [...turn.flatMap((column, c) => [...column.map((part) => part * s[c]!), 0]), ...t, 1];
}

function sample(keys: ArrayLike<number>, values: number[][], mode: string, time: number): number[] {
    let k = 0;
    while (k + 1 < keys.length && keys[k + 1]! <= time) k++;
    const [a, b] = [values[k]!, values[k + 1]];
    if (b === undefined || time <= keys[k]! || mode === 'STEP') return a;
    const t = (time - keys[k]!) / (keys[k + 1]! - keys[k]!);
    const dot = a.reduce((sum, part, c) => sum + part * b[c]!, 0);
    const angle = mode === 'SLERP' ? Math.acos(Math.min(1, Math.abs(dot))) : 0;
    const [u, v] =
        angle < 1e-7
            ? [1 - t, t]
            : [Math.sin((1 - t) * angle) / Math.sin(angle), Math.sin(t * angle) / Math.sin(angle)];
    return a.map((part, c) => u * part + v * (mode === 'SLERP' && dot < 0 ? -b[c]! : b[c]!));
}

export async function poser(glb: Uint8Array) {
    const { WebIO, Logger } = await import('@gltf-transform/core');
    const { ALL_EXTENSIONS } = await import('@gltf-transform/extensions');
    const io = new WebIO().registerExtensions(ALL_EXTENSIONS).setLogger(new Logger(Logger.Verbosity.SILENT));
    const root = (await io.readBinary(new Uint8Array(glb))).getRoot();
    const at = (clip: string | null, time: number) => {
        const set = new Map<Node, Record<string, number[]>>();
        const animation = root.listAnimations().find((one) => one.getName() === clip);
        if (clip !== null && animation === undefined) throw new Error(`no clip ${clip}`);
        for (const channel of animation?.listChannels() ?? []) {
            const sampler = channel.getSampler()!;
            const [input, output] = [sampler.getInput()!.getArray()!, sampler.getOutput()!.getArray()!];
            const width = output.length / input.length;
            const values = Array.from(input, (_, k) => Array.from<number>(output.slice(k * width, (k + 1) * width)));
            const path = channel.getTargetPath()!;
            const mode = sampler.getInterpolation() === 'STEP' ? 'STEP' : path === 'rotation' ? 'SLERP' : 'LINEAR';
            const own = set.get(channel.getTargetNode()!) ?? {};
            set.set(channel.getTargetNode()!, { ...own, [path]: sample(input, values, mode, time) });
        }
        const worlds = new Map<Node, Matrix>();
        const world = (node: Node): Matrix => {
            const found = worlds.get(node);
            if (found !== undefined) return found;
            const {
                translation = node.getTranslation(),
                rotation = node.getRotation(),
                scale = node.getScale(),
            } = set.get(node) ?? {};
            const local = matrixOf(translation, rotation, scale);
            const parent = node.getParentNode();
            const made = parent === null ? local : times(world(parent), local);
            worlds.set(node, made);
            return made;
        };
        return { world, weightsOf: (node: Node) => set.get(node)?.weights ?? node.getWeights() };
    };
    const nodes = root.listNodes();
    return {
        root,
        clips: root.listAnimations().map((animation) => animation.getName()),
        /** Positions of nodes with a name. */
        places(clip: string | null, time: number): Map<string, Point> {
            const { world } = at(clip, time);
            return new Map(nodes.map((node) => [node.getName(), world(node).slice(12, 15)]));
        },
        /** Positions of the vertices of all meshes. */
        vertices(clip: string | null, time: number): Point[] {
            const { world, weightsOf } = at(clip, time);
            return nodes.flatMap((node) => {
                const primitive = node.getMesh()?.listPrimitives()[0];
                if (primitive === undefined) return [];
                const list = (name: string) => primitive.getAttribute(name)?.getArray();
                const skin = node.getSkin();
                const bind = skin?.getInverseBindMatrices()?.getArray();
                const matrices = skin
                    ?.listJoints()
                    .map((joint, i) => times(world(joint), Array.from(bind!.slice(i * 16, (i + 1) * 16))));
                const targets = primitive.listTargets().map((target) => target.getAttribute('POSITION')!.getArray()!);
                const weights = weightsOf(node);
                return Array.from({ length: list('POSITION')!.length / 3 }, (_, i) => {
                    const own = [0, 1, 2].map((c) =>
                        targets.reduce(
                            (sum, target, k) => sum + weights[k]! * target[i * 3 + c]!,
                            list('POSITION')![i * 3 + c]!,
                        ),
                    );
                    if (matrices === undefined) return apply(world(node), own);
                    const sum = [0, 0, 0, 0];
                    for (let set = 0; list(`JOINTS_${set}`) !== undefined; set++) {
                        for (let k = i * 4; k < i * 4 + 4; k++) {
                            const weight = list(`WEIGHTS_${set}`)![k]!;
                            const placed = apply(matrices[list(`JOINTS_${set}`)![k]!]!, own);
                            for (let c = 0; c < 3; c++) sum[c]! += weight * placed[c]!;
                            sum[3]! += weight;
                        }
                    }
                    return [0, 1, 2].map((c) => sum[c]! / sum[3]!);
                });
            });
        },
    };
}

/** The max distance of a point of either set from the other set, over the diagonal of the second set's box. */
export function distance(got: readonly Point[], wanted: readonly Point[]): number {
    const span = (c: number) => Math.max(...wanted.map((p) => p[c]!)) - Math.min(...wanted.map((p) => p[c]!));
    const far = (from: readonly Point[], to: readonly Point[]) =>
        from.reduce((worst, p) => {
            let near = Infinity;
            for (const q of to)
                near = Math.min(near, (p[0]! - q[0]!) ** 2 + (p[1]! - q[1]!) ** 2 + (p[2]! - q[2]!) ** 2);
            return Math.max(worst, near);
        }, 0);
    return Math.sqrt(Math.max(far(got, wanted), far(wanted, got))) / Math.hypot(span(0), span(1), span(2));
}
