// SPDX-License-Identifier: MIT

/** What TypeDoc would show otherwise than the package is used. */

import { Context, Converter, ReflectionKind } from 'typedoc';

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
function showConstantsAsFunctions() {
    const getComment = Context.prototype.getComment;
    Context.prototype.getComment = function (symbol, kind) {
        const comment = getComment.call(this, symbol, kind);
        if (kind === ReflectionKind.Variable && this.checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0) {
            comment?.modifierTags.add('@function');
        }
        return comment;
    };
}

/** The functions of the browser's entry are those of the main one, which documents them. */
function leaveOutTwins({ project }) {
    const [main, browser] = ['index', 'browser'].map((name) => project.children.find((module) => module.name === name));
    const documented = new Set(
        main.children.filter(({ kind }) => kind === ReflectionKind.Function).map(({ name }) => name),
    );
    for (const child of [...browser.children]) {
        if (child.kind === ReflectionKind.Variable && documented.has(child.name)) project.removeReflection(child);
    }
    for (const module of project.children) module.name = MODULES[module.name] ?? module.name;
}

/** Guides go by their headings, not by their files. */
function nameGuides({ project }) {
    for (const guide of project.getReflectionsByKind(ReflectionKind.Document)) {
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
    showConstantsAsFunctions();
    app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
        leaveOutTwins(context);
        nameGuides(context);
    });
}
