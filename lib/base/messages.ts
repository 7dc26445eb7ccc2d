// SPDX-License-Identifier: MIT

/** A measured number for people: `0.00123`, `12.3457`, `1.2e-7`. */
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

/** Options as flags of the command: `--fps auto --layout qts16`. */
export function flagsOf(options: object): string {
    return Object.entries(options)
        .map(([name, value]) => `--${name} ${value}`)
        .join(' ');
}

export const FEWER_FILES = 'raise the limit (ulimit -n), or work on fewer files at once (-j)';

/** The reason why a file cannot be read, and advice, by the error code of the file system. */
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

/** The reason why a file cannot be read, after its code. Without the system's own message, which has absolute paths. */
export function whyUnreadable(error: unknown): string {
    const { code } = (error ?? {}) as { code?: unknown };
    if (typeof code !== 'string') return 'unknown error';
    return Object.hasOwn(UNREADABLE, code) ? `${code}: ${UNREADABLE[code]}` : code;
}

/**
 * Warnings of one file by code, in order. A warning without a pointer is about the whole file, and is separate.
 */
export function groupWarnings<W extends { readonly code: string; readonly pointer: string; readonly message: string }>(
    warnings: readonly W[],
): W[][] {
    const groups = new Map<string, W[]>();
    for (const warning of warnings) {
        const { code, pointer, message } = warning;
        const key = `${code} ${pointer === '' ? message : ''}`;
        groups.set(key, [...(groups.get(key) ?? []), warning]);
    }
    return [...groups.values()];
}

/**
 * Characters that could break a line, control a terminal, reorder text or hide in it: control characters, Unicode line
 * ends, format characters (including the bidirectional ones), other characters without a glyph, and unpaired
 * surrogates. Variation selectors are allowed, because emoji contain them.
 */
const UNSAFE = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes unsafe characters as `\uXXXX`, which JSON also reads. */
export function visible(text: string): string {
    return text.replace(UNSAFE, (character) =>
        Array.from({ length: character.length }, (_, i) => {
            return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
        }).join(''),
    );
}
