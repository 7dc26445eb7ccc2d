// SPDX-License-Identifier: MIT

/** Vertices moved by a palette, in three.js's shading language (TSL). The same as `../vertex-shader.ts` in GLSL. */

import type * as WEBGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import { texelsOf } from '../../table/texture';
import type { Sources } from '../instances';
import type { Lane } from '../lanes';
import type { Texels } from '../texture';
import { MORPHED } from './textures';
import type { ThreeWebGPULike } from './types';

type Node<T> = WEBGPU.Node<T>;
type Int = Node<'int'>;

/**
 * Moves positions, normals and tangents in place, instead of three's skinning and instancing. First the morph targets
 * with weights of the bake, then the palette, then the instance's matrix. Also sets the instance's color.
 *
 * @param targets The morph targets by {@link createTargets}; null if three.js has applied the mesh's own weights.
 * @param colors Returns the instances' colors at the time the shader is built.
 * @returns A function to call within a TSL function.
 */
export function moveVertices(
    { TSL }: ThreeWebGPULike,
    { part, table, palette, pivots, morphs, matrices, mixes }: Sources,
    targets: WEBGPU.DataTexture | null,
    colors: () => Lane | undefined,
): () => void {
    const { If, Loop, attribute, float, instanceIndex, int, ivec2, mat3, mat4, select, uniform, vec3, vec4 } = TSL;
    const { normalLocal, positionLocal, tangentLocal, textureLoad, transformNormal, varyingProperty, vertexIndex } =
        TSL;
    const { geometry } = part.mesh;

    /** A texel by its number, line after line. */
    function nth(texture: WEBGPU.Texture, at: Int) {
        const { width } = texture.image as { width: number };
        const line = at.div(width);
        return textureLoad(texture, ivec2(at.sub(line.mul(width)), line));
    }

    /** Four floats of the instance's data. */
    const own = ({ drawn, floats }: Lane, texel: number) =>
        nth(
            drawn as WEBGPU.Texture,
            int(instanceIndex)
                .mul(floats / 4)
                .add(texel),
        );

    /** A texel of a row of the table. */
    function texel(texture: Texels, x: Int, row: Int) {
        const { height } = texture.image as { height: number };
        if (!('isDataArrayTexture' in texture)) return textureLoad(texture, ivec2(x, row));
        const layer = row.div(height);
        return textureLoad(texture, ivec2(x, row.sub(layer.mul(height)))).depth(layer);
    }

    /**
     * Mixes the values that `at` returns for rows: between two rows, and with another clip's, by the instance's row
     * mix.
     */
    function mixed<T>(at: (row: Int) => T, mix: (value: T, other: T, share: Node<'float'>) => void): T {
        const between = (one: Node<'vec4'>) => {
            const value = at(int(one.x));
            If(one.z.greaterThan(0), () => mix(value, at(int(one.y)), one.z));
            return value;
        };
        const [rows, to] = [own(mixes, 0).toVar(), own(mixes, 1).toVar()];
        const value = between(rows);
        If(rows.w.greaterThan(0), () => mix(value, between(to), rows.w));
        return value;
    }

    /** Mixes element by element. */
    function linear<T extends Node<'mat4'> | Node<'float'>>(at: (row: Int) => T): T {
        // three's types accept operators for one type at a time.
        type Value = Node<'float'>;
        const value = (row: Int) => (at(row) as Value).toVar() as Value;
        const mix = (one: Value, other: Value, share: Value) => {
            one.addAssign(other.sub(one).mul(share));
        };
        return mixed(value, mix) as Node<unknown> as T;
    }

    /** The matrix of a column of the palette. */
    function matrixAt(column: Int): Node<'mat4'> {
        const texels = texelsOf(table.arrays.palette!);
        const first = column.mul(texels).toVar();
        const at = (row: Int, i: number) => texel(palette, first.add(i), row);
        if (texels === 4) return linear((row) => mat4(at(row, 0), at(row, 1), at(row, 2), at(row, 3)));
        if (texels === 3) {
            return linear((row) => mat4(at(row, 0), at(row, 1), at(row, 2), vec4(0, 0, 0, 1)).transpose());
        }
        // Columns of `qts16` are mixed before they become matrices: rotations on the shorter arc, all else linearly. The
        // third texel is that of a stretched column.
        const pivot = textureLoad(pivots!, ivec2(column, 0)).toVar();
        const third = int(pivot.w).toVar();
        const turns = third.equal(0);
        const [turn, place, last] = mixed(
            (row) => {
                const value = [at(row, 0).toVar(), at(row, 1).toVar(), vec4(0).toVar()] as const;
                If(turns.not(), () => value[2].assign(texel(palette, third, row)));
                return value;
            },
            (one, other, share) => {
                const signed = select(turns.and(one[0].dot(other[0]).lessThan(0)), share.negate(), share);
                one[0].assign(one[0].mul(share.oneMinus()).add(other[0].mul(signed)));
                If(turns, () => one[0].assign(one[0].normalize()));
                for (const k of [1, 2]) one[k]!.addAssign(other[k]!.sub(one[k]!).mul(share));
            },
        );
        const doubled = turn.mul(place.w.mul(2).div(turn.dot(turn))).toVar();
        const [x, w] = [doubled.xyz.mul(turn.x).toVar(), doubled.xyz.mul(turn.w).toVar()];
        const [yy, yz, zz] = [turn.y.mul(doubled.y), turn.y.mul(doubled.z), turn.z.mul(doubled.z)];
        const a = vec3(place.w.sub(yy).sub(zz), x.y.add(w.z), x.z.sub(w.y)).toVar();
        const b = vec3(x.y.sub(w.z), place.w.sub(x.x).sub(zz), yz.add(w.x)).toVar();
        const c = vec3(x.z.add(w.y), yz.sub(w.x), place.w.sub(x.x).sub(yy)).toVar();
        const moved = place.xyz.toVar();
        If(turns.not(), () => {
            a.assign(vec3(turn.x, place.x, last.x));
            b.assign(vec3(turn.y, place.y, last.y));
            c.assign(vec3(turn.z, place.z, last.z));
            moved.assign(vec3(turn.w, place.w, last.w));
        });
        moved.subAssign(mat3(a, b, c).mul(pivot.xyz));
        return mat4(vec4(a, 0), vec4(b, 0), vec4(c, 0), vec4(moved, 1)).toVar();
    }

    /** The matrix that moves the vertex. */
    function matrix(): Node<'mat4'> {
        if (part.follows === 'rest') return uniform(part.rest);
        if (part.follows === 'column') return matrixAt(int(part.column));
        const joints = attribute<'uvec4'>('skinIndex', 'uvec4').toVar() as Node<unknown> as WEBGPU.ArrayNode<'uint'>;
        const weights = attribute<'vec4'>('skinWeight', 'vec4').toVar() as Node<unknown> as WEBGPU.ArrayNode<'float'>;
        const sum: Node<'mat4'> = mat4().mul(0).toVar();
        Loop(4, ({ i }) => {
            sum.assign(sum.add(matrixAt(int(joints.element(i))).mul(weights.element(i))));
        });
        return sum;
    }

    /** Applies morph targets as three.js does, with weights of the bake. */
    function morph() {
        const { morphAttributes, morphTargetsRelative, attributes } = geometry;
        const { length } = (morphAttributes.position ?? morphAttributes.normal)!;
        const vertices = attributes.position!.count;
        const kinds = MORPHED.filter((kind) => morphAttributes[kind] !== undefined);
        const base = float(1).toVar();
        const sums = kinds.map(() => vec3(0).toVar());
        Loop(length, ({ i }) => {
            const weight = linear((row) => texel(morphs!, i.add(part.firstWeight!), row).x);
            base.subAssign(weight);
            for (const [k, sum] of sums.entries()) {
                const at = i.mul(kinds.length).add(k).mul(vertices).add(int(vertexIndex));
                sum.addAssign(nth(targets!, at).xyz.mul(weight));
            }
        });
        for (const [k, kind] of kinds.entries()) {
            if (kind === 'normal' && !geometry.hasAttribute('normal')) continue;
            const local = kind === 'normal' ? normalLocal : positionLocal;
            local.assign((morphTargetsRelative ? local : local.mul(base)).add(sums[k]!));
        }
    }

    /**
     * For the normals of rigid meshes, also for singular matrices. three.js transforms skinned normals by the matrix
     * itself.
     */
    function inverseTranspose(matrix: Node<'mat4'>) {
        const column = (x: number, y: number, z: number) => matrix.mul(vec4(x, y, z, 0)).xyz.toVar();
        const [a, b, c] = [column(1, 0, 0), column(0, 1, 0), column(0, 0, 1)];
        const bc = b.cross(c).toVar();
        return mat3(bc, c.cross(a), a.cross(b)).mul(select(a.dot(bc).lessThan(0), float(-1), float(1)));
    }

    return () => {
        if (targets !== null) morph();
        const baked = matrix();
        const placed = mat4(own(matrices, 0), own(matrices, 1), own(matrices, 2), own(matrices, 3)).toVar();
        positionLocal.assign(placed.mul(baked.mul(vec4(positionLocal, 1))).xyz);
        if (geometry.hasAttribute('normal')) {
            const normals = part.follows === 'joints' ? mat3(baked) : inverseTranspose(baked);
            normalLocal.assign(transformNormal(normals.mul(normalLocal), placed));
        }
        if (geometry.hasAttribute('tangent')) tangentLocal.assign(mat3(placed).mul(mat3(baked).mul(tangentLocal)));
        const color = colors();
        if (color) varyingProperty('vec3', 'vInstanceColor').assign(own(color, 0).xyz);
    };
}
