// SPDX-License-Identifier: MIT

/** Words that messages of several layers share. */

/** A measured number as a person reads it: `0.00123`, `12.3457`, `1.2e-7`. */
export function significant(value: number, digits = 6): string {
    return String(Number(value.toPrecision(digits)));
}

/** `1.5 GiB (1610612736 bytes)`. */
export function sizeOf(bytes: number): string {
    const rough = roughSizeOf(bytes);
    return bytes < 1024 ? rough : `${rough} (${bytes} bytes)`;
}

/** `1.5 GiB`. */
export function roughSizeOf(bytes: number): string {
    if (bytes < 1024) return `${bytes} bytes`;
    const [unit, name] = bytes < 1048576 ? [1024, 'KiB'] : bytes < 1073741824 ? [1048576, 'MiB'] : [1073741824, 'GiB'];
    return `${significant(bytes / unit, 3)} ${name}`;
}

/** What to do about `EMFILE`. */
export const FEWER_FILES = 'raise the limit (ulimit -n), or work on fewer files at once (-j)';

/** Why a file cannot be read and what to do about it, by the code of the file system's error. */
const UNREADABLE: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file; check its name and folder',
    EISDIR: 'it is a folder; name a file in it',
    ENOTDIR: 'its path goes through a file; check the path',
    EACCES: 'permission denied; check who may read it',
    EPERM: 'permission denied; check who may read it',
    EMFILE: `this process has too many files open; ${FEWER_FILES}`,
    ENFILE: 'the system has too many files open; try again when it has fewer',
    ENAMETOOLONG: 'the name is too long; check the path',
    ELOOP: 'its symbolic links lead in a circle; check where they lead',
};

/** Why a file cannot be read, in words behind the code. Without the system's own message, which has absolute paths. */
export function whyUnreadable(error: unknown): string {
    const { code } = (error ?? {}) as { code?: unknown };
    if (typeof code !== 'string') return 'unknown error';
    return Object.hasOwn(UNREADABLE, code) ? `${code}: ${UNREADABLE[code]}` : code;
}

/**
 * Characters that could break a line, steer a terminal, reorder text or hide in it: control characters, line ends of Unicode, format
 * characters (which include the bidirectional ones), all others that have no glyph, and half a surrogate pair. Variation selectors stay,
 * which belong to emoji.
 */
const UNSAFE = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes characters that could mislead, as `\uXXXX`, which JSON reads, too. */
export function visible(text: string): string {
    return text.replace(UNSAFE, (character) =>
        Array.from({ length: character.length }, (_, i) => {
            return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
        }).join(''),
    );
}
