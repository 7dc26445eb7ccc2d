// SPDX-License-Identifier: MIT

/** Calls a function only once per argument. Arguments must not change. */
export function once<Tables extends object, Made>(make: (tables: Tables) => Made): (tables: Tables) => Made {
    const made = new WeakMap<Tables, Made>();
    return (tables) => {
        const found = made.get(tables) ?? make(tables);
        made.set(tables, found);
        return found;
    };
}

/** Calls a function when its result is first needed, and then releases the function and what it holds. */
export function later<Made>(make: () => Made): () => Made {
    let maker: (() => Made) | undefined = make;
    let made: Made;
    return () => {
        if (maker !== undefined) {
            made = maker();
            maker = undefined;
        }
        return made;
    };
}

export function always<Value>(value: Value): () => Value {
    return () => value;
}
