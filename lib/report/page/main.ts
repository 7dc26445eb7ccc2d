// SPDX-License-Identifier: MIT

/** The page of a report. */

import { visible } from '../../base/messages';
import type { ReportData, ReportReduced } from '../data';
import { type Bake, type Entry, entriesOf, openBakes, ratesOf, worstOf, worstOfAll } from './bakes';
import { createClipList } from './clips';
import { byId, count, input, make, modeInput, plural, rates, reasonOf, say, size } from './dom';
import { showFacts, showSeam } from './facts';
import { createGraph, worstMoment } from './graph';
import { createKeys, type Key } from './keys';
import { createPicture, type Picture } from './picture';
import { createRetargeted } from './retargeted';
import { percent, shareText, sign } from './share';
import type { Mode } from './stage';
import { createState, type State } from './state';
import { createTransport } from './transport';

/** Keys for rows and crowds only. */
const OF_ROWS: readonly string[] = ['4', 'b', 'r', 'n'];

start().then(
    (ok) => {
        document.body.dataset.ready = ok ? 'yes' : 'failed';
    },
    (error) => {
        byId('loading').hidden = true;
        say(`This report cannot be shown: ${reasonOf(error)}`);
        document.body.dataset.ready = 'failed';
    },
);

async function start(): Promise<boolean> {
    const data = JSON.parse(byId('report').textContent!) as ReportData;
    byId('title').textContent = visible(data.title);
    byId('made').textContent = `Made by poselane ${data.poselane}`;
    if (data.index !== undefined) byId('title').before(make('a', { className: 'up', href: data.index }, '← All files'));
    const state = createState({
        entry: 0,
        seconds: 0,
        playing: false,
        speed: 1,
        nearest: false,
        mode: 'side',
        skeleton: false,
        boxes: false,
        root: false,
    });
    let dirty = true;
    const changed = () => {
        dirty = true;
    };
    const opened = openBakes(data).then((bakes) => [bakes, entriesOf(bakes)] as const);
    document.body.classList.toggle('of-reduced', data.reduced !== undefined);
    if (data.reduced) byId('errors-title').textContent = 'Displacement of the reduced clip';
    const hasModel = data.files.length > 0;
    const wanted = hasModel ? createPicture(data, opened, state, changed) : null;
    const [bakes, entries] = await opened;
    if (entries.length === 0) throw new Error('It has no clips.');
    byId('summary').append(...summaryOf(data, bakes, entries).map((figure) => make('li', {}, ...figure)));
    byId('loading').hidden = true;
    document.querySelector('main')!.hidden = false;
    const clips = createClipList(bakes, entries, state);
    createGraph(bakes, entries, state);
    createRetargeted(data, bakes, entries, state);
    showFacts(data, bakes);
    showSeam(bakes, entries, state);
    const transport = createTransport(bakes, entries, state);
    if (!hasModel) say('The report was made without the model, so it has only numbers and no picture.');
    const picture = await wanted;
    document.body.classList.toggle('no-picture', picture === null);
    listenToPeople(bakes, entries, state, { ...transport, ...clips }, picture);
    if (picture === null) return !hasModel;

    let before: number | undefined;
    const tick = (now: number) => {
        const elapsed = Math.min(0.1, (now - (before ?? now)) / 1000);
        before = now;
        if (state.view.playing) {
            picture.advance(elapsed);
            transport.advance(elapsed);
            dirty = true;
        }
        if (dirty) {
            dirty = false;
            picture.draw();
        } else picture.idle();
        requestAnimationFrame(tick);
    };
    picture.draw();
    requestAnimationFrame(tick);
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) state.set({ playing: true });
    return true;
}

/** Figures for the head of the page. */
function summaryOf(data: ReportData, bakes: readonly Bake[], entries: readonly Entry[]): (Node | string)[][] {
    const warnings = bakes.reduce((sum, bake) => sum + bake.warnings.length, 0);
    const figures = bakes.flatMap((bake): (Node | string)[][] => {
        const { share } = worstOfAll(bake, 'lerp');
        const error = ['maximum error ', shareText(share, bake.bound), `, bound ${percent(bake.bound)}`];
        if (bake.reduced) return [...partsOf(data, bake.reduced), error];
        const fps = ratesOf(bake);
        const [bytes, zipped] = (['bytes', 'gzipBytes'] as const).map((key) =>
            size(bake.outputs.reduce((sum, output) => sum + output[key], 0)),
        );
        const own = [...(fps ? [[rates(fps)]] : []), [`${bytes}, ${zipped} gzip`], error];
        return bakes.length === 1 ? own : [[make('b', {}, bake.label), ...own.flatMap((one) => [' · ', ...one])]];
    });
    const link = make('a', { href: '#warnings' }, sign(), plural(warnings, 'warning'));
    return [[plural(entries.length, 'clip')], ...figures, ...(warnings > 0 ? [[link]] : [])];
}

