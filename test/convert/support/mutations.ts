// SPDX-License-Identifier: MIT

/** A damaged copy of a file: bytes changed, removed, repeated or cut off, or a number replaced. */
export function mutated(bytes: Uint8Array, random: () => number): Uint8Array {
    const result = [...bytes];
    const below = (limit: number) => Math.floor(random() * limit);
    for (let changes = 1 + below(3); changes > 0; changes--) {
        const at = below(result.length);
        const length = 1 + below(below(4) === 0 ? 2000 : 20);
        const kind = below(7);
        if (kind === 0) result[at] = below(256);
        else if (kind === 1) result[at] = result[at]! ^ (1 << below(8));
        else if (kind === 2) result.splice(at, length);
        else if (kind === 3) result.splice(at, 0, ...result.slice(at, at + length));
        else if (kind === 4) result.splice(at, 0, ...result.slice(below(result.length)).slice(0, length));
        else if (kind === 5) result.length = Math.max(1, below(8) === 0 ? at : result.length);
        else result.splice(at, 4, ...Buffer.from(WORDS[below(WORDS.length)]!, 'latin1'));
    }
    return Uint8Array.from(result);
}

const WORDS = [
    '1e38',
    '-1',
    '999999999999',
    '0',
    'nan',
    '{',
    '}',
    '"',
    '\xff\xff\xff\xff',
    '\0\0\0\0',
    'C: "OO",11,12\n',
    '1,',
];
