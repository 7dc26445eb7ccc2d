// SPDX-License-Identifier: MIT

/**
 * Shots at a crowd, judged twice: by the page at once, and by this server, which rewinds the crowd to the moment that the
 * shooter saw:
 *
 *     node examples/hits/server.mjs [--port 8080]
 *
 * GET /states is a stream of events, each with a tick and its states; POST /shots takes a list of { tick, ray } and answers
 * each with { hit, hash }, or null where that tick is more than a second old.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Rig } from 'poselane';
import { serve } from '../serve.mjs';
import { createCrowd } from './crowd.mjs';
import { CHARACTERS, History, HitTest, judge, STATE, TICKS_PER_SECOND } from './hits.mjs';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8080' } } });
const fileAt = (name) => fileURLToPath(new URL(name, import.meta.url));

const rig = await Rig.load(fileAt('../character.glb'), { meshes: false });
const history = new History();
const hitTest = new HitTest(rig);
const rewound = new Float64Array(CHARACTERS * STATE);

const step = createCrowd(rig);
const states = new Float64Array(CHARACTERS * STATE);
const listeners = new Set();
setInterval(() => {
    step(states);
    history.add(history.newest + 1, states);
    // Text of a double is exact in JSON.
    const event = `data: ${JSON.stringify({ tick: history.newest, states: [...states] })}\n\n`;
    for (const response of listeners) response.write(event);
}, 1000 / TICKS_PER_SECOND);

/** Max shots of one request. A shot takes a quarter of a millisecond. */
const MAX_SHOTS = 64;
const MAX_BYTES = 1e5;

/** The shots of a request. Throws for anything else: players can send what they like. */
async function readShots(request) {
    let text = '';
    for await (const chunk of request) {
        text += chunk;
        if (text.length > MAX_BYTES) throw new Error('too many shots');
    }
    const shots = JSON.parse(text);
    const isShot = ({ tick, ray }) =>
        Number.isFinite(tick) && ray.length === 7 && ray.every((x) => Number.isFinite(Math.fround(x)));
    if (shots.length > MAX_SHOTS) throw new Error(`more than ${MAX_SHOTS} shots`);
    if (!shots.every(isShot)) throw new Error('a shot is { tick, ray: [7 numbers] }');
    return shots;
}

const files = {
    '/': fileAt('page.html'),
    '/page.mjs': fileAt('page.mjs'),
    '/style.css': fileAt('../style.css'),
    '/character.glb': fileAt('../character.glb'),
};

function streamStates(request, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    listeners.add(response);
    request.on('close', () => listeners.delete(response));
}

async function judgeShots(request, response) {
    try {
        const shots = await readShots(request);
        const start = performance.now();
        const answers = shots.map((shot) => judge(history, hitTest, rewound, shot));
        const milliseconds = performance.now() - start;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ answers, milliseconds, implementation: rig.implementation }));
    } catch ({ message }) {
        response.writeHead(400).end(message);
    }
}

serve({ port: values.port, files, routes: { '/states': streamStates, '/shots': judgeShots } });
