// SPDX-License-Identifier: MIT

/** Runs a module in a headless browser without a driver. The page gets it over HTTP and sends back its result. */

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as os from 'node:os';
import * as path from 'node:path';
import { json } from 'node:stream/consumers';
import { requireCommand } from './lib.mjs';

export const BROWSERS = {
    Chromium: {
        find: () =>
            process.env.CHROMIUM ?? requireCommand(['chromium', 'chromium-browser', 'google-chrome'], 'chromium'),
        // Root cannot make a sandbox in a container. The page is our own.
        args: (folder) => [
            '--headless',
            '--no-sandbox',
            '--disable-gpu',
            '--no-first-run',
            `--user-data-dir=${folder}`,
        ],
    },
    Firefox: {
        find: () => process.env.FIREFOX ?? requireCommand(['firefox-esr', 'firefox'], 'firefox-esr'),
        args: (folder) => ['--headless', '--no-remote', '--profile', folder],
    },
};

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
    const send = (body) => fetch('/result', { method: 'POST', body: JSON.stringify(body) });
    const { userAgent } = navigator;
    import('/main.mjs').then(({ main }) => main()).then(
        (value) => send({ userAgent, value }),
        (error) => send({ error: String(error) + '\\n' + error.stack }),
    );
</script>`;

// An isolated page has the finest clock of the browser.
const HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/**
 * @param code A module. Its export `main` returns a promise of a value for JSON.
 * @returns `{ userAgent, value }`
 * @throws Error The error of the page, or no result within `seconds`.
 */
export async function runInBrowser(name, code, seconds = 120) {
    const { find, args } = BROWSERS[name];
    const program = find();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-browser-'));
    let answer;
    const answered = new Promise((resolve) => {
        answer = resolve;
    });
    const server = http.createServer(async (request, response) => {
        const script = request.url === '/main.mjs';
        response.writeHead(200, { ...HEADERS, 'Content-Type': script ? 'text/javascript' : 'text/html' });
        if (request.method !== 'POST') return void response.end(script ? code : PAGE);
        answer(await json(request));
        response.end();
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    // A home of its own protects the files of the user.
    const env = { ...process.env, HOME: folder };
    const browser = spawn(program, [...args(folder), url], { env, stdio: 'ignore', detached: true });
    const ended = new Promise((resolve) => browser.on('error', resolve).on('exit', resolve));
    ended.then((how) => answer({ error: `${program} ended: ${how}` }));
    const timer = setTimeout(() => answer({ error: `nothing came back in ${seconds} s` }), seconds * 1000);
    try {
        const { error, ...result } = await answered;
        if (error !== undefined) throw new Error(`${name}: ${error}`);
        return result;
    } finally {
        clearTimeout(timer);
        endAll(browser);
        await ended;
        server.closeAllConnections();
        server.close();
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
}

function endAll({ pid }) {
    try {
        if (pid) process.kill(-pid, 'SIGKILL');
    } catch {
        // It has ended.
    }
}
