// SPDX-License-Identifier: MIT

/**
 * Checks the doc comment of every public symbol in TypeDoc's JSON. Part of `npm run docs:api`.
 *
 * - All, also members of interfaces and classes: a description.
 * - Functions and methods: a text for each parameter, `@returns` unless void, and `@throws` or the words "Throws nothing".
 * - Routines of the documents, and those that glTF defines: "Source:" with the section.
 *
 * A function may leave out what another one says, if it links to that one in a sentence with "as in", "as there", "as of" or "see".
 */

import { readFileSync } from 'node:fs';
import { endWith } from '../lib.mjs';

/** TypeDoc's ReflectionKind. */
const KIND = { module: 2, function: 64, constructor: 512, method: 2048, accessor: 262144, reference: 4194304 };

/** Routines that a document or a specification describes. */
const SOURCED =
    /^(?:(?!bind)(?:slerp|lerp|convertJoint|transform|untransform|reciprocalSqrt|sinZero|atanPositive)\w*|Rig\.(?:evaluate|toGlobal|palettes|skinVertices))$/;

/** Interfaces that list exported functions, which have comments of their own. */
const LISTS = /^(?:Joint|Quat|Scalar)?Kernels$|^Binders$/;
/** Types of objects of other libraries. */
const FOREIGN = /Like$|^Changeable/;
/** Functions that the caller writes. */
const CALLBACK = /\.on[A-Z]\w*$/;

const textOf = (parts = []) => parts.map(({ text }) => text).join('');
const tagsOf = (comment, tag) => (comment?.blockTags ?? []).filter((one) => one.tag === tag);
const allText = (comment) =>
    [textOf(comment?.summary), ...(comment?.blockTags ?? []).map(({ content }) => textOf(content))].join('\n');

function indexOf(api) {
    const byId = new Map();
    const visit = (node) => {
        if (node === null || typeof node !== 'object') return;
        if (typeof node.id === 'number' && node.variant !== undefined) byId.set(node.id, node);
        for (const value of Object.values(node)) visit(value);
    };
    visit(api);
    return byId;
}

/** The functions that a comment refers to for what it leaves out. */
function referredBy(comment, byId) {
    if (!/\bas (?:in|there|of)\b|\bsee\b|\bwith (?:everything|a time)\b/i.test(allText(comment))) return [];
    const parts = [...(comment.summary ?? []), ...(comment.blockTags ?? []).flatMap(({ content }) => content)];
    return parts
        .filter(({ kind, target }) => kind === 'inline-tag' && typeof target === 'number')
        .flatMap(({ target }) => byId.get(target)?.signatures ?? []);
}

/** Whether a signature, or one that it refers to, passes `has`. */
function says(has, signature, byId, seen = new Set()) {
    if (seen.has(signature.id)) return false;
    seen.add(signature.id);
    return has(signature) || referredBy(signature.comment, byId).some((other) => says(has, other, byId, seen));
}

/** Members that are inherited from a documented type or from Error, or that replace one. */
function isDocumentedElsewhere({ inheritedFrom, overwrites }, byId) {
    const from = overwrites ?? inheritedFrom;
    return from !== undefined && (byId.has(from.target) || from.name.startsWith('Error.'));
}

function isVoid(type) {
    if (type?.name === 'Promise') return isVoid(type.typeArguments?.[0]);
    return type?.type === 'intrinsic' && type.name === 'void';
}

function signatureFaults(name, signature, byId) {
    const faults = [];
    const needs = (what, has) => {
        if (!says(has, signature, byId)) faults.push(`${name}: ${what}`);
    };
    needs('no description', ({ comment }) => textOf(comment?.summary).trim() !== '');
    for (const parameter of signature.parameters ?? []) {
        const of = ({ parameters = [] }) => parameters.find((one) => one.name === parameter.name);
        needs(`parameter ${parameter.name} has no text`, (one) => textOf(of(one)?.comment?.summary).trim() !== '');
    }
    if (!isVoid(signature.type)) needs('no @returns', ({ comment }) => tagsOf(comment, '@returns').length > 0);
    const saysErrors = ({ comment }) =>
        tagsOf(comment, '@throws').length > 0 || /\bthrows nothing\b/i.test(allText(comment));
    if (!CALLBACK.test(name)) needs('no @throws, nor "Throws nothing"', saysErrors);
    if (SOURCED.test(name)) needs('no "Source:"', ({ comment }) => /\bSource: /.test(allText(comment)));
    return faults;
}

const api = JSON.parse(readFileSync('docs/api/api.json', 'utf8'));
const byId = indexOf(api);
const faults = [];
let symbols = 0;
const exported = api.children.flatMap(({ children = [] }) => children);
const functions = new Set(exported.filter(({ kind }) => kind === KIND.function).map(({ name }) => name));

function described(name, { comment }) {
    if (textOf(comment?.summary).trim() === '') faults.push(`${name}: no description`);
}

function visit(node, prefix) {
    if (node.kind === KIND.reference) return;
    symbols++;
    const name = `${prefix}${node.name}`;
    if (isDocumentedElsewhere(node, byId)) return;
    if (node.kind === KIND.function || node.kind === KIND.method) {
        for (const signature of node.signatures) faults.push(...signatureFaults(name, signature, byId));
    } else if (node.kind === KIND.accessor) {
        described(name, node.getSignature ?? node);
    } else if (node.kind === KIND.constructor) {
        for (const { parameters = [] } of node.signatures) {
            for (const one of parameters) described(`${name} of ${prefix}: ${one.name}`, one);
        }
    } else {
        described(name, node);
        if (FOREIGN.test(node.name)) return;
        for (const child of node.children ?? []) {
            if (!LISTS.test(node.name)) visit(child, `${name}.`);
            else if (!functions.has(child.name))
                faults.push(`${name}.${child.name}: no function of that name is exported`);
        }
    }
}

for (const module of api.children.filter(({ kind }) => kind === KIND.module)) {
    described(`module ${module.name}`, module);
    for (const child of module.children ?? []) visit(child, '');
}
endWith(faults, 'docs', `${symbols} public symbols, ${faults.length} faults; start at docs/api/index.html`);
