// SPDX-License-Identifier: MIT

/** Roles of joints: by names of programs, by the VRM extensions, by shape, and as given by the caller. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Role } from '../../lib/clips/roles';
import { readGltf } from '../../lib/gltf/read';
import { humanoidOf } from '../../lib/retarget';
import { meaningsOfName } from '../../lib/retarget/names';
import { checkHumanoid } from '../../lib/retarget/roles';
import { node, scene, skin } from '../rig/scenes';
import { NAMES, writeHumanoid } from '../support/humanoids';
import { KNIGHT, type Model, PLATFORMER, RIGGED_FIGURE, ROBOT, testModel, VRM_ROBOT } from '../support/models';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();

test.each<[Role, string]>([
    [
        'hips',
        'mixamorig:Hips|pelvis|J_Bip_C_Hips|Bip01 Pelvis|Hip|CenterHip|ValveBiped.Bip01_Pelvis|rig|Hips'.replace(
            'rig|',
            'rig:',
        ),
    ],
    ['neck', 'mixamorig:Neck|neck_01|J_Bip_C_Neck|Bip01 Neck|Neck1|neckLower|neck.x'],
    ['head', 'mixamorig:Head|head|J_Bip_C_Head|Bip01 Head|Head_M|head.x'],
    [
        'leftShoulder',
        'mixamorig:LeftShoulder|clavicle_l|J_Bip_L_Shoulder|shoulder.L|DEF-shoulder.L|Bip01 L Clavicle|LeftCollar',
    ],
    [
        'leftUpperArm',
        'mixamorig:LeftArm|upperarm_l|J_Bip_L_UpperArm|DEF-upper_arm.L|UpperArm.L|upperarm.l|Bip01 L UpperArm|humerus_l|arm_stretch.l',
    ],
    [
        'leftLowerArm',
        'mixamorig:LeftForeArm|lowerarm_l|forearm.L|LowerArm.L|Bip01 L Forearm|LeftElbow|forearm_stretch.l',
    ],
    ['leftHand', 'LeftHand|hand_l|J_Bip_L_Hand|Palm.L|Palm2.L|Fist.L|wrist.l|Bip01 L Hand|Lefthand'],
    [
        'leftUpperLeg',
        'LeftUpLeg|thigh_l|J_Bip_L_UpperLeg|thigh.L|UpperLeg.L|Bip01 L Thigh|LeftHip|ValveBiped.Bip01_L_Thigh|thigh_stretch.l',
    ],
    ['leftLowerLeg', 'LeftLeg|calf_l|J_Bip_L_LowerLeg|shin.L|lowerleg.l|Bip01 L Calf|LeftKnee|leg_stretch.l'],
    ['leftFoot', 'LeftFoot|foot_l|J_Bip_L_Foot|foot.L|Foot.L|Bip01 L Foot|LeftAnkle'],
    ['leftToes', 'LeftToeBase|ball_l|J_Bip_L_ToeBase|toe.L|toes.l|Bip01 L Toe0'],
    ['leftThumb1', 'LeftHandThumb1|thumb_01_l|J_Bip_L_Thumb1|thumb.01.L|Thumb.L|Bip01 L Finger0'],
    ['leftIndex2', 'LeftHandIndex2|index_02_l|J_Bip_L_Index2|f_index.02.L|Index2.L|Bip01 L Finger11'],
    ['leftLittle3', 'LeftHandPinky3|pinky_03_l|J_Bip_L_Little3|f_pinky.03.L|Bip01 L Finger42'],
])('names of %s', (role, names) => {
    const right = (name: string) =>
        name
            .replace('Left', 'Right')
            .replace(/_l\b/, '_r')
            .replace('_L_', '_R_')
            .replace(/\.L\b/, '.R')
            .replace(/\.l\b/, '.r')
            .replace(' L ', ' R ');
    for (const name of names.split('|')) {
        const [first, ...others] = meaningsOfName(name);
        const all = [first, ...others].map((meaning) => meaning?.role);
        expect({ name, all }).toEqual({ name, all: expect.arrayContaining([role]) });
        if (!role.startsWith('left')) continue;
        const mirrored = meaningsOfName(right(name)).map((meaning) => meaning.role);
        expect({ name, mirrored }).toEqual({ name, mirrored: all.map((one) => one!.replace('left', 'right')) });
    }
});

test.each<[Role, string]>([
    ['leftUpperLeg', 'lThighBend|lfemur|lhip'],
    ['rightLowerLeg', 'rShinBend|rtibia'],
    ['rightFoot', 'rFoot|rfoot'],
    ['leftUpperArm', 'lShldrBend|lhumerus'],
    ['rightHand', 'rHand|rwrist'],
])('names of %s with the side as the first letter', (role, names) => {
    for (const name of names.split('|')) expect(meaningsOfName(name).map((meaning) => meaning.role)).toContain(role);
});

test('a shoulder below a collar is the upper arm', async () => {
    const path = writeHumanoid(folder(), 'collar');
    const json = JSON.parse(readFileSync(path, 'utf8'));
    const names: Readonly<Record<string, string>> = { 'shoulder.l': 'LeftCollar', 'upperarm.l': 'LeftShoulder' };
    const nodes = json.nodes.map((one: { name: string }) => ({ ...one, name: names[one.name] ?? one.name }));
    writeFileSync(path, JSON.stringify({ ...json, nodes }));
    const { joints, model, how } = humanoidOf(await readGltf(path));
    const nameOf = (role: Role) => model.nodes[joints.get(role)!]!.name;
    expect([nameOf('leftShoulder'), nameOf('leftUpperArm')]).toEqual(['LeftCollar', 'LeftShoulder']);
    expect(how.get('leftUpperArm')).toBe('name');
});

test('helpers have no role', () => {
    const names =
        'upperarm_twist_01_l|IK-foot.l|control-toe-roll.l|PoleTarget.L|PT.L|Foot.L_end|handslot.l|LHipJoint|lowerarm_l_twist|ik_hand_r';
    expect(names.split('|').flatMap(meaningsOfName)).toEqual([]);
});

test.each(Object.keys(NAMES))('all roles of a rig with the names of %s', async (which) => {
    const names = NAMES[which]!;
    const scene = await readGltf(writeHumanoid(folder(), which, { names, turnedAxes: true }));
    const { joints, how, ambiguous } = humanoidOf(scene);
    expect([...ambiguous]).toEqual([]);
    const found = Object.fromEntries([...joints].map(([role, node]) => [role, scene.nodes[node]!.name]));
    const wanted: Record<string, string> = { ...names.middle };
    for (const side of ['left', 'right'] as const) {
        for (const limb of ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes'])
            wanted[`${side}${limb}`] = names.side(side, limb[0]!.toLowerCase() + limb.slice(1));
    }
    expect(found).toEqual(wanted);
    expect(how.get('leftFoot')).toBe(which === 'none' ? 'shape' : 'name');
});

test.each([
    [
        'VRM',
        {
            humanBones: [
                { bone: 'leftFoot', node: 3 },
                { bone: 'hips', node: 1 },
                { bone: 'jaw', node: 99 },
            ],
        },
    ],
    ['VRMC_vrm', { humanBones: { leftFoot: { node: 3 }, hips: { node: 1 }, jaw: { node: 'x' } } }],
    ['VRMC_vrm_animation', { humanBones: { leftFoot: { node: 3 }, hips: { node: 1 } } }],
])('the extension %s outranks names; entries without a node are ignored', async (extension, humanoid) => {
    const path = writeHumanoid(folder(), extension);
    const json = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(
        path,
        JSON.stringify({ ...json, extensionsUsed: [extension], extensions: { [extension]: { humanoid } } }),
    );
    const scene = await readGltf(path);
    expect(scene.humanoid).toEqual({ leftFoot: 3, hips: 1 });
    const { joints, how } = humanoidOf(scene);
    expect([joints.get('leftFoot'), how.get('leftFoot')]).toEqual([3, 'extension']);
});

test('given roles outrank everything; errors say which legs are missing or ambiguous', async () => {
    const path = writeHumanoid(folder(), 'given');
    const json = JSON.parse(readFileSync(path, 'utf8'));
    const named = async (change: (name: string) => string, roles = {}) => {
        const nodes = json.nodes.map((node: { name: string }) => ({ ...node, name: change(node.name ?? '') }));
        writeFileSync(path, JSON.stringify({ ...json, nodes }));
        const humanoid = humanoidOf(await readGltf(path), roles);
        checkHumanoid(humanoid, 'hero.glb');
        return humanoid;
    };
    const given = await named((name) => (name === 'foot.l' ? 'Hoof' : name), { leftFoot: 'Hoof', head: 'neck' });
    expect(given.model.nodes[given.joints.get('leftFoot')!]!.name).toBe('Hoof');
    expect(given.how.get('head')).toBe('option');
    await expect(named((name) => (name === 'lowerleg.l' ? 'upperleg.r' : name))).rejects.toMatchObject({
        code: 'ROLES_AMBIGUOUS',
        message: expect.stringMatching(
            /^hero\.glb: rightUpperLeg can be 'upperleg\.r' \(node \d+\) or .+: name it by roles/,
        ),
    });
    // Without names, the shape determines the legs.
    const { how } = await named((name) => (/leg|foot|toes|hips/.test(name) ? 'joint' : name));
    expect([how.get('hips'), how.get('leftFoot'), how.get('leftHand')]).toEqual(['shape', 'shape', 'name']);
});

test('a skeleton that is not a humanoid has no legs', () => {
    const tail = scene([node(-1, { name: 'Tail1' }), node(0, { name: 'Tail2' }), node(1, { name: 'Tail3' })], [], []);
    expect(() => checkHumanoid(humanoidOf(tail), 'tail.glb')).toThrow(
        expect.objectContaining({
            code: 'ROLES_MISSING',
            message: expect.stringMatching(/^tail\.glb: no joint of a humanoid/),
        }),
    );
});

test.each([
    ['a chain', (i: number) => i - 1],
    ['many children', (i: number) => (i === 0 ? -1 : 0)],
])('%s of 15,000 nodes with the same names is searched quickly', (_, parentOf) => {
    const names = ['Hips', 'LeftFoot', 'LeftLeg', 'RightUpLeg'];
    const nodes = Array.from({ length: 15_000 }, (_, i) => node(parentOf(i), { name: names[i % 4]! }));
    const started = performance.now();
    expect(humanoidOf(scene(nodes, [skin(nodes.map((_, i) => i))], [])).joints.size).toBeLessThan(10);
    expect(performance.now() - started).toBeLessThan(5000);
});

const REAL: readonly [Model, number, string][] = [
    [KNIGHT, 18, 'hips'],
    [ROBOT, 35, 'Body'],
    [PLATFORMER, 19, 'Hips'],
    [VRM_ROBOT, 51, 'hips'],
    [RIGGED_FIGURE, 19, 'torso_joint_1'],
];
for (const [model, count, hips] of REAL) {
    testModel(model, `has ${count} roles, and its hips are ${hips}`, async () => {
        const scene = await readGltf(model.path);
        const { joints, ambiguous } = humanoidOf(scene);
        expect([joints.size, ambiguous.size, scene.nodes[joints.get('hips')!]!.name]).toEqual([count, 0, hips]);
    });
}

for (const model of [KNIGHT, PLATFORMER, VRM_ROBOT]) {
    testModel(model, 'joints without names have the same roles by shape', async () => {
        const scene = await readGltf(model.path);
        const nodes = scene.nodes.map((one, i) => Object.create(one, { name: { value: `b${i}` } }));
        const { humanoid: _, ...unknown } = { ...scene, nodes };
        const [named, found] = [humanoidOf(scene).joints, humanoidOf(unknown).joints];
        const limbs = [...named].filter(([role]) => !/[123]$/.test(role));
        expect(limbs.filter(([role, node]) => found.get(role) !== node)).toEqual([]);
        expect(limbs.length).toBeGreaterThan(15);
    });
}
