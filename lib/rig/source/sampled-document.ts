// SPDX-License-Identifier: MIT

import type { AccessorLike } from './document-meshes';
import type { DocumentLike } from './from-document';

/*
 * Methods of a glTF-Transform Document that is changed. The library's own types have private members, so TypeScript
 * treats its `import` and `require` types as different. Arguments of setters are typed `never`, because their types are
 * not known here.
 */

/** A Document of glTF-Transform. */
export interface ChangeableDocument extends DocumentLike {
    getRoot(): Omit<ReturnType<DocumentLike['getRoot']>, 'listAnimations'> & {
        listBuffers(): unknown[];
        listAnimations(): ChangeableAnimation[];
    };
    createBuffer(name?: string): unknown;
    createAccessor(name?: string): ChangeableAccessor;
    createAnimationSampler(name?: string): ChangeableSampler;
}

export interface ChangeableAnimation {
    getName(): string;
    listChannels(): ChangeableChannel[];
    listSamplers(): ChangeableSampler[];
    addSampler(sampler: never): unknown;
}

type ChannelBase = ReturnType<ReturnType<ReturnType<DocumentLike['getRoot']>['listAnimations']>[0]['listChannels']>[0];

export interface ChangeableChannel extends ChannelBase {
    getSampler(): ChangeableSampler | null;
    setSampler(sampler: never): unknown;
    setTargetNode(node: never): unknown;
    setTargetPath(path: never): unknown;
    dispose(): void;
}

export interface ChangeableSampler {
    getInput(): ChangeableAccessor | null;
    getOutput(): ChangeableAccessor | null;
    getInterpolation(): string | undefined;
    setInput(accessor: never): unknown;
    setOutput(accessor: never): unknown;
    setInterpolation(interpolation: never): unknown;
    clone(): ChangeableSampler;
    dispose(): void;
}

export interface ChangeableAccessor extends AccessorLike {
    setType(type: never): unknown;
    setArray(array: never): unknown;
    setBuffer(buffer: never): unknown;
    setNormalized(normalized: boolean): unknown;
    listParents(): { readonly propertyType: string }[];
    dispose(): void;
}
