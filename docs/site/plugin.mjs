// SPDX-License-Identifier: MIT

/** Makes TypeDoc show the package as it is used. */

/** Of TypeDoc's ReflectionKind: npx installs TypeDoc where this file cannot import it. */
const KIND = { variable: 32, function: 64, document: 8388608 };

/** Entry points, by file, as they are imported. */
const MODULES = {
    index: 'poselane',
    browser: 'poselane in browsers',
    table: 'poselane/table',
    three: 'poselane/three',
    'three/webgpu': 'poselane/three/webgpu',
    babylon: 'poselane/babylon',
};

/** `export const f: Functions['f'] = …` is a function, with parameters and errors, and not a variable with a long type. */
function showConstantsAsFunctions(Context) {
    const getComment = Context.prototype.getComment;
    Context.prototype.getComment = function (symbol, kind) {
        const comment = getComment.call(this, symbol, kind);
        if (kind === KIND.variable && this.checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0) {
            comment?.modifierTags.add('@function');
        }
        return comment;
    };
}

/** The functions of the browser's entry are those of the main one, which documents them. */
function leaveOutTwins({ project }) {
    const [main, browser] = ['index', 'browser'].map((name) => project.children.find((module) => module.name === name));
    const documented = new Set(main.children.filter(({ kind }) => kind === KIND.function).map(({ name }) => name));
    for (const child of [...browser.children]) {
        if (child.kind === KIND.variable && documented.has(child.name)) project.removeReflection(child);
    }
    for (const module of project.children) module.name = MODULES[module.name] ?? module.name;
}

/** Guides go by their headings, not by their files. */
function nameGuides({ project }) {
    for (const guide of project.getReflectionsByKind(KIND.document)) {
        const heading = /^# (.+)$/m.exec(guide.content.map(({ text }) => text).join(''))?.[1];
        if (heading) guide.name = heading.replaceAll('`', '');
    }
}

/** TypeDoc sees no anchors in tables, and warns of links to them. Those of the finished pages are checked by scripts/docs/site.mjs. */
function leaveAnchorsToOurCheck({ logger }) {
    const warn = logger.warn;
    logger.warn = function (message, ...where) {
        if (!message.includes('but the anchor does not exist')) warn.call(this, message, ...where);
    };
}

export function load(app) {
    leaveAnchorsToOurCheck(app);
    app.converter.on('begin', (context) => showConstantsAsFunctions(context.constructor));
    app.converter.on('resolveBegin', (context) => {
        leaveOutTwins(context);
        nameGuides(context);
    });
}
