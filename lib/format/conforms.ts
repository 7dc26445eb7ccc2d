// SPDX-License-Identifier: MIT

/** Tests values against a JSON Schema. Supports the part of the 2020-12 vocabulary that manifest.schema.json uses. */

type Json = Readonly<Record<string, unknown>>;

/** A keyword's rule. `of` tests a value against a schema below this one. */
type Rule = (value: unknown, given: never, schema: Json, of: (value: unknown, schema: unknown) => boolean) => boolean;

const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
    null: (value) => value === null,
    boolean: (value) => typeof value === 'boolean',
    string: (value) => typeof value === 'string',
    // JSON numbers beyond the range of doubles parse as infinite.
    number: Number.isFinite,
    integer: Number.isInteger,
    array: Array.isArray,
    object: isObject,
};

const ofNumber = (fits: (value: number, given: number) => boolean) => (value: unknown, given: number) =>
    typeof value !== 'number' || fits(value, given);
const ofList = (fits: (value: readonly unknown[], given: number) => boolean) => (value: unknown, given: number) =>
    !Array.isArray(value) || fits(value, given);

const RULES: Readonly<Record<string, Rule>> = {
    type: (value, given: string | readonly string[]) => [given].flat().some((name) => TYPES[name]!(value)),
    const: (value, given: unknown) => value === given,
    enum: (value, given: readonly unknown[]) => given.includes(value),
    minimum: ofNumber((value, given) => value >= given),
    maximum: ofNumber((value, given) => value <= given),
    exclusiveMinimum: ofNumber((value, given) => value > given),
    multipleOf: ofNumber((value, given) => value % given === 0),
    minLength: (value, given: number) => typeof value !== 'string' || [...value].length >= given,
    pattern: (value, given: string) => typeof value !== 'string' || new RegExp(given, 'u').test(value),
    minItems: ofList((value, given) => value.length >= given),
    maxItems: ofList((value, given) => value.length <= given),
    uniqueItems: ofList((value) => new Set(value.map((item) => JSON.stringify(item))).size === value.length),
    prefixItems: (value, given: readonly unknown[], _, of) =>
        !Array.isArray(value) || given.every((schema, i) => i >= value.length || of(value[i], schema)),
    items: (value, given: unknown, { prefixItems = [] }, of) =>
        !Array.isArray(value) || value.slice((prefixItems as []).length).every((item) => of(item, given)),
    required: (value, given: readonly string[]) =>
        !isObject(value) || given.every((name) => Object.hasOwn(value, name)),
    minProperties: (value, given: number) => !isObject(value) || Object.keys(value).length >= given,
    properties: (value, given: Json, _, of) =>
        !isObject(value) ||
        Object.entries(given).every(([name, schema]) => !hasOwn(value, name) || of(value[name], schema)),
    additionalProperties: (value, given: unknown, { properties = {} }, of) =>
        !isObject(value) || Object.keys(value).every((name) => hasOwn(properties, name) || of(value[name], given)),
    oneOf: (value, given: readonly unknown[], _, of) => given.filter((schema) => of(value, schema)).length === 1,
};

/** Keywords without a rule, or handled together with others. */
const OTHERS = new Set([
    '$schema',
    '$id',
    '$comment',
    '$defs',
    '$ref',
    'title',
    'description',
    'format',
    'unevaluatedProperties',
]);

function hasOwn(value: unknown, name: string): boolean {
    return isObject(value) && Object.hasOwn(value, name);
}

/** @throws Error for an unknown keyword. */
export function conforms(value: unknown, root: Json): boolean {
    const target = (reference: unknown): Json => {
        const [, name = ''] = /^#\/\$defs\/(\w+)$/.exec(String(reference)) ?? [];
        return (root.$defs as Json)[name] as Json;
    };
    const namesIn = ({ properties = {}, $ref }: Json): string[] => [
        ...Object.keys(properties as Json),
        ...($ref === undefined ? [] : namesIn(target($ref))),
    ];
    const of = (item: unknown, schema: unknown): boolean => {
        if (typeof schema === 'boolean') return schema;
        const { $ref, unevaluatedProperties = true, ...rest } = schema as Json;
        if ($ref !== undefined && !of(item, target($ref))) return false;
        if (unevaluatedProperties === false && isObject(item)) {
            const known = new Set(namesIn(schema as Json));
            if (!Object.keys(item).every((name) => known.has(name))) return false;
        }
        return Object.entries(rest).every(([keyword, given]) => {
            const rule = RULES[keyword];
            if (rule !== undefined) return rule(item, given as never, schema as Json, of);
            if (OTHERS.has(keyword)) return true;
            throw new Error(`the keyword ${keyword} is not known`);
        });
    };
    return of(value, root);
}
