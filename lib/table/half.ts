// SPDX-License-Identifier: MIT

let table: Float32Array | null = null;

/**
 * The value of every half float (IEEE 754 binary16) as a float32, which holds them all exactly; index: its 16 bits.
 * The same array each time.
 */
export function halfFloats(): Float32Array {
    if (table !== null) return table;
    table = new Float32Array(65536);
    // Doublings and halvings of a power of two are exact, and no routine of the machine's library is asked.
    let unit = 1;
    for (let i = 0; i < 24; i++) unit /= 2;
    for (let bits = 0; bits < 32768; bits++) {
        const exponent = bits >> 10;
        const fraction = bits & 1023;
        let value = exponent === 0 ? fraction * unit : (fraction + 1024) * unit;
        for (let i = 1; i < exponent; i++) value *= 2;
        if (exponent === 31) value = fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
        table[bits] = value;
        table[bits + 32768] = -value;
    }
    return table;
}
