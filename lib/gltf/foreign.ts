// SPDX-License-Identifier: MIT

/** Formats that are mistaken for glTF, recognized by the first bytes of the file, not by its name. */

export interface ForeignFormat {
    /** With its article: `an FBX file`. */
    readonly what: string;
    readonly remedy: string;
    /** Whether no other data begins this way: it begins with a line of text. */
    readonly isSure: boolean;
}

/** Number of bytes examined. A COLLADA or OBJ file may begin with comments. */
const LOOKED_AT = 4096;

const UNPACK = 'unpack it first';
const BLENDER = 'convert it to glTF, for example with Blender';
const POSELANE = "convert it to glTF with 'poselane convert'";
const NO_CLIPS = `${BLENDER}; it has no animations`;

type Format = readonly [start: string | RegExp, what: string, remedy: string];

/** Text that no other format begins with. */
const PLACEHOLDERS: readonly Format[] = [
    [
        /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\//,
        'a Git LFS pointer',
        "run 'git lfs pull' to get the file that it stands for",
    ],
    [
        /^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i,
        'an HTML page',
        'download the file itself, and check the URL and the login',
    ],
];

/** Patterns for the first bytes, one character per byte. The first match wins. */
const FORMATS: readonly Format[] = [
    // Node reads these two, but not as a buffer; browsers do not.
    [/^\s*(?:Kaydara FBX Binary|; ?FBX \d|FBXHeaderExtension\b)/, 'an FBX file', POSELANE],
    [/^\s*HIERARCHY\s+ROOT\b/i, 'a BVH file', POSELANE],
    // The archive's first file is the scene. Its name follows a header of 30 bytes.
    [/^PK\p{Cc}{2}[\s\S]{26}\P{Cc}{1,200}\.usd/iu, 'a USDZ file', BLENDER],
    ['PK\x03\x04', 'a ZIP archive', UNPACK],
    ['PK\x05\x06', 'a ZIP archive', UNPACK],
    ['PK\x07\x08', 'a ZIP archive', UNPACK],
    ['\x1f\x8b', 'gzip data', 'unpack it first, for example with gunzip'],
    ['\x28\xb5\x2f\xfd', 'Zstandard data, as compressed .blend files are', 'unpack it, or export glTF from Blender'],
    ['7z\xbc\xaf\x27\x1c', 'a 7z archive', UNPACK],
    ['Rar!\x1a\x07', 'a RAR archive', UNPACK],
    ['#usda', 'a USD file', BLENDER],
    ['PXR-USDC', 'a USD file', BLENDER],
    ['BLENDER', 'a Blender file', 'open it in Blender and export glTF'],
    [/^\s*(?:<\?xml[\s\S]*?)?<COLLADA\b/, 'a COLLADA file', BLENDER],
    [/^\s*<\?xml\b/, 'an XML file', 'export glTF from the program that wrote it'],
    [/^(?:[ \t]*(?:#.*)?\r?\n)*(?:mtllib|usemtl|o|g|v|vn|vt)[ \t]+\S/, 'an OBJ file', NO_CLIPS],
    [/^ply\r?\n/, 'a PLY file', NO_CLIPS],
    ['\x89PNG', 'an image', 'name the model that it belongs to'],
    ['\xff\xd8\xff', 'an image', 'name the model that it belongs to'],
];

/** The format of bytes that are not glTF; null if it is unknown, or may be JSON or a GLB. */
export function foreignFormatOf(bytes: Uint8Array): ForeignFormat | null {
    // Not spread, which takes six times as long.
    const codes = bytes.subarray(0, LOOKED_AT) as unknown as number[];
    const start = String.fromCharCode.apply(null, codes).replace(/^\xef\xbb\xbf/, '');
    const fits = ([pattern]: Format) => (typeof pattern === 'string' ? start.startsWith(pattern) : pattern.test(start));
    const sure = PLACEHOLDERS.find(fits);
    const [, what, remedy] = sure ?? FORMATS.find(fits) ?? [];
    return what === undefined ? null : { what, remedy: remedy!, isSure: sure !== undefined };
}
