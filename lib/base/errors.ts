// SPDX-License-Identifier: MIT

/**
 * The `code` of every error that poselane throws for bad arguments. The `message` names the argument, its value and the
 * rule. The class is `TypeError` for a wrong kind of value, and `RangeError` for a wrong amount. Nothing has been
 * written when one is thrown, except with `ERR_BUFFER_CHANGED`.
 */
export type ArgumentErrorCode =
    /** TypeError: the argument has the wrong type. */
    | 'ERR_ARGUMENT_TYPE'
    /** TypeError: a typed array whose buffer was detached, or shrunk below the view. */
    | 'ERR_DETACHED_BUFFER'
    /** RangeError: a length that is not a whole number of joints, or a buffer that is too short. */
    | 'ERR_BUFFER_LENGTH'
    /** RangeError: a count or joint number that is negative, not an integer, or beyond the list. */
    | 'ERR_COUNT_RANGE'
    /** RangeError: an index that is not a joint of the buffers. */
    | 'ERR_INDEX_RANGE'
    /** RangeError: a parent that is neither -1 nor a joint of the list. */
    | 'ERR_PARENT_RANGE'
    /** RangeError: a parent that does not come before its child. */
    | 'ERR_PARENT_ORDER'
    /** RangeError: a time, weight or transform that is NaN or infinite. */
    | 'ERR_NOT_FINITE'
    /** TypeError: poses or capsules that another rig made. */
    | 'ERR_FOREIGN_POSES'
    /** Error: the globals of poses would be read, but locals were written since the last `toGlobal`. */
    | 'ERR_STALE_GLOBALS'
    /** Error: a rig or poses after `dispose`. */
    | 'ERR_DISPOSED'
    /** RangeError: a slot whose node has a `matrix`, and therefore no translation, rotation and scale. */
    | 'ERR_MATRIX_SLOT'
    /** RangeError: invalid parts of a rig: a cycle of parents, keys out of order, counts that do not match. */
    | 'ERR_RIG_INVALID'
    /** RangeError: a manifest that is not of this format, or that does not match its binary. */
    | 'ERR_BAKE_INVALID'
    /**
     * RangeError: a binary that does not match its manifest. It may belong to another bake, or be in the middle of a
     * replacement.
     */
    | 'ERR_BINARY_DIFFERS'
    /** RangeError: a model other than the baked one, or tables of different bakes. The message names the difference. */
    | 'ERR_MODEL_DIFFERS'
    /**
     * RangeError: buffers that share memory in a way that the routine does not allow. Two SharedArrayBuffer objects
     * over one memory (`structuredClone`, `postMessage`) count as two buffers: see `ERR_BUFFER_CHANGED`.
     */
    | 'ERR_BUFFER_OVERLAP'
    /**
     * Error: a buffer changed during the call, because another thread wrote to shared memory.
     * Also thrown by the addon, before it has written anything, for lists that overlap through two SharedArrayBuffer
     * objects over one memory. This applies to bound functions, the Rig, and implementations whose bits TypeScript does
     * not have. JavaScript cannot detect such an overlap without side effects. So the TypeScript kernels, which the
     * plain functions and `strict/*` use when the addon rejects lists, calculate anyway. They may read values that they
     * have just written. The results then differ from those of separate lists.
     */
    | 'ERR_BUFFER_CHANGED'
    /** RangeError: no clip or slot has the name. The message lists similar names. */
    | 'ERR_UNKNOWN_NAME'
    /**
     * RangeError: several clips, slots or meshes have the name. The message lists their numbers, or how to distinguish
     * them.
     */
    | 'ERR_AMBIGUOUS_NAME'
    /** RangeError: no implementation has the name. */
    | 'ERR_UNKNOWN_IMPLEMENTATION'
    /** Error: the implementation exists, but cannot run here. `cause` has the reason. */
    | 'ERR_IMPLEMENTATION_UNAVAILABLE'
    /** Error: `POSELANE_BACKEND=native`, but the addon did not load. `cause` has the reason. */
    | 'ERR_NATIVE_UNAVAILABLE'
    /** Error: `bakeFiles` could start no thread for an input. `cause` has the reason if the system gives one. */
    | 'ERR_NO_THREAD';

