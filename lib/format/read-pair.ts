// SPDX-License-Identifier: MIT

/** The reason why a bin does not match the manifest. */
export const ANOTHER_BIN = "another bake's, or being replaced";

interface PairManifest {
    readonly json: string;
    /** The length and hash of the bin that it states. */
    readonly binary: { readonly byteLength: number; readonly sha256: string };
}

interface PairBin {
    readonly bytes: Uint8Array;
    /** In hex; null if it cannot be calculated here. */
    readonly sha256: string | null;
}

/** The last pause before giving up, milliseconds. Each pause is twice the one before. */
const LONGEST_PAUSE = 64;

/**
 * Reads a manifest and its bin. A writer replaces first the bin and then the manifest. A reader in between gets two
 * files that do not match, and reads again.
 *
 * @returns The pair read last, and whether length and hash match.
 */
export async function readPair<M extends PairManifest, B extends PairBin>(
    readManifest: () => M | Promise<M>,
    readBin: (manifest: M) => B | Promise<B>,
): Promise<{ manifest: M; bin: B; agree: boolean }> {
    let manifest = await readManifest();
    let bin = await readBin(manifest);
    for (let pause = 1; !agree(manifest, bin); pause *= 2) {
        if (pause > LONGEST_PAUSE) return { manifest, bin, agree: false };
        await new Promise((resolve) => setTimeout(resolve, pause));
        const { json } = manifest;
        manifest = await readManifest();
        // The bin can be large, and is mostly the new one already. Until its manifest follows, only the manifest is
        // read again.
        const isOld = manifest.json === json && pause < LONGEST_PAUSE;
        if (!isOld && !agree(manifest, bin)) bin = await readBin(manifest);
    }
    return { manifest, bin, agree: true };
}

function agree({ binary }: PairManifest, { bytes, sha256 }: PairBin): boolean {
    return bytes.byteLength === binary.byteLength && (sha256 ?? binary.sha256) === binary.sha256;
}
