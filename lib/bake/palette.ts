// SPDX-License-Identifier: MIT

/**
 * Stores JointMats (row-major 3x4) as column-major 4x4, as WebGL, three.js and Babylon take them.
 *
 * @param to Written from matrix `first` on.
 * @returns Whether all values are finite.
 */
export function storeMat4Rows(to: Float32Array, first: number, mats: Float32Array, count: number): boolean {
    let finite = true;
    for (let i = 0, m = 0, t = first * 16; i < count; i++, m += 12, t += 16) {
        const m0 = mats[m]!;
        const m1 = mats[m + 1]!;
        const m2 = mats[m + 2]!;
        const m3 = mats[m + 3]!;
        const m4 = mats[m + 4]!;
        const m5 = mats[m + 5]!;
        const m6 = mats[m + 6]!;
        const m7 = mats[m + 7]!;
        const m8 = mats[m + 8]!;
        const m9 = mats[m + 9]!;
        const m10 = mats[m + 10]!;
        const m11 = mats[m + 11]!;
        to[t] = m0;
        to[t + 1] = m4;
        to[t + 2] = m8;
        to[t + 3] = 0;
        to[t + 4] = m1;
        to[t + 5] = m5;
        to[t + 6] = m9;
        to[t + 7] = 0;
        to[t + 8] = m2;
        to[t + 9] = m6;
        to[t + 10] = m10;
        to[t + 11] = 0;
        to[t + 12] = m3;
        to[t + 13] = m7;
        to[t + 14] = m11;
        to[t + 15] = 1;
        // Twelve float32 cannot overflow a double, so the sum is finite exactly where all of them are.
        const sum = m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8 + m9 + m10 + m11;
        if (sum - sum !== 0) finite = false;
    }
    return finite;
}

/** The first JointMat with a value that is not finite, -1 where there is none. */
export function firstNotFinite(mats: Float32Array): number {
    const at = mats.findIndex((value) => !Number.isFinite(value));
    return at < 0 ? -1 : Math.floor(at / 12);
}

/** The bytes of a float list, least significant first. On a machine of the other order the list itself is turned. */
export function toLittleEndian(floats: Float32Array, littleEndian = hostIsLittleEndian()): Uint8Array {
    const bytes = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
    if (!littleEndian) {
        for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
    }
    return bytes;
}

function hostIsLittleEndian(): boolean {
    return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
