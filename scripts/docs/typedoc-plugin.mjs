// SPDX-License-Identifier: MIT

/** Makes TypeDoc show the package as users import it. */

/** Of TypeDoc's ReflectionKind: npx installs TypeDoc where this file cannot import it. */
const KIND = { variable: 32, function: 64 };

/** `export const f: Functions['f'] = …` becomes a function, with parameters and errors. */
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

/** Functions of the browser's entry that the main entry documents are left out there. */
function leaveOutTwins({ project }) {
    const [main, browser] = ['index', 'browser'].map((name) => project.children.find((module) => module.name === name));
    const documented = new Set(main.children.filter(({ kind }) => kind === KIND.function).map(({ name }) => name));
    for (const child of [...browser.children]) {
        if (child.kind === KIND.variable && documented.has(child.name)) project.removeReflection(child);
    }
    for (const module of project.children) {
        module.name = module.name === 'index' ? 'poselane' : `poselane/${module.name}`;
    }
}

export function load(app) {
    app.converter.on('begin', (context) => showConstantsAsFunctions(context.constructor));
    app.converter.on('resolveBegin', leaveOutTwins);
}
