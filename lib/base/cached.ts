// SPDX-License-Identifier: MIT

interface Cache<K, V> {
    get(key: K): V | undefined;
    set(key: K, value: V): unknown;
}

/** The value of a key, which is made and kept on first use. */
export function cached<K, V>(cache: Cache<K, V>, key: K, make: () => V): V {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = make();
    cache.set(key, made);
    return made;
}
