// SPDX-License-Identifier: MIT

import { FINGERS, type Limb, type Role, type Side, sided } from '../clips/roles';

/** A role that a name can mean. Lower ranks win. */
export interface Meaning {
    readonly role: Role;
    readonly rank: number;
}

/** Names without side, prefix, separators and case. The first ones are certain; `|` separates weaker ones. */
const LIMB_NAMES: Readonly<Record<Limb, string>> = {
    shoulder: 'shoulder clavicle collar collarbone clav scapula',
    upperArm: 'upperarm uparm armupper shldr bicep humerus | arm | shoulder',
    lowerArm: 'lowerarm forearm radius elbow armlower lowarm loarm',
    hand: 'hand wrist palm palm2 fist',
    upperLeg: 'upperleg upleg thigh legupper femur | hip | leg',
    lowerLeg: 'lowerleg calf shin tibia knee leglower lowleg loleg | leg',
    foot: 'foot ankle',
    toes: 'toes toe toebase ball toe0',
};
const MIDDLE_NAMES = {
    hips: 'hips hip pelvis | body | root',
    neck: 'neck neck1 neck0 neck01 necklower lowerneck',
    head: 'head',
} as const;
const FINGER_NAMES: readonly (readonly string[])[] = [
    ['thumb'],
    ['index', 'pointer', 'fore'],
    ['middle', 'mid'],
    ['ring'],
    ['little', 'pinky', 'pinkie'],
];

/** By name: for limbs without the side. */
const LIMB_MEANINGS = meaningsOf(LIMB_NAMES);
const MIDDLE_MEANINGS = meaningsOf(MIDDLE_NAMES);

function meaningsOf<Part extends string>(names: Readonly<Record<Part, string>>) {
    const meanings = new Map<string, { part: Part; rank: number }[]>();
    for (const [part, list] of Object.entries(names) as [Part, string][]) {
        for (const [rank, group] of list.split(' | ').entries())
            for (const name of group.split(' ')) meanings.set(name, [...(meanings.get(name) ?? []), { part, rank }]);
    }
    return meanings;
}

/** Parts of names that say that a joint only helps: twists, IK goals, ends, sockets. */
const HELPER =
    /^(twist\w*|\w+twist|roll|ik\w*|fk|pole\w*|pt|ctrl|control\w*|mch|org|end|nub|site|socket|slot|handslot|target|goal|helper|adjust\w*|muscle|jiggle|corrective|attach\w*|weapon|prop|holder|heel|metacarpal)$/;
/** Parts before the name proper. */
const PREFIX =
    /^(bip\d*|biped|bone|def|j|jnt|joint|b|bn|c|cc|center|base|mixamorig\d*|valve|skel|sk|rig|char\d*|character\d*|armature|m|f)$/;
const SUFFIX = /^(jnt|joint|bone|bn|b|skin|bind|jt|def|bend|stretch|m|x)$/;

/** Longer names are not searched. */
const LONGEST = 200;

/** A name's words without the namespace, and its side. Null for a helper. */
export function wordsOf(name: string): { words: string[]; side: Side | null } | null {
    if (name.length > LONGEST) return null;
    const own = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1);
    const parts = own
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
        .replace(/([A-Za-z])(\d)/g, '$1 $2')
        .replace(/(\d)([A-Za-z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z\d]+/)
        .filter((part) => part !== '');
    let side: Side | null = null;
    const words: string[] = [];
    for (const [index, part] of parts.entries()) {
        const [, before, middle = '', after] = /^(left|right)?(.*?)(left|right)?$/.exec(part) ?? [];
        const letter = part === 'l' ? 'left' : part === 'r' ? 'right' : undefined;
        const found = (letter ?? before ?? after) as Side | undefined;
        if (found !== undefined && side === null) {
            side = found;
            if (letter === undefined && middle !== '') words.push(middle);
        } else if (words.length > 0 || !PREFIX.test(part) || index === parts.length - 1) words.push(part);
        // The number of a prefix, as in Bip01 or CC_Base.
        if (words.length === 1 && /^\d+$/.test(words[0]!) && index < parts.length - 1) words.pop();
    }
    if (/hipjoint/.test(words.join(''))) return null;
    while (words.length > 1 && SUFFIX.test(words.at(-1)!)) words.pop();
    return words.some((word) => HELPER.test(word)) || words.length === 0 ? null : { words, side };
}

/** The roles that a joint's name can mean, the most likely first. Torso joints are found by their place instead. */
export function meaningsOfName(name: string): Meaning[] {
    const read = wordsOf(name);
    if (read === null) return [];
    const { words, side } = read;
    const numbers = words.filter((word) => /^\d+$/.test(word));
    const number = numbers.length === 0 ? '' : String(Number(numbers.join('')));
    const key = words.filter((word) => !/^\d+$/.test(word)).join('');
    // A number of a limb's joint counts segments or copies: Toe0 and the first are the joint itself.
    const plain = number === '' || number === '0' || (number === '1' && key !== 'palm');
    // Acclaim: lfemur, rfoot.
    const [, letter, rest = ''] = /^([lr])(.+)$/.exec(key) ?? [];
    if (side === null && LIMB_MEANINGS.has(rest)) return meaningsOfName(`${letter}_${rest}${number}`);
    if (side === null) {
        const found = MIDDLE_MEANINGS.get(key) ?? MIDDLE_MEANINGS.get(key + number) ?? [];
        return plain || key === 'neck' ? found.map(({ part, rank }) => ({ role: part, rank })) : [];
    }
    const limb = LIMB_MEANINGS.get(key + number) ?? (plain ? LIMB_MEANINGS.get(key) : undefined);
    if (limb !== undefined) return limb.map(({ part, rank }) => ({ role: sided(side, part), rank }));
    const bare = key.replace(/^hand(?=[a-z])/, '').replace(/(finger|proximal|intermediate|distal)$/, '');
    // Biped: Finger0 is the thumb, Finger01 its second joint.
    const digits = numbers.join('');
    if (bare === '' && key.endsWith('finger') && /^[0-4][1-2]?$/.test(digits)) {
        const joint = (Number(digits[1] ?? 0) + 1) as 1 | 2 | 3;
        return [{ role: `${side}${FINGERS[Number(digits[0])]!}${joint}`, rank: 0 }];
    }
    const finger = FINGER_NAMES.findIndex((names) => names.includes(bare));
    const joint = /intermediate$/.test(key) ? 2 : /distal$/.test(key) ? 3 : number === '' ? 1 : Number(number);
    if (finger < 0 || (joint !== 1 && joint !== 2 && joint !== 3)) return [];
    return [{ role: `${side}${FINGERS[finger]!}${joint}`, rank: 0 }];
}

/** Humanoid bones of VRM (0.x and 1.0) by role. The first that a file has counts. */
export function vrmBonesOf(role: Role, isNew: boolean): string[] {
    if (role === 'chest') return ['upperChest', 'chest'];
    const [, side, finger, joint] = /^(left|right)(Thumb|Index|Middle|Ring|Little)([123])$/.exec(role) ?? [];
    if (joint === undefined) return [role];
    const parts =
        finger === 'Thumb' && isNew ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
    return [`${side}${finger}${parts[Number(joint) - 1]}`];
}
