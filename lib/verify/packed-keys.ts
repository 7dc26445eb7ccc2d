// SPDX-License-Identifier: MIT

/** The parts of three.js's GLTFLoader that are used here. */
interface Parser {
    readonly json: {
        readonly animations?: readonly {
            readonly samplers: readonly { readonly input: number; readonly output: number }[];
        }[];
        readonly skins?: readonly { readonly inverseBindMatrices?: number }[];
    };
    loadAccessor(index: number): Promise<unknown>;
}

interface Interleaved {
    readonly isInterleavedBufferAttribute?: true;
    readonly count: number;
    readonly itemSize: number;
    readonly normalized: boolean;
    readonly offset: number;
    readonly data: { readonly array: ArrayLike<number>; readonly stride: number };
}

type MakeAttribute<A> = new (array: never, itemSize: number, normalized: boolean) => A;

/**
 * A plugin of GLTFLoader that returns keys and inverse bind matrices tightly packed. By itself, three.js uses the whole
 * interleaved array. Values are then wrong. A rotation whose stride is not a multiple of 4 numbers never ends, because
 * its slerp steps by 4.
 */
export function packedKeys<A>(parser: object, BufferAttribute: MakeAttribute<A>): { name: string } {
    const owner = parser as Parser;
    const { animations = [], skins = [] } = owner.json;
    const keys = new Set(
        animations.flatMap(({ samplers }) => samplers.flatMap(({ input, output }) => [input, output])),
    );
    for (const { inverseBindMatrices } of skins) if (inverseBindMatrices !== undefined) keys.add(inverseBindMatrices);
    const load = owner.loadAccessor.bind(owner);
    owner.loadAccessor = async (index) => {
        const attribute = (await load(index)) as Interleaved;
        if (!keys.has(index) || !attribute.isInterleavedBufferAttribute) return attribute;
        const { count, itemSize, normalized, offset, data } = attribute;
        const { array, stride } = data;
        const Components = array.constructor as new (length: number) => Record<number, number>;
        const packed = new Components(count * itemSize);
        for (let i = 0; i < count * itemSize; i++) {
            packed[i] = array[Math.floor(i / itemSize) * stride + offset + (i % itemSize)]!;
        }
        return new BufferAttribute(packed as never, itemSize, normalized);
    };
    return { name: 'PACKED_KEYS' };
}
