// SPDX-License-Identifier: MIT

export function allFinite(floats: Float32Array): boolean {
    // Sums of float32 cannot overflow a double, so a sum is finite exactly if all its terms are. There are four sums
    // because each addition waits for the one before.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const fours = floats.length - (floats.length % 4);
    for (let i = 0; i < fours; i += 4) {
        a += floats[i]!;
        b += floats[i + 1]!;
        c += floats[i + 2]!;
        d += floats[i + 3]!;
    }
    for (let i = fours; i < floats.length; i++) a += floats[i]!;
    const sum = a + b + c + d;
    return sum - sum === 0;
}

/** Index of the first 4x4 matrix with a value that is not finite; -1 if there is none. */
export function firstNotFinite(mats: Float32Array): number {
    const at = mats.findIndex((value) => !Number.isFinite(value));
    return at < 0 ? -1 : Math.floor(at / 16);
}

/** The bytes of a list in little-endian order. A big-endian machine swaps the bytes of the list itself. */
export function toLittleEndian(
    list: Float32Array | Int32Array | Uint32Array | Uint16Array,
    littleEndian: boolean = hostIsLittleEndian(),
): Uint8Array {
    const bytes = new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
    const size = list.BYTES_PER_ELEMENT;
    if (!littleEndian) {
        for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
    }
    return bytes;
}

function hostIsLittleEndian(): boolean {
    return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
