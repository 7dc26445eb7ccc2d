// SPDX-License-Identifier: MIT

/** The page that bakes what is dropped on it. All work is bake-worker.mjs's: this shows what it says. */

const byId = (id) => document.getElementById(id);
const [drop, form, work, result, report] = ['drop', 'options', 'work', 'result', 'report'].map(byId);
const clipBoxes = () => [...byId('clip-list').querySelectorAll('input')];

let worker;
let files = [];
const urls = [];

/** An element with a class and contents. */
function element(name, className, ...contents) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...contents);
    return made;
}

function urlOf(blob) {
    urls.push(URL.createObjectURL(blob));
    return urls.at(-1);
}

const sizeOf = (bytes) =>
    bytes < 1e6 ? `${(bytes / 1e3).toPrecision(3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** @param done From 0 to 1; undefined where nobody knows. */
function showWork(doing, done) {
    work.hidden = doing === null;
    byId('doing').textContent = doing ?? '';
    if (done === undefined) byId('progress').removeAttribute('value');
    else byId('progress').value = done;
}

/** Ends what is under way. */
function stop() {
    worker?.terminate();
    worker = undefined;
    showWork(null);
}

function forgetResult() {
    byId('said').replaceChildren();
    result.hidden = report.hidden = true;
    report.querySelector('iframe').removeAttribute('src');
    for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

/** Asks a new worker; one that is at work is ended. */
function ask(message, doing, on) {
    stop();
    forgetResult();
    showWork(doing);
    worker = new Worker(new URL('bake-worker.mjs', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => {
        for (const [key, value] of Object.entries(data)) ({ error: showError, ...on })[key](value);
    };
    worker.onerror = ({ message }) => showError({ name: 'Error', message: message || 'The worker cannot be loaded.' });
    worker.postMessage({ files, ...message });
}

function open(chosen) {
    files = [...chosen];
    if (files.length === 0) return;
    const model = files.find(({ name }) => /\.(glb|gltf)$/i.test(name)) ?? files[0];
    drop.classList.remove('empty');
    byId('model').textContent = model.name;
    byId('about').textContent = sizeOf(files.reduce((sum, { size }) => sum + size, 0));
    form.hidden = true;
    ask({}, `Reading ${model.name} …`, {
        clips(clips) {
            byId('about').textContent += ` · ${counted(clips.length, 'clip')}`;
            const boxes = clips.map(({ name, duration }, index) => {
                const box = element('input');
                Object.assign(box, { type: 'checkbox', value: `#${index}`, checked: true });
                const seconds = element('span', 'quiet', `${duration.toFixed(2)} s`);
                const label = element('label', 'check', box, element('span', 'name', name || `#${index}`), seconds);
                label.title = name;
                return label;
            });
            byId('clip-list').replaceChildren(byId('clip-list').querySelector('legend'), ...boxes);
            byId('clips').hidden = clips.length < 2;
            showChosen();
            form.hidden = false;
            bake();
        },
    });
}

function showChosen() {
    const boxes = clipBoxes();
    const chosen = boxes.filter(({ checked }) => checked).length;
    byId('chosen').textContent = chosen === boxes.length ? 'all' : `${chosen} of ${boxes.length}`;
    form.querySelector('.main').disabled = chosen === 0 && boxes.length > 0;
}

function bake() {
    const chosen = new FormData(form);
    const [layout, dtype] = chosen.get('palette').split(' ');
    const boxes = clipBoxes();
    const clips = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    const options = {
        fps: chosen.get('fps'),
        emit: ['palette', ...chosen.getAll('emit')],
        layout,
        ...(dtype && { dtype }),
        ...(clips.length < boxes.length && { clips }),
    };
    ask({ options }, 'Baking …', {
        rate: (rate) => showWork(`Looking for the rate: ${rate} frames a second …`),
        done: (done) => showWork(`Baking … ${Math.floor(100 * done)}%`, done),
        baked: showResult,
        report: showReport,
    });
}

function showResult({ files: baked, stats, warnings, share }) {
    showWork('Comparing the bake with the model, for the report …');
    result.hidden = false;
    byId('result-title').textContent = `Baked ${counted(stats.clips, 'clip')}, ${counted(stats.frames, 'row')}`;
    const joints = counted(
        stats.joints.reduce((sum, count) => sum + count, 0),
        'joint',
    );
    const off = `off by at most ${(100 * share).toPrecision(2)}% of the model's size between rows`;
    byId('facts').textContent = `${joints} · ${off} · ${(stats.milliseconds / 1000).toFixed(2)} s`;
    const items = baked.map(({ name, bytes }) => {
        const link = element('a', '', element('u', '', name), element('span', 'quiet', sizeOf(bytes.length)));
        Object.assign(link, { download: name, href: urlOf(new Blob([bytes])) });
        return element('li', '', link);
    });
    byId('files').replaceChildren(...items);
    const list = byId('warnings');
    list.hidden = warnings.length === 0;
    list.querySelector('summary').textContent = counted(warnings.length, 'warning');
    list.querySelector('ul').replaceChildren(
        ...warnings.map(({ code, message }) => element('li', '', element('code', '', code), ` ${message}`)),
    );
}

function showReport(html) {
    stop();
    const href = urlOf(html);
    report.hidden = false;
    report.querySelector('iframe').src = href;
    const [tab, save] = ['Open in a tab', 'Save'].map((text) => element('a', 'button', text));
    Object.assign(tab, { href, target: '_blank' });
    Object.assign(save, { href, download: `${byId('model').textContent.replace(/\.[^.]*$/, '')}.html` });
    byId('links').replaceChildren(tab, save);
}

/** In the words of the library; what it names by a JSON pointer, as well. */
function showError({ name, code, message, pointer }) {
    stop();
    const heading = result.hidden ? 'This cannot be baked' : 'There is no report';
    const where = [code ?? name, pointer].filter(Boolean).join(' · ');
    const text = element('div', 'message', element('strong', '', heading), element('p', '', message));
    if (where !== '') text.append(element('p', 'quiet', where));
    byId('said').replaceChildren(text);
}

drop.classList.add('empty');
byId('file').onchange = ({ target }) => {
    open(target.files);
    // The same file again is a change, too.
    target.value = '';
};
byId('example').onclick = async () => {
    const response = await fetch('character.glb');
    open([new File([await response.blob()], 'character.glb')]);
};
form.onsubmit = (event) => {
    event.preventDefault();
    bake();
};
byId('clip-list').onchange = showChosen;
for (const [id, checked] of [
    ['all', true],
    ['none', false],
]) {
    byId(id).onclick = () => {
        for (const box of clipBoxes()) box.checked = checked;
        showChosen();
    };
}
byId('cancel').onclick = () => {
    stop();
    byId('said').replaceChildren(element('p', 'quiet', 'Cancelled.'));
};
byId('save').onclick = () => {
    for (const link of byId('files').querySelectorAll('a')) link.click();
};
document.ondragover = (event) => {
    event.preventDefault();
    drop.classList.add('over');
};
document.ondragleave = ({ relatedTarget }) => {
    if (relatedTarget === null) drop.classList.remove('over');
};
document.ondrop = (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    open(event.dataTransfer.files);
};
document.body.dataset.ready = 'yes';