function partsOf({ modelBytes }: ReportData, { before, after, bytes, maxError, clips }: ReportReduced): string[][] {
    const isTurned = clips.some(({ ok, error }) => !ok && error <= maxError);
    return [
        [`${count(before.keys)} → ${count(after.keys)} keys`],
        [`${size(modelBytes)} → ${size(bytes)}`],
        ...(isTurned ? [['nodes without vertices are rotated above the bound']] : []),
    ];
}

/** Connects buttons and keys. */
function listenToPeople(
    bakes: readonly Bake[],
    entries: readonly Entry[],
    { view, set }: State,
    {
        step,
        choose: chooseClip,
        toggle,
        faster,
    }: ReturnType<typeof createTransport> & ReturnType<typeof createClipList>,
    picture: Picture | null,
): void {
    /** Goes to the time of the maximum error in these clips. */
    function toWorst(among: readonly number[]): void {
        const series = view.nearest ? 'nearest' : 'lerp';
        const candidates = among.flatMap((entry) =>
            bakes.flatMap((bake, b) => {
                const clip = entries[entry]!.clips[b]!;
                const seconds = clip < 0 ? null : worstMoment(bake, clip, series);
                return seconds === null ? [] : [{ entry, seconds, worst: worstOf(bake, clip, series).share }];
            }),
        );
        if (candidates.length === 0) return;
        const { entry, seconds } = candidates.reduce((a, b) => (b.worst > a.worst ? b : a));
        set({ playing: false, entry, seconds });
    }
    const isKnown = bakes.some(({ outputs, reduced }) => reduced || outputs.some(({ errors }) => errors.length > 0));
    for (const id of ['worst', 'worst-of-all']) byId(id).hidden = !isKnown;
    const inClip = () => toWorst([view.entry]);
    const inAll = () => toWorst(entries.map((_, entry) => entry));
    byId('worst').onclick = inClip;
    byId('worst-of-all').onclick = inAll;
    byId('reset').onclick = () => picture?.reset();

    const flip = (id: 'skeleton' | 'boxes' | 'root' | 'nearest') => {
        if (!input(id).disabled) set({ [id]: !view[id] });
    };
    const choose = (mode: Mode) => {
        if (!modeInput(mode).disabled) set({ mode });
    };
    const last = () => entries[view.entry]!.duration;
    const keys: Key[] = [
        { keys: [' '], shown: 'space', does: 'Play, pause', act: toggle },
        {
            keys: ['ArrowLeft', 'ArrowRight'],
            shown: '← →',
            does: 'Previous, next frame; with Shift ten frames',
            act: (key, shift) => step((key === 'ArrowLeft' ? -1 : 1) * (shift ? 10 : 1)),
        },
        { keys: ['Home'], shown: 'home', does: 'First frame', act: () => set({ playing: false, seconds: 0 }) },
        { keys: ['End'], shown: 'end', does: 'Last frame', act: () => set({ playing: false, seconds: last() }) },
        {
            keys: ['ArrowUp', 'ArrowDown'],
            shown: '↑ ↓',
            does: 'Previous, next clip of the list',
            act: (key) => chooseClip(key === 'ArrowUp' ? -1 : 1),
        },
        { keys: ['[', ']'], shown: '[ ]', does: 'Slower, faster', act: (key) => faster(key === '[' ? -0.1 : 0.1) },
        { keys: ['1', 'a'], shown: '1', does: 'Side by side', act: () => choose('side') },
        { keys: ['2', 'o'], shown: '2 o', does: 'Overlay', act: () => choose('overlay') },
        { keys: ['3', 'd'], shown: '3 d', does: 'Difference', act: () => choose('difference') },
        { keys: ['4', 'c'], shown: '4 c', does: 'Crowd', act: () => choose('crowd') },
        { keys: ['s'], shown: 's', does: 'Skeleton', act: () => flip('skeleton') },
        { keys: ['b'], shown: 'b', does: 'Boxes', act: () => flip('boxes') },
        { keys: ['r'], shown: 'r', does: 'Root path', act: () => flip('root') },
        { keys: ['n'], shown: 'n', does: 'Nearest row, or interpolated', act: () => flip('nearest') },
        {
            keys: ['w'],
            shown: 'w',
            does: 'Worst moment of the clip; with Shift of all clips',
            act: (_, shift) => (shift ? inAll() : inClip()),
        },
        { keys: ['f'], shown: 'f', does: 'Reset view', act: () => picture?.reset() },
        { keys: ['/'], shown: '/', does: 'Find a clip', act: findClip },
    ];
    const turn =
        (around: number, up: number, nearer = 1) =>
        () =>
            picture?.turn(around, up, nearer);
    const isReduced = bakes.some(({ reduced }) => reduced !== null);
    createKeys(isReduced ? keys.filter(({ keys: [key] }) => !OF_ROWS.includes(key!)) : keys, {
        ArrowLeft: turn(-0.1, 0),
        ArrowRight: turn(0.1, 0),
        ArrowUp: turn(0, -0.1),
        ArrowDown: turn(0, 0.1),
        '+': turn(0, 0, 0.9),
        '=': turn(0, 0, 0.9),
        '-': turn(0, 0, 1.1),
    });
}

function findClip(): void {
    byId<HTMLDetailsElement>('clips').open = true;
    input('search').focus();
}
