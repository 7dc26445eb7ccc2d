// SPDX-License-Identifier: MIT

/** A check of a JSON value. It returns null, or a fault: a place in the value (JSON pointer) and a rule. */
export type Shape = (value: unknown, pointer: string) => Fault | null;

export interface Fault {
    readonly pointer: string;
    readonly rule: string;
}

const rule =
    (text: string, holds: (value: unknown) => boolean): Shape =>
    (value, pointer) =>
        holds(value) ? null : { pointer, rule: `must be ${text}` };

export const number = rule('a finite number', Number.isFinite);
/** An index, a count or an offset. */
export const whole = rule('an integer from 0 up', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
/** -1 means none. */
export const index = rule('an integer from -1 up', (value) => Number.isSafeInteger(value) && (value as number) >= -1);
export const text = rule('a string', (value) => typeof value === 'string');
export const flag = rule('true or false', (value) => typeof value === 'boolean');

export function oneOf(...values: unknown[]): Shape {
    return rule(`one of ${JSON.stringify(values)}`, (value) => values.includes(value));
}

export function optional(shape: Shape): Shape {
    return (value, pointer) => (value === undefined ? null : shape(value, pointer));
}

export function nullable(shape: Shape): Shape {
    return (value, pointer) => (value === null ? null : shape(value, pointer));
}

/** @param length Required length of the list. Default: any. */
export function list(of: Shape, length?: number): Shape {
    return (value, pointer) => {
        if (!Array.isArray(value)) return { pointer, rule: 'must be a list' };
        if (length !== undefined && value.length !== length) return { pointer, rule: `must be a list of ${length}` };
        for (let i = 0; i < value.length; i++) {
            const fault = of(value[i], `${pointer}/${i}`);
            if (fault !== null) return fault;
        }
        return null;
    };
}

/** An object. Members without a check can have any value. */
export function object(members: Readonly<Record<string, Shape>>): Shape {
    const named = Object.entries(members);
    return (value, pointer) => {
        if (!isObject(value)) return { pointer, rule: 'must be an object' };
        for (const [name, shape] of named) {
            const fault = shape(value[name], `${pointer}/${name}`);
            if (fault !== null) return fault;
        }
        return null;
    };
}

/** An object whose members have the same shape. */
export function record(of: Shape): Shape {
    return (value, pointer) => {
        if (!isObject(value)) return { pointer, rule: 'must be an object' };
        for (const [name, member] of Object.entries(value)) {
            const fault = of(member, `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`);
            if (fault !== null) return fault;
        }
        return null;
    };
}

/** An object's own member. The name comes from a file and can be that of an inherited member, such as `constructor`. */
export function memberOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
    return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
