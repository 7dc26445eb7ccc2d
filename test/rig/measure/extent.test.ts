// SPDX-License-Identifier: MIT

/** The extent is the size of a character in its clips, for all options that refer to it: docs/format.md. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile } from '../../../lib/bake';
import { reduceFile } from '../../../lib/reduce';
import { verifyReduced } from '../../../lib/verify/reduced';
import { type Keys, RigBuilder } from '../../reduce/rigs';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
let files = 0;

type Vector = readonly [number, number, number];

/** The joints of the bind pose, and the points around each. */
const ORIGINS: readonly Vector[] = [
    [0, 0, 0],
    [0, 1, 0],
    [0.7, 1, 0],
];
const POINTS: readonly Vector[] = [
    [0.1, 0.1, 0.1],
    [0.1, -0.1, -0.1],
    [-0.1, 0.1, -0.1],
    [-0.1, -0.1, 0.1],
];
const binds = ORIGINS.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
const times = Array.from({ length: 61 }, (_, frame) => frame / 30);
const angleAt = (time: number) => 0.7 * Math.sin(time * 3 * Math.PI);

interface Given {
    readonly place?: Vector;
    /** Scale of the root at rest; in clips it is `scale`. */
    readonly rest?: number;
    readonly scale?: number;
}

/** The arm turns about z. The root drifts, so the clip does not loop. */
function addCharacter(rig: RigBuilder, { place = [0, 0, 0], rest = 1, scale = 1 }: Given = {}) {
    const root = rig.node(-1, { name: 'root', translation: [...place], scale: [rest, rest, rest] });
    const arm = rig.node(root, { name: 'arm', translation: [0, 1, 0] });
    const hand = rig.node(arm, { name: 'hand', translation: [0.7, 0, 0] });
    const skin = rig.skin([root, arm, hand], binds);
    const positions = ORIGINS.flatMap((origin) => POINTS.flatMap((p) => p.map((x, c) => x + origin[c]!)));
    const joints = ORIGINS.flatMap((_, joint) => POINTS.flatMap(() => [joint, 0, 0, 0]));
    rig.mesh(rig.node(), positions, { skin, joints, weights: joints.map((_, i) => (i % 4 === 0 ? 1 : 0)) });
    const turns = times.flatMap((t) => [0, 0, Math.sin(angleAt(t) / 2), Math.cos(angleAt(t) / 2)]);
    const drift = [...place, ...place.with(2, place[2] + 0.01 * scale)];
    const channels: Keys[] = [
        { node: arm, path: 'rotation', times, values: turns },
        { node: root, path: 'translation', times: [0, 2], values: drift },
        { node: root, path: 'scale', times: [0], values: [scale, scale, scale] },
    ];
    return { root, arm, hand, skin, channels };
}

/** The diagonal of the character's vertices, by trigonometry: the max over the ends of eighths of the clip. */
function expectedExtent(scale = 1): number {
    const diagonals = Array.from({ length: 9 }, (_, i) => {
        const angle = angleAt(i / 4);
        const points = ORIGINS.flatMap(([ox, oy, oz], joint) =>
            POINTS.map(([px, py, pz]) => {
                const [x, y] = [ox + px, oy + py - 1];
                if (joint === 0) return [x, y, oz + pz];
                return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), oz + pz];
            }),
        );
        const sides = [0, 1, 2].map((c) => {
            const along = points.map((point) => point[c]!);
            return Math.max(...along) - Math.min(...along);
        });
        return Math.hypot(...sides);
    });
    return scale * Math.max(...diagonals);
}

function written(rig: RigBuilder): string {
    const path = join(folder(), `extent-${files++}.glb`);
    writeFileSync(path, rig.done().builder.toGlb());
    return path;
}

function lone(
    given?: Given,
    change: (rig: RigBuilder, of: ReturnType<typeof addCharacter>) => Keys[] = () => [],
): string {
    const rig = new RigBuilder();
    const character = addCharacter(rig, given);
    const more = change(rig, character);
    rig.clip([...character.channels, ...more]);
    return written(rig);
}

async function baked(path: string, options: BakeOptions = {}) {
    const { outputs } = await bakeFile(path, options);
    return outputs.map(({ manifest }) => manifest);
}

/** Both extents of the file. Its reduction is within the default bound. */
async function reducedExtents(path: string): Promise<number[]> {
    const { bytes, extent } = await reduceFile(path);
    const to = path.replace('.glb', '.reduced.glb');
    writeFileSync(to, bytes);
    const verified = await verifyReduced(path, to);
    expect(verified).toMatchObject({ ok: true, problems: [] });
    return [extent, verified.extent];
}

/** Expects this extent from every function. */
async function expectExtent(path: string, extent: number): Promise<void> {
    const [manifest] = await baked(path);
    for (const one of [manifest!.extent, ...(await reducedExtents(path))]) expect(one / extent).toBeCloseTo(1, 4);
}

const far = (rig: RigBuilder, parent = -1, node = {}) => rig.node(parent, { translation: [0, 0, 5000], ...node });
const moved = (node: number): Keys => {
    return { node, path: 'translation', times: [0, 2], values: [0, 0, 5000, 0, 0, 5001] };
};

