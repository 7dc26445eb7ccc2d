// SPDX-License-Identifier: MIT

/** Shared input of many tests, made at the first use. No test may change it. */
export function once<T>(make: () => T): () => T {
    let made: { value: T } | undefined;
    return () => {
        made ??= { value: make() };
        return made.value;
    };
}

/** The same for each of several keys. */
export function onceFor<K, T>(make: (key: K) => T): (key: K) => T {
    const made = new Map<K, T>();
    return (key) => {
        if (!made.has(key)) made.set(key, make(key));
        return made.get(key)!;
    };
}
