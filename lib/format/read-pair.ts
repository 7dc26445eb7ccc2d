// SPDX-License-Identifier: MIT

/** Why a bin is not the one that the manifest describes. */
export const ANOTHER_BIN = "another bake's, or being replaced";

/** A manifest as it was read. */
interface PairManifest {
    /** As it stands in the file. */
    readonly json: string;
    /** What it states of its bin. */
    readonly binary: { readonly byteLength: number; readonly sha256: string };
}

/** A bin as it was read. */
interface PairBin {
    readonly bytes: Uint8Array;
    /** In hex; null where there is no way to calculate it. */
    readonly sha256: string | null;
}

/** The last pause before a pair is given up, milliseconds: each is twice the one before. */
const LONGEST_PAUSE = 64;

/**
 * Reads a manifest and its bin. A writer replaces first the bin and then the manifest. A reader that comes in between gets two
 * files that do not belong together, and reads again.
 *
 * @returns The pair that was read last, and whether its length and hash agree.
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
        // The bin can be large, and mostly it is the new one already: until its manifest follows, only that is read again.
        const isOld = manifest.json === json && pause < LONGEST_PAUSE;
        if (!isOld && !agree(manifest, bin)) bin = await readBin(manifest);
    }
    return { manifest, bin, agree: true };
}

function agree({ binary }: PairManifest, { bytes, sha256 }: PairBin): boolean {
    return bytes.byteLength === binary.byteLength && (sha256 ?? binary.sha256) === binary.sha256;
}