describe('nodes without vertices do not count', () => {
    test.each<[string, Parameters<typeof lone>[1]]>([
        ['nothing', () => []],
        ['an empty node', (rig) => [moved(far(rig))]],
        [
            'a camera with a node below it',
            (rig) => {
                rig.builder.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
                const camera = far(rig, -1, { camera: 0 });
                far(rig, camera);
                return [moved(camera)];
            },
        ],
        [
            'a joint',
            (rig, { root, skin }) => {
                const own = rig.builder.json.skins[skin];
                own.joints.push(far(rig, root));
                const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
                own.inverseBindMatrices = rig.builder.accessor(Float32Array.from([...binds, ...identity]), 'MAT4');
                return [];
            },
        ],
        [
            'an attachment of a character with a skin',
            (rig, { hand }) => {
                const thrown = rig.node(hand);
                rig.mesh(thrown, [0, 0, 0, 0.1, 0, 0]);
                return [{ node: thrown, path: 'translation', times: [0, 2], values: [0, 0, 0, 0, 0, 50] }];
            },
        ],
    ])('%s 5 km away', async (_, change) => {
        await expectExtent(lone({}, change), expectedExtent());
    });
});

describe('place and rest pose', () => {
    // Rounding of float32 at 1 km.
    const cases: Given[] = [
        { place: [1000, 0, 0] },
        { rest: 100 },
        { rest: 0.01 },
        { rest: 0 },
        { place: [-300, 400, 1200], rest: 7 },
        // Scales only the extent.
        { scale: 0.001, rest: 0.001 },
        { scale: 1000, rest: 1000 },
    ];

    test.each(cases)('%j: extent, rate and loop equal those of the character at the origin', async (given) => {
        const [here] = await baked(lone(), { fps: 'auto' });
        const path = lone(given);
        await expectExtent(path, expectedExtent(given.scale));
        const [there] = await baked(path, { fps: 'auto' });
        const told = ({ clips: [clip] }: typeof here & {}) => [clip!.fps, clip!.loop];
        expect(told(there!)).toEqual(told(here!));
        expect(here!.clips[0]!.loop).toBe(false);
    });

    test('a parent with scale 100, and a clip that cancels it', async () => {
        const rig = new RigBuilder();
        const character = addCharacter(rig);
        const armature = rig.node(-1, { scale: [100, 100, 100] });
        rig.builder.json.nodes[armature].children = [character.root];
        rig.clip([...character.channels, { node: armature, path: 'scale', times: [0], values: [1, 1, 1] }]);
        await expectExtent(written(rig), expectedExtent());
    });
});

describe('what the extent includes', () => {
    test('frame rate and root motion do not matter; the baked time range does', async () => {
        const path = lone();
        const extents = await Promise.all(
            [{ fps: 1 }, { fps: 60 }, { root: 'extract' }, { root: 'in-place' }].map(async (options) => {
                return (await baked(path, options as BakeOptions))[0]!.extent;
            }),
        );
        expect(new Set(extents).size).toBe(1);
        expect((await baked(path, { to: 0.01 }))[0]!.extent).not.toBe(extents[0]);
    });

    test('two characters 1 km apart: the larger one', async () => {
        const rig = new RigBuilder();
        const [one, other] = [addCharacter(rig), addCharacter(rig, { place: [1000, 0, 0], scale: 2 })];
        rig.clip([...one.channels, ...other.channels]);
        const path = written(rig);
        const [first, second] = await baked(path);
        expect(first!.extent).toBeCloseTo(expectedExtent(), 4);
        expect(second!.extent).toBeCloseTo(expectedExtent(2), 3);
        for (const extent of await reducedExtents(path)) expect(extent).toBeCloseTo(expectedExtent(2), 6);
    });

    test('without a skin all attachments, in every instance', async () => {
        const rig = new RigBuilder();
        const node = rig.node(-1, { translation: [0, 0, 800] });
        rig.mesh(node, [1, 0, 0, 0, 1, 0]);
        rig.instances([
            [0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
            [3, 0, 4, 0, 0, 0, 1, 2, 2, 2],
        ]);
        rig.clip([{ node, path: 'translation', times: [0, 1], values: [0, 0, 800, 0, 0, 900] }]);
        // From (0, 0, 0) to (5, 2, 4): (1, 0, 0), (0, 1, 0), (5, 0, 4), (3, 2, 4).
        await expectExtent(written(rig), Math.hypot(5, 2, 4));
    });

    test('without vertices, the joints', async () => {
        const rig = new RigBuilder();
        const root = rig.node(-1, { translation: [2000, 0, 0] });
        const tip = rig.node(root, { translation: [0, 3, 4] });
        rig.skin([root, tip]);
        rig.clip([
            moved(far(rig)),
            { node: root, path: 'translation', times: [0, 1], values: [2000, 0, 0, 2010, 0, 0] },
        ]);
        await expectExtent(written(rig), 5);
    });

    test('for a single point, the distance it travels', async () => {
        const rig = new RigBuilder();
        const node = rig.node();
        rig.mesh(node, [0, 0, 0]);
        rig.clip([{ node, path: 'translation', times: [0, 1], values: [0, 0, 0, 3, 4, 0] }]);
        await expectExtent(written(rig), 5);
    });

    test('an extent beyond float32 is an error that names the clip', async () => {
        const rig = new RigBuilder();
        const node = rig.node();
        rig.mesh(node, [-1, 0, 0, 1, 0, 0]);
        rig.clip([{ node, path: 'scale', times: [0, 1], values: [1, 1, 1, 3e38, 3e38, 3e38] }], 'grows');
        const path = written(rig);
        const refused = {
            code: 'NOT_FINITE',
            pointer: '/animations/0',
            message: expect.stringContaining("clip #0 'grows'"),
        };
        await expect(bakeFile(path)).rejects.toMatchObject(refused);
        await expect(reduceFile(path)).rejects.toMatchObject(refused);
    });
});
