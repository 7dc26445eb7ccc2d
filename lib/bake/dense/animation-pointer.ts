// SPDX-License-Identifier: MIT

import type { AnimationSampler, Extension, ReaderContext } from '@gltf-transform/core' with {
    'resolution-mode': 'import',
};
import { checkCallback } from '../../base/arguments';
import { checkOptions } from '../../base/call-arguments';
import type { ChannelPath } from '../../gltf/scene';
import { FLOAT } from '../../gltf/validate/accessors';
import { NODE_POINTER } from '../../gltf/validate/targets';

const ROUTINE = 'loadAnimationPointer';
const NAME = 'KHR_animation_pointer';

/** Options of {@link loadAnimationPointer}. */
export interface AnimationPointerOptions {
    /**
     * Called for each ignored channel: one whose target is not a node's translation, rotation, scale or weights.
     *
     * @param channel JSON pointer of the channel.
     * @param target The channel's own pointer.
     */
    onIgnored?(channel: string, target: string): void;
}

/** For `io.registerExtensions`. */
export type AnimationPointerExtension = typeof Extension;

/**
 * An extension for glTF-Transform that reads KHR_animation_pointer. Channels at `/nodes/N/translation`, `rotation`,
 * `scale` and `weights` become ordinary channels of that node. The Document then no longer needs the extension. Other
 * channels are removed. The Document's logger prints a warning for each, and `onIgnored` is called.
 *
 * Source: KHR_animation_pointer (glTF 2.0 extension).
 *
 * @param options Callback for removed channels.
 * @returns The extension's class.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; errors of `import('@gltf-transform/core')`.
 * @example
 * const io = new NodeIO().registerExtensions([...ALL_EXTENSIONS, await loadAnimationPointer()]);
 */
export async function loadAnimationPointer(options: AnimationPointerOptions = {}): Promise<AnimationPointerExtension> {
    const { onIgnored } = checkOptions(ROUTINE, options) as AnimationPointerOptions;
    checkCallback(ROUTINE, 'options.onIgnored', onIgnored);
    // import() and not require(): glTF-Transform needs an ES module, and require() loads one only since Node 20.19.
    const core = await import('@gltf-transform/core');
    return class KHRAnimationPointer extends core.Extension {
        static override readonly EXTENSION_NAME: string = NAME;
        override readonly extensionName: string = NAME;

        override read({ jsonDoc, animations, nodes }: ReaderContext): this {
            for (const [index, { channels }] of (jsonDoc.json.animations ?? []).entries()) {
                const animation = animations[index]!;
                const listed = animation.listChannels();
                for (const [number, { target }] of channels.entries()) {
                    if ((target.path as string) !== 'pointer') continue;
                    const { pointer } = (target.extensions?.[NAME] ?? {}) as { pointer?: unknown };
                    const channel = listed[number]!;
                    const match = NODE_POINTER.exec(String(pointer));
                    const node = match && nodes[Number(match[1])];
                    if (!node) {
                        this.ignore(`/animations/${index}/channels/${number}`, String(pointer));
                        channel.dispose();
                        continue;
                    }
                    channel.setTargetNode(node).setTargetPath(match[2] as ChannelPath);
                    this.decodeOutput(channel.getSampler());
                }
                const used = new Set(animation.listChannels().map((channel) => channel.getSampler()));
                for (const sampler of animation.listSamplers()) if (!used.has(sampler)) sampler.dispose();
            }
            this.dispose();
            return this;
        }

        override write(): this {
            return this;
        }

        /** The extension allows integers. Ordinary channels need floats. */
        private decodeOutput(sampler: AnimationSampler | null): void {
            const output = sampler?.getOutput();
            if (!output?.getArray() || output.getComponentType() === FLOAT) return;
            const size = output.getElementSize();
            const floats = new Float32Array(output.getCount() * size);
            for (let i = 0; i < output.getCount(); i++) floats.set(output.getElement(i, []), i * size);
            const decoded = this.document.createAccessor(output.getName());
            decoded.setType(output.getType()).setArray(floats).setBuffer(output.getBuffer());
            sampler!.setOutput(decoded);
            if (output.listParents().every(({ propertyType }) => propertyType === 'Root')) output.dispose();
        }

        private ignore(channel: string, target: string): void {
            this.document.getLogger().warn(`${NAME}: ${channel} moves no node, but ${target}: left out`);
            onIgnored?.(channel, target);
        }
    };
}
