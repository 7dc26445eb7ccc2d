// SPDX-License-Identifier: MIT

/** A server of Bazel's protocol with optional faults. Shares no code with lib/bake/cache. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault = (request: IncomingMessage, response: ServerResponse, blob: Buffer | undefined) => boolean;

export interface StoreServer {
    readonly url: string;
    readonly blobs: Map<string, Buffer>;
    /** `GET /ac/…` and other requests, in order. */
    readonly requests: string[];
    readonly tokens: Set<string | undefined>;
    /** Returns true if it answers the request. */
    fault: Fault | null;
    /** Handles a request before its body is read, if it returns true. */
    paused: ((request: IncomingMessage) => boolean) | null;
    close(): Promise<void>;
}

export async function startStore(): Promise<StoreServer> {
    const blobs = new Map<string, Buffer>();
    const requests: string[] = [];
    const tokens = new Set<string | undefined>();
    const server = createServer(async (request, response) => {
        const { method, url = '' } = request;
        requests.push(`${method} ${url}`);
        tokens.add(request.headers.authorization);
        request.on('error', () => {});
        if (store.paused?.(request)) return;
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        if (store.fault?.(request, response, blobs.get(url))) return;
        if (!/^\/(ac|cas)\/[0-9a-f]{64}$/.test(url)) response.writeHead(400).end();
        else if (method === 'PUT') {
            blobs.set(url, Buffer.concat(parts));
            response.writeHead(201).end();
        } else if (blobs.has(url)) response.writeHead(200).end(blobs.get(url));
        else response.writeHead(404).end('no such blob');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const store: StoreServer = {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        blobs,
        requests,
        tokens,
        fault: null,
        paused: null,
        close: async () => {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
        },
    };
    return store;
}
