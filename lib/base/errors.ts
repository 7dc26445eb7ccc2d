// SPDX-License-Identifier: MIT

/**
 * The `code` of every error that poselane throws for bad arguments. The `message` names the argument,
 * what was given and what is needed; the class is `TypeError` where the kind of value is wrong and
 * `RangeError` where its amount is. Nothing has been written when one of them is thrown, save for `ERR_BUFFER_CHANGED`.
 */
export type ArgumentErrorCode =
    /** TypeError: not the type that the argument needs. */
    | 'ERR_ARGUMENT_TYPE'
    /** TypeError: a typed array whose buffer was detached, or shrunk below the view. */
    | 'ERR_DETACHED_BUFFER'
    /** RangeError: a length that does not divide into whole joints, or a buffer too short for what was asked. */
    | 'ERR_BUFFER_LENGTH'
    /** RangeError: a count or joint number that is negative, not an integer or beyond the list. */
    | 'ERR_COUNT_RANGE'
    /** RangeError: an element of an index list that is no joint of the buffers. */
    | 'ERR_INDEX_RANGE'
    /** RangeError: a parent that is neither -1 nor a joint of the list. */
    | 'ERR_PARENT_RANGE'
    /** RangeError: a parent that does not come before its child. */
    | 'ERR_PARENT_ORDER'
    /** RangeError: a time, weight or transform that is NaN or infinite. */
    | 'ERR_NOT_FINITE'
    /** TypeError: poses or capsules that another rig made. */
    | 'ERR_FOREIGN_POSES'
    /** Error: poses whose globals would be read, and whose locals were written since `toGlobal`. */
    | 'ERR_STALE_GLOBALS'
    /** Error: a rig or poses that `dispose` was called for. */
    | 'ERR_DISPOSED'
    /** RangeError: a slot whose node has a `matrix`, and so neither translation, rotation nor scale of its own. */
    | 'ERR_MATRIX_SLOT'
    /** RangeError: parts that make no rig: a cycle of parents, keys out of order, counts that do not match. */
    | 'ERR_RIG_INVALID'
    /** RangeError: a bake's manifest that is none of ours, or that its binary does not fit. */
    | 'ERR_BAKE_INVALID'
    /** RangeError: a bake's binary that is not the one its manifest describes: another bake's, or one being replaced. */
    | 'ERR_BINARY_DIFFERS'
    /** RangeError: a model that is not the one that was baked, or tables that are not of one bake; the message says what differs. */
    | 'ERR_MODEL_DIFFERS'
    /**
     * RangeError: buffers that share memory in a way that the routine does not allow. Two SharedArrayBuffer objects over one
     * memory (`structuredClone`, `postMessage`) are two buffers here: see `ERR_BUFFER_CHANGED`.
     */
    | 'ERR_BUFFER_OVERLAP'
    /**
     * Error: a buffer changed while the call ran (another thread wrote to shared memory). Also the addon's error, before it
     * has written anything, for lists that overlap through two SharedArrayBuffer objects over one memory, in bound functions, the
     * Rig and implementations whose bits TypeScript does not have. JavaScript cannot find that out unnoticed, so TypeScript
     * kernels, which the plain functions and `strict/*` turn to where the addon refuses, compute: they may read what they have just
     * written, and the results are then not those of separate lists.
     */
    | 'ERR_BUFFER_CHANGED'
    /** RangeError: no clip or slot of that name; the message lists near ones. */
    | 'ERR_UNKNOWN_NAME'
    /** RangeError: several clips, slots or meshes of that name; the message has their numbers, or what tells them apart. */
    | 'ERR_AMBIGUOUS_NAME'
    /** RangeError: no implementation of that name. */
    | 'ERR_UNKNOWN_IMPLEMENTATION'
    /** Error: the implementation exists, but cannot run here; `cause` says why. */
    | 'ERR_IMPLEMENTATION_UNAVAILABLE'
    /** Error: `POSELANE_BACKEND=native` and the addon did not load; `cause` says why. */
    | 'ERR_NATIVE_UNAVAILABLE'
    /** Error: `bakeFiles` could start no thread for an input; `cause` says why, if the system does. */
    | 'ERR_NO_THREAD';

/** An error of poselane's own: one of the built-in classes with a `code`. */
export type PoselaneError = Error & { readonly code: string };

function withCode<E extends Error>(error: E, code: string): E & { readonly code: string } {
    Object.defineProperty(error, 'code', { value: code, enumerable: true });
    return error as E & { readonly code: string };
}

