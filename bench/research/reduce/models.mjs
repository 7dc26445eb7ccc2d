// SPDX-License-Identifier: MIT

import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const shared = process.env.POSELANE_MODELS ?? `${root}../shared/models/`;
/** Where the models lie that are measured; those of the folder beside the checkout may be absent. */
export const MODELS = {
    example: `${root}examples/character.glb`,
    robot: `${shared}RobotExpressive/RobotExpressive.glb`,
    fox: `${shared}Fox.glb`,
    figure: `${shared}RiggedFigure/RiggedFigure.gltf`,
    knight: `${shared}KayKit/Knight.glb`,
    rogue: `${shared}KayKit/Rogue.glb`,
};
