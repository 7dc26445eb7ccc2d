// SPDX-License-Identifier: MIT

/** Babylon.js without a canvas. It consists of ES modules, which jest can load only as a bundle. */

import { createRequire } from 'node:module';
import type * as Babylon from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { build } from 'esbuild';

export async function loadBabylon(): Promise<typeof Babylon> {
    const contents = `
        export { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
        export { Bone } from '@babylonjs/core/Bones/bone.js';
        export { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
        export { Constants } from '@babylonjs/core/Engines/constants.js';
        export { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
        export { Logger } from '@babylonjs/core/Misc/logger.js';
        export { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
        export { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
        export { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
        export { Ray } from '@babylonjs/core/Culling/ray.js';
        export { Mesh } from '@babylonjs/core/Meshes/mesh.js';
        export { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
        export { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
        export { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
        import '@babylonjs/core/Materials/standardMaterial.js';
        import '@babylonjs/core/Meshes/thinInstanceMesh.js';
        export { Scene } from '@babylonjs/core/scene.js';`;
    const { outputFiles } = await build({
        stdin: { contents, resolveDir: __dirname },
        bundle: true,
        write: false,
        format: 'cjs',
        platform: 'node',
        logLevel: 'silent',
    });
    const module = { exports: {} };
    new Function('module', 'exports', 'require', outputFiles[0]!.text)(
        module,
        module.exports,
        createRequire(__filename),
    );
    const babylon = module.exports as typeof Babylon;
    babylon.Logger.LogLevels = babylon.Logger.NoneLogLevel;
    return babylon;
}
