# SPDX-License-Identifier: MIT
"""Reads bakes of poselane with NumPy.

    manifest, arrays = load_bake('out/hero.bake.json')  # or hero.bake.glb
    palette = manifest['arrays']['palette']
    matrices = matrices_of(arrays['palette'], palette['layout'], palette.get('pivots'))
    points = skin(matrices[row], weights, positions)

The format: docs/format.md.
"""
import hashlib, json, pathlib, urllib.parse
import numpy as np

def load_bake(path):
    path = pathlib.Path(path)
    data = path.read_bytes()
    if data[:4] == b'glTF':
        end = 20 + int.from_bytes(data[12:16], 'little')
        manifest, data = json.loads(data[20:end])['extras']['poselane'], data[end + 8:]
    else:
        manifest = json.loads(data)
        data = path.with_name(urllib.parse.unquote(manifest['binary']['uri'])).read_bytes()
    data = data[:manifest['binary']['byteLength']]
    assert hashlib.sha256(data).hexdigest() == manifest['binary']['sha256']
    types = {'f32': '<f4', 'f16': '<f2'}
    arrays = manifest['arrays'].items()
    return manifest, {name: np.ndarray(a['shape'], types[a['dtype']], data, a['byteOffset']) for name, a in arrays}

def matrices_of(palette, layout, pivots=()):  # [row][column][4][4]: matrix @ [x, y, z, 1]
    if layout == 'mat4':
        return palette.reshape(*palette.shape[:2], 4, 4).swapaxes(2, 3)  # in the file column after column
    rows = from_qts(palette, pivots) if layout == 'qts16' else palette.reshape(*palette.shape[:2], 3, 4)
    return np.concatenate([rows, np.broadcast_to(rows.dtype.type([0, 0, 0, 1]), (*rows.shape[:2], 1, 4))], 2)

def from_qts(palette, pivots):  # [row][column][3][4]
    texels = palette.reshape(len(palette), -1, 4).astype('f4')
    out = np.empty((len(texels), len(pivots), 3, 4), 'f4')
    for column, (px, py, pz, *third) in enumerate(pivots):
        turn, place = texels[:, 2 * column], texels[:, 2 * column + 1]
        if third:  # a stretched column
            matrix = np.stack([turn, place, texels[:, third[0]]], 1)
        else:
            x, y, z, w = (turn / np.linalg.norm(turn, axis=1, keepdims=True)).T
            linear = 2 * place[:, 3] * np.array([
                [0.5 - y * y - z * z, x * y - w * z, x * z + w * y],
                [x * y + w * z, 0.5 - x * x - z * z, y * z - w * x],
                [x * z - w * y, y * z + w * x, 0.5 - x * x - y * y]])
            matrix = np.concatenate([np.moveaxis(linear, 2, 0), place[:, :3, None]], 2)
        matrix[:, :, 3] -= matrix[:, :, :3] @ [px, py, pz]
        out[:, column] = matrix
    return out

# positions: those of a skin in skin.rescaled times its scale, plus its translation
def skin(matrices, weights, positions):  # of one row; weights [vertex][column]; [vertex][3] in, [vertex][3] out
    points = np.concatenate([positions, np.ones((len(positions), 1))], 1)
    return np.einsum('vc,cij,vj->vi', weights, matrices, points)[:, :3]