/** An error of poselane: one of the built-in classes with a `code`. */
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

/** A plain `Error` that carries `code` and, if there is one, the `cause`. */
export function stateError(code: ArgumentErrorCode, message: string, cause?: unknown): PoselaneError {
    return withCode(cause === undefined ? new Error(message) : new Error(message, { cause }), code);
}

/** A fault of an input file, with its place. Exit code 3 in the command line. */
export class InputError extends Error {
    override readonly name = 'InputError';
    /**
     * @param code Kind of fault, such as `GLTF_INVALID` or `NO_SKIN`. With `strict`, a warning's own code.
     * @param file Path given by the caller; `''` for a Document in memory.
     * @param pointer JSON pointer (RFC 6901) into the glTF JSON; `''` for a fault outside of the JSON.
     * @param rule The rule in words, with the clause of the glTF specification if there is one.
     * @param options The cause, if there is one.
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

/** Name of an input in messages. A Document in memory has no file name. */
export function inputName(file: string): string {
    return file === '' ? 'the Document' : file;
}

function placeIn(file: string, pointer: string): string {
    if (pointer === '') return inputName(file);
    return file === '' ? `${inputName(file)} at ${pointer}` : `${file}#${pointer}`;
}

/** The `code` of an {@link InputError}. With the option `strict`, also any code of a warning. */
export type InputErrorCode =
    /** The file, or a file that it refers to, does not exist or cannot be read. */
    | 'FILE_UNREADABLE'
    /** Not a glTF 2.0 file: no JSON, an invalid GLB container, or another version. */
    | 'NOT_GLTF'
    /** A glTF that breaks a rule of the specification that baking depends on. */
    | 'GLTF_INVALID'
    /** A required extension (`extensionsRequired`) is not supported, or its decoder is missing or cannot run. */
    | 'EXTENSION_UNSUPPORTED'
    /** There is no skin to bake. */
    | 'NO_SKIN'
    /** There is no animation to bake. */
    | 'NO_ANIMATION'
    /** Vertices are baked, but no triangle moves. */
    | 'NO_MESH'
    /** A node's matrix is not a translation, rotation and scale, where these are needed. */
    | 'MATRIX_NOT_TRS'
    /** Clips of another file move nodes that are missing here, have several matches, or must not be moved. */
    | 'NODES_UNMATCHED'
    /** A skeleton without hips or a whole leg, for `retarget: 'humanoid'`. The message names the roles. */
    | 'ROLES_MISSING'
    /** Several joints could be the hips or a joint of a leg. The message names them. */
    | 'ROLES_AMBIGUOUS'
    /** The manifest is invalid or has an unknown version. */
    | 'BAKE_INVALID'
    /** A bin does not match its manifest. It may belong to another bake, or be in the middle of a replacement. */
    | 'BINARY_DIFFERS'
    /** Not a report by `--report`, or one that does not fit the others of its batch. */
    | 'REPORT_INVALID'
    /** The output would exceed a limit. */
    | 'OUTPUT_TOO_LARGE'
    /** A calculation left the range of float32. */
    | 'NOT_FINITE';

/** A wrong option, or an unknown name in one. Exit code 2 in the command line. */
export class UsageError extends Error {
    override readonly name = 'UsageError';
    /** Always `USAGE`. */
    readonly code = 'USAGE';
}

/** A result whose error exceeds the caller's tolerance. Exit code 4 in the command line. */
export class ToleranceError extends Error {
    override readonly name = 'ToleranceError';
    /** Always `ERR_TOLERANCE`. */
    readonly code = 'ERR_TOLERANCE';
}

/** Returns the name of an option in messages. */
export type OptionNames = (option: string) => string;

const makers = new WeakMap<Error, (name: OptionNames) => Error>();

/**
 * Makes an error that names options. `messageWith` can later rename them, for the command line.
 *
 * @param make Makes the error. `name` returns the name of an option.
 */
export function namingOptions<E extends Error>(make: (name: OptionNames) => E): E {
    const error = make((option) => option);
    makers.set(error, make);
    return error;
}

/** The message of an error, with other names of options. */
export function messageWith(error: Error, names: OptionNames): string {
    return makers.get(error)?.(names).message ?? error.message;
}
