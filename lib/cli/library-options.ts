// SPDX-License-Identifier: MIT

/** Flags of the options that library functions take: made from their tables. */

import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ClipEvent } from '../base/clip-events';
import type { OptionEntry, OptionKind, OptionTable } from '../base/option-table';
import { addList, addOne, length, number, wholeFrom } from './batch/options';
import { flagOf } from './flags';

type Parse = (value: string, previous: never) => unknown;

/** The parsers of kinds whose values are not plain text. */
const PARSERS: Readonly<Partial<Record<OptionKind, Parse>>> = {
    number,
    length,
    bound,
    texts: addList,
    files: addOne,
    renames: addRename,
    events: addEvent,
    roles: addRoles,
};

/** Adds a flag for each option of a table. The library checks most values. */
export function addLibraryOptions(command: Command, table: OptionTable): Command {
    for (const [name, entry] of Object.entries(table)) command.addOption(optionOf(name, entry));
    return command;
}

function optionOf(name: string, entry: OptionEntry): Option {
    const { kind, choices, value } = entry;
    const flag = flagOf(name, entry);
    const option = new Option(value === undefined ? flag : `${flag} ${value}`, helpOf(entry));
    const parse = kind === 'whole' ? wholeFrom(entry.min!) : PARSERS[kind];
    if (parse !== undefined) option.argParser(parse as Parameters<Option['argParser']>[0]);
    if (kind === 'choice') option.choices(choices!);
    if (entry.default !== undefined) option.default(entry.default);
    return option;
}

function helpOf({ kind, choices, help }: OptionEntry): string {
    if (choices === undefined) return help;
    const listed = kind === 'texts' ? `: ${choices.join(',')}` : '';
    return `${help}${listed} (default: ${choices[0]})`;
}

/** The options that a library function takes, out of all that the command has. */
export function libraryOptions<Option extends string, Given extends { readonly [Name in Option]?: unknown }>(
    table: OptionTable<Option>,
    given: Given,
): Pick<Given, Option> {
    const names = (Object.keys(table) as Option[]).filter((name) => given[name] !== undefined);
    return Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<Given, Option>;
}

function bound(value: string): string | number {
    if (value === '') throw new InvalidArgumentError('Needs a length, or none.');
    return value === 'none' ? Infinity : value;
}

/** Adds a pair `from=to` to the pairs before it. */
export function addRename(
    value: string,
    previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
    const [, from, to] = /^([^=]+)=(.+)$/.exec(value) ?? [];
    if (from === undefined || to === undefined) throw new InvalidArgumentError('Needs from=to, such as pelvis=Hips.');
    return { ...previous, [from]: to };
}

type Events = Readonly<Record<string, readonly ClipEvent[]>>;

/** Adds an event `clip=name@seconds` to those before it. */
export function addEvent(value: string, previous: Events = {}): Events {
    const [, clip, name, time] = /^([^=]+)=(.*)@([^@]+)$/.exec(value) ?? [];
    if (clip === undefined) throw new InvalidArgumentError('Needs clip=name@seconds, such as Walk=step@0.25.');
    return { ...previous, [clip]: [...(previous[clip] ?? []), { name: name!, time: number(time!) }] };
}

/** Adds a pair `role=joint`, or those of a JSON file. */
export function addRoles(
    value: string,
    previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
    if (/\.json$/i.test(value) && !value.includes('=')) return { ...previous, ...rolesIn(value) };
    const [, role, joint] = /^([^=]+)=(.+)$/.exec(value) ?? [];
    if (role !== undefined && joint !== undefined) return { ...previous, [role]: joint };
    throw new InvalidArgumentError('Needs role=joint, such as hips=Pelvis, or a .json file. Put files before --roles.');
}

function rolesIn(file: string): Record<string, string> {
    let roles: unknown;
    try {
        roles = JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
        throw new InvalidArgumentError(`Cannot read it: ${(error as Error).message}`);
    }
    const isObject = typeof roles === 'object' && roles !== null && !Array.isArray(roles);
    if (isObject && Object.values(roles as object).every((joint) => typeof joint === 'string')) {
        return roles as Record<string, string>;
    }
    throw new InvalidArgumentError('Needs a JSON object of joints by role.');
}

/** Whether a config may give the option as an object. */
export function isMap({ parseArg }: Option): boolean {
    return ([addRename, addRoles] as unknown[]).includes(parseArg);
}

export function isList({ parseArg }: Option): boolean {
    return ([addList, addOne, addRename, addEvent, addRoles] as unknown[]).includes(parseArg);
}

/** Whether the value of an option is a path, by its placeholder in the help. */
export function takesPath({ flags }: Option): boolean {
    return /[<[](files?|folder|path|place)[>\]]/.test(flags);
}

export function hasValue({ required, optional }: Option): boolean {
    return required || optional;
}
