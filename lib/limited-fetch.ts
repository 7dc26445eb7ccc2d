// SPDX-License-Identifier: MIT

/** Requests that end: by the caller's signal, after too long a wait, or with too many bytes. */

/** A signal that aborts with the caller's, or when it took too long. */
export interface LimitedSignal {
    readonly signal: AbortSignal;
    /** From now on so long, milliseconds. */
    allow(milliseconds: number): void;
    /** The request is over. */
    done(): void;
}

export function limitedSignal(caller: AbortSignal | undefined): LimitedSignal {
    const controller = new AbortController();
    const stop = () => controller.abort(caller!.reason);
    if (caller?.aborted) stop();
    caller?.addEventListener('abort', stop, { once: true });
    let timer: NodeJS.Timeout | undefined;
    return {
        signal: controller.signal,
        allow(milliseconds: number) {
            clearTimeout(timer);
            const wait = Math.min(milliseconds, 2 ** 31 - 1);
            timer = setTimeout(() => controller.abort(new Error(`no answer within ${Math.ceil(wait)} ms`)), wait);
        },
        done() {
            clearTimeout(timer);
            caller?.removeEventListener('abort', stop);
        },
    };
}

/**
 * The body of an answer; null where it has more bytes than `limit`.
 *
 * @param onPart Called for each part that arrives.
 */
export async function readAtMost(
    response: Response,
    limit: number,
    onPart: () => void = () => {},
): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
        length += part.length;
        if (length > limit) return null; // leaving the loop cancels the rest
        parts.push(part);
        onPart();
    }
    return Buffer.concat(parts, length);
}

/** What is wrong, in words: fetch itself says 'fetch failed' alone, and its cause, of several addresses, nothing. */
export function whyFailed(error: unknown): string {
    const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
    return cause?.message || cause?.code || message;
}