/** A `TypeError` that carries `code`. */
export function typeError(code: ArgumentErrorCode, message: string): TypeError & { readonly code: string } {
    return withCode(new TypeError(message), code);
}

/** A `RangeError` that carries `code`. */
export function rangeError(code: ArgumentErrorCode, message: string): RangeError & { readonly code: string } {
    return withCode(new RangeError(message), code);
}

/** A plain `Error` that carries `code` and, where there is one, the `cause`. */
export function stateError(code: ArgumentErrorCode, message: string, cause?: unknown): PoselaneError {
    return withCode(cause === undefined ? new Error(message) : new Error(message, { cause }), code);
}

/**
 * What is wrong with an input file, as precisely as a person needs to find it. Exit code 3 in the command line.
 */
export class InputError extends Error {
    override readonly name = 'InputError';
    /**
     * @param code What kind of fault, e.g. `GLTF_INVALID`, `NO_SKIN`; with `strict` a warning's own code.
     * @param file The file as the caller named it; `''` for a Document in memory, which no file is.
     * @param pointer JSON pointer (RFC 6901) into the glTF JSON, `''` where the fault is not in the JSON.
     * @param rule What is needed there, in words; where glTF settles it, with the clause.
     * @param options The error behind it, where there is one.
     */
    constructor(
        readonly code: InputErrorCode | (string & {}),
        readonly file: string,
        readonly pointer: string,
        readonly rule: string,
        options?: { cause?: unknown },
    ) {
        super(`${placeIn(file, pointer)}: ${rule}`, options);
    }
}

/** How messages name an input, given the name of its file: a Document in memory has none. */
export function inputName(file: string): string {
    return file === '' ? 'the Document' : file;
}

function placeIn(file: string, pointer: string): string {
    if (pointer === '') return inputName(file);
    return file === '' ? `${inputName(file)} at ${pointer}` : `${file}#${pointer}`;
}

/** The `code` of an {@link InputError}; with the option `strict` also any code of a warning. */
export type InputErrorCode =
    /** The file, or a file that it refers to, does not exist or cannot be read. */
    | 'FILE_UNREADABLE'
    /** Not a glTF 2.0 file at all: no JSON, bad GLB container, another version. */
    | 'NOT_GLTF'
    /** A glTF that breaks a rule of the specification that baking depends on. */
    | 'GLTF_INVALID'
    /** Needs an extension (`extensionsRequired`) that is not supported, or a decoder that is not there or cannot run. */
    | 'EXTENSION_UNSUPPORTED'
    /** No skin to bake. */
    | 'NO_SKIN'
    /** No animation to bake. */
    | 'NO_ANIMATION'
    /** No triangle that moves, where vertices are baked. */
    | 'NO_MESH'
    /** A node's matrix that is no translation, rotation and scale, where these are needed. */
    | 'MATRIX_NOT_TRS'
    /** Clips of another file move nodes that this one does not have, has several of, or cannot have moved. */
    | 'NODES_UNMATCHED'
    /** A manifest that is none, or of an unknown version. */
    | 'BAKE_INVALID'
    /** A bin that is not the one its manifest describes: another bake's, or one being replaced. */
    | 'BINARY_DIFFERS'
    /** What is no report by `--report`, or does not fit the others of its batch. */
    | 'REPORT_INVALID'
    /** The output would be larger than is allowed. */
    | 'OUTPUT_TOO_LARGE'
    /** The calculation left the range of float32. */
    | 'NOT_FINITE';

/** A wrong option or an unknown name in one: exit code 2 in the command line. */
export class UsageError extends Error {
    override readonly name = 'UsageError';
    /** Always `USAGE`. */
    readonly code = 'USAGE';
}

/** A result that is further off than the caller allows: exit code 4 in the command line. */
export class ToleranceError extends Error {
    override readonly name = 'ToleranceError';
    /** Always `ERR_TOLERANCE`. */
    readonly code = 'ERR_TOLERANCE';
}

/** What to call an option. */
export type OptionNames = (option: string) => string;

const makers = new WeakMap<Error, (name: OptionNames) => Error>();

/**
 * An error that names options: as the library does, or under other names by `messageWith`.
 *
 * @param make Makes the error, with options called by what `name` gives.
 */
export function namingOptions<E extends Error>(make: (name: OptionNames) => E): E {
    const error = make((option) => option);
    makers.set(error, make);
    return error;
}

/** The message of an error, with options under other names. */
export function messageWith(error: Error, names: OptionNames): string {
    return makers.get(error)?.(names).message ?? error.message;
}
