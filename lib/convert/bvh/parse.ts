// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';

/** A joint of a BVH file. Joints follow their parents. */
export interface BvhJoint {
    readonly name: string;
    /** -1 for a root. */
    readonly parent: number;
    readonly offset: readonly [number, number, number];
    /** In the file's order: `Xposition` is 0, `Zrotation` is 5. */
    readonly channels: readonly number[];
    /** Offset of its end site, if it has one. */
    readonly end: readonly [number, number, number] | null;
}

export interface BvhFile {
    readonly joints: readonly BvhJoint[];
    /** Seconds. */
    readonly frameTime: number;
    /** The numbers of each frame: those of all channels, in the order of the joints. */
    readonly frames: readonly Float64Array[];
}

const CHANNELS = ['xposition', 'yposition', 'zposition', 'xrotation', 'yrotation', 'zrotation'];
/** Nested joints: the reader and others recurse. */
const MAX_DEPTH = 1000;
const MAX_JOINTS = 65_536;
/** Max number of frames, times joints with channels: an hour of 75 joints, 60 times a second, and some more. */
const MOST_POSES = 20_000_000;
const LONGEST = 1000;
/** Sums and multiples fit into float32. */
const LARGEST = 1e30;

/**
 * Reads a BVH file. Key words are in any case, and line breaks may be anywhere between words.
 *
 * Source: the format of Biovision, as in M. Meredith and S. Maddock, "Motion Capture File Formats Explained", 2001.
 *
 * @param file For messages.
 * @throws InputError `SOURCE_INVALID` with the line of the first fault.
 */
export function parseBvh(file: string, text: string): BvhFile {
    // A value may follow its colon at once.
    const words = /[{}]|[^\s{}:]*:|[^\s{}:]+/g;
    let [line, counted] = [1, 0];
    let at = 0;
    const fail = (rule: string): never => {
        for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
        throw new InputError('SOURCE_INVALID', file, '', `line ${line} of the BVH file: ${rule}`);
    };
    const next = (): string | null => {
        const match = words.exec(text);
        if (match === null) at = text.trimEnd().length;
        else at = match.index;
        return match?.[0] ?? null;
    };
    const shown = (word: string | null) => (word === null ? 'the end of the file' : `'${word.slice(0, 40)}'`);
    const expect = (wanted: string): void => {
        const word = next();
        if (word?.toUpperCase() !== wanted) fail(`expected ${wanted}, found ${shown(word)}`);
    };
    const number = (what: string): number => {
        const word = next();
        const value = word === null ? Number.NaN : Number(word);
        if (!Number.isFinite(value)) fail(`${what} must be a number, found ${shown(word)}`);
        if (Math.abs(value) > LARGEST) fail(`${what} is ${value}; it must be at most ${LARGEST}`);
        return value;
    };
    const whole = (what: string, max: number): number => {
        const value = number(what);
        if (!Number.isInteger(value) || value < 0 || value > max)
            fail(`${what} is ${value}; it must be from 0 to ${max}`);
        return value;
    };
    const offset = (): [number, number, number] => {
        expect('OFFSET');
        return [number('an offset'), number('an offset'), number('an offset')];
    };

    interface Open extends BvhJoint {
        offset: [number, number, number];
        channels: number[];
        end: [number, number, number] | null;
    }
    const joints: Open[] = [];
    /** The rest of the line up to '{', which can be on the next one. */
    const nameBefore = (): string => {
        const [rest] = /[^{\n]*/.exec(text.slice(words.lastIndex, words.lastIndex + LONGEST))!;
        words.lastIndex += rest.length;
        expect('{');
        return rest.trim();
    };
    const open = (parent: number): number => {
        if (joints.length >= MAX_JOINTS) fail(`more than ${MAX_JOINTS} joints`);
        const joint: Open = { name: nameBefore(), parent, offset: offset(), channels: [], end: null };
        return joints.push(joint) - 1;
    };

    expect('HIERARCHY');
    let word = next();
    while (word?.toUpperCase() === 'ROOT') {
        const path = [open(-1)];
        while (path.length > 0) {
            const joint = path[path.length - 1]!;
            const key = next();
            if (key?.toUpperCase() === 'CHANNELS') {
                const count = whole('the number of channels', 6);
                for (let i = 0; i < count; i++) {
                    const name = next();
                    const channel = CHANNELS.indexOf(name?.toLowerCase() ?? '');
                    if (channel < 0) fail(`expected a channel such as Xrotation, found ${shown(name)}`);
                    if (joints[joint]!.channels.includes(channel)) fail(`the channel ${name} comes twice`);
                    joints[joint]!.channels.push(channel);
                }
            } else if (key?.toUpperCase() === 'JOINT') {
                if (path.length >= MAX_DEPTH) fail(`joints are nested more than ${MAX_DEPTH} deep`);
                path.push(open(joint));
            } else if (key?.toUpperCase() === 'END') {
                nameBefore();
                joints[joint]!.end = offset();
                expect('}');
            } else if (key === '}') {
                path.pop();
            } else {
                fail(`expected CHANNELS, JOINT, End Site or '}', found ${shown(key)}`);
            }
        }
        word = next();
    }
    if (joints.length === 0) fail(`expected ROOT, found ${shown(word)}`);
    if (word?.toUpperCase() !== 'MOTION') fail(`expected ROOT or MOTION, found ${shown(word)}`);
    expect('FRAMES:');
    const count = whole('the number of frames', 100_000_000);
    const moving = joints.filter(({ channels }) => channels.length > 0).length;
    if (count * moving > MOST_POSES)
        fail(`${count} frames of ${moving} joints with channels; the product must be at most ${MOST_POSES}`);
    expect('FRAME');
    expect('TIME:');
    const frameTime = number('the frame time');
    if (count > 1 && !(frameTime > 0)) fail(`the frame time is ${frameTime}; it must be greater than 0`);
    const width = joints.reduce((sum, { channels }) => sum + channels.length, 0);
    const frames: Float64Array[] = [];
    for (let frame = 0; frame < count && width > 0; frame++) {
        const values = new Float64Array(width);
        for (let i = 0; i < width; i++)
            values[i] = number(`frame ${frame + 1} of ${count}: channel ${i + 1} of ${width}`);
        frames.push(values);
    }
    const rest = next();
    if (rest !== null) fail(`expected the end of the file after ${count} frames, found ${shown(rest)}`);
    return { joints, frameTime, frames };
}
