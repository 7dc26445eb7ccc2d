// SPDX-License-Identifier: MIT

/** Requests with limits: the caller's signal, a timeout, a minimum rate, and a maximum size. */

/** A signal that aborts with the caller's, or when the transfer takes too long. */
export interface LimitedSignal {
    readonly signal: AbortSignal;
    /** Sets the time limit, milliseconds from now. */
    allow(milliseconds: number): void;
    /**
     * Sets the minimum rate from now on: bytes per millisecond, in each window of the given length in milliseconds.
     *
     * @returns A function that counts received bytes.
     */
    pace(rate: number, milliseconds: number): (bytes: number) => void;
    /** Call it when the request is over. */
    done(): void;
}

const MAX_WAIT = 2 ** 31 - 1;

export function limitedSignal(caller: AbortSignal | undefined): LimitedSignal {
    const controller = new AbortController();
    const stop = () => controller.abort(caller!.reason);
    if (caller?.aborted) stop();
    caller?.addEventListener('abort', stop, { once: true });
    let timer: NodeJS.Timeout | undefined;
    let window: NodeJS.Timeout | undefined;
    return {
        signal: controller.signal,
        allow(milliseconds) {
            clearTimeout(timer);
            if (milliseconds === Infinity) return;
            const wait = Math.ceil(Math.min(milliseconds, MAX_WAIT));
            timer = setTimeout(() => controller.abort(new Error(`no answer within ${wait} ms`)), wait);
        },
        pace(rate, milliseconds) {
            clearInterval(window);
            const wait = Math.ceil(Math.min(milliseconds, MAX_WAIT));
            let moved = 0;
            window = setInterval(() => {
                if (moved < rate * wait) {
                    controller.abort(new Error(`fewer than ${rate * 1000} bytes a second for ${wait} ms`));
                }
                moved = 0;
            }, wait);
            return (bytes) => {
                moved += bytes;
            };
        },
        done() {
            clearTimeout(timer);
            clearInterval(window);
            caller?.removeEventListener('abort', stop);
        },
    };
}

/**
 * Reads the body of an answer; null if it has more bytes than `limit`.
 *
 * @param onPart Called with the number of bytes of each part that arrives.
 */
export async function readAtMost(
    response: Response,
    limit: number,
    onPart: (bytes: number) => void,
): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
        length += part.length;
        if (length > limit) return null; // leaving the loop cancels the rest
        parts.push(part);
        onPart(part.length);
    }
    return Buffer.concat(parts, length);
}

/**
 * The reason of a failure. `fetch` itself only says 'fetch failed', and its cause is empty for a host with several
 * addresses.
 */
export function whyFailed(error: unknown): string {
    const { message, code, cause } = error as Error & { code?: string; cause?: { message?: string; code?: string } };
    return cause?.message || cause?.code || message || code || 'it failed';
}
