// SPDX-License-Identifier: MIT

/** Shell completion scripts, made from the Commander commands. Completing starts no process. */

import { Argument, Command, type Option } from 'commander';
import { type Io, writeText } from './io';
import { hasValue, takesPath } from './library-options';

export function completionCommand(io: Io): Command {
    const command = new Command('completion');
    return command
        .description('print a script that completes commands, options and file names in a shell')
        .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
        .addHelpText(
            'after',
            `
Examples:
  $ source <(poselane completion bash)        # in ~/.bashrc
  $ source <(poselane completion zsh)         # in ~/.zshrc, after compinit
  $ poselane completion fish | source         # in ~/.config/fish/config.fish`,
        )
        .action((shell: keyof typeof SCRIPTS) => {
            writeText(io.stdout, SCRIPTS[shell](nodesOf(command.parent!)));
        });
}

/** A command with everything that can follow it. */
interface Node {
    /** The words of the command and its parents: `['cache', 'prune']`. Empty for the program. */
    readonly path: readonly string[];
    readonly options: readonly Option[];
    readonly commands: readonly Command[];
    readonly args: readonly Argument[];
}

function nodesOf(command: Command, path: readonly string[] = []): Node[] {
    const help = command.createHelp();
    const commands = help.visibleCommands(command);
    const node = { path, options: help.visibleOptions(command), commands, args: command.registeredArguments };
    return [node, ...commands.flatMap((one) => nodesOf(one, [...path, one.name()]))];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Whether an argument without choices is a file. The argument of `help` is a command. */
const takesFile = (given: Option | Argument) => ('flags' in given ? takesPath(given) : given.name() !== 'command');

const spelled = ({ short, long }: Option) => [short, long].flatMap((flag) => flag ?? []);

/** Words for the arguments of a command, besides files. */
const wordsOf = ({ commands, args }: Node) => [
    ...commands.map((one) => one.name()),
    ...args.flatMap(({ argChoices }) => argChoices ?? []),
];

/** The shell completes files: `-o default`. Works with bash 3.2, which macOS has. */
function bashScript(nodes: readonly Node[]): string {
    const known = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`);
    const values = nodes.flatMap(({ path, options }) =>
        options.filter(hasValue).map((option) => ({
            cases: spelled(option).map((flag) => `'${[...path, flag].join(' ')}'`),
            words: option.argChoices ?? [],
        })),
    );
    const chosen = values.filter(({ words }) => words.length > 0);
    const free = values.filter(({ words }) => words.length === 0).flatMap(({ cases }) => cases);
    const words = nodes.map((node) => {
        const flags = node.options.flatMap(spelled).join(' ');
        return `        '${node.path.join(' ')}') flags='${flags}' words='${wordsOf(node).join(' ')}' ;;`;
    });
    return `# poselane completion bash
_poselane() {
    local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path= word= flags= words=
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "\${path:+$path }$word" in
        ${known.join('|')}) path="\${path:+$path }$word" ;;
        esac
    done
    # bash splits --layout=mat4 at the equals sign.
    [ "$current" = = ] && current=
    [ "$previous" = = ] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
    case "\${path:+$path }$previous" in
${chosen.map(({ cases, words }) => `    ${cases.join('|')}) words='${words.join(' ')}' ;;`).join('\n')}
    ${free.join('|')}) ;;
    *)
        case "$path" in
${words.join('\n')}
        esac
        case "$current" in -*) words="$flags" ;; esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _poselane poselane
`;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function zshScript(nodes: readonly Node[]): string {
    const escaped = (text: string) => text.replace(/[[\]:\\]/g, '\\$&');
    const named = (path: readonly string[]) => ['_poselane', ...path].join('_');
    const actionFor = (given: Option | Argument) => {
        if (given.argChoices) return `(${given.argChoices.join(' ')})`;
        return takesFile(given) ? '_files' : ' ';
    };
    const optionOf = (option: Option) => {
        const value = hasValue(option) ? `${option.optional ? '::' : ':'}value:${actionFor(option)}` : '';
        return spelled(option).map((flag) => {
            const sign = hasValue(option) && !option.optional ? (flag.startsWith('--') ? '=' : '+') : '';
            return quote(`*${flag}${sign}[${escaped(option.description)}]${value}`);
        });
    };
    const functions = nodes.map((node) => {
        const { path, options, commands, args } = node;
        const parts = options.flatMap(optionOf);
        if (commands.length === 0) {
            parts.push(
                ...args.map((one) => quote(`${one.variadic ? '*' : ''}:${escaped(one.name())}:${actionFor(one)}`)),
            );
            return `${named(path)}() {\n    _arguments -s \\\n        ${parts.join(' \\\n        ')}\n}`;
        }
        parts.push(quote('1:command:->command'), quote('*::argument:->argument'));
        const described = commands.map((one) => quote(`${one.name()}:${one.description()}`));
        const calls = commands.map((one) => `        ${one.name()}) ${named([...path, one.name()])} ;;`);
        return `${named(path)}() {
    local context state state_descr line
    local -A opt_args
    _arguments -C \\
        ${parts.join(' \\\n        ')}
    case $state in
    command)
        local -a commands=(
            ${described.join('\n            ')}
        )
        _describe command commands ;;
    argument)
        case $words[1] in
${calls.join('\n')}
        esac ;;
    esac
}`;
    });
    return `#compdef poselane
# poselane completion zsh
${functions.join('\n')}
if [ "$funcstack[1]" = _poselane ]; then _poselane "$@"; else compdef _poselane poselane; fi
`;
}

function fishScript(nodes: readonly Node[]): string {
    const seen = (path: readonly string[]) => path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const lines = nodes.flatMap((node) => {
        const { path, options, commands, args } = node;
        const none = commands.map((one) => one.name()).join(' ');
        const conditions = [...seen(path), ...(none === '' ? [] : [`not __fish_seen_subcommand_from ${none}`])];
        const start = `complete -c poselane -n ${quote(conditions.join('; and '))}`;
        const valueFor = (given: Option | Argument) => {
            if (given.argChoices) return ` -a ${quote(given.argChoices.join(' '))}`;
            return takesFile(given) ? ' -F' : '';
        };
        return [
            ...commands.map((one) => `${start} -a ${one.name()} -d ${quote(one.description())}`),
            ...options.map((option) => {
                const short = option.short ? ` -s ${option.short.slice(1)}` : '';
                const value = option.required ? `${takesPath(option) ? ' -r' : ' -x'}${valueFor(option)}` : '';
                return `${start}${short} -l ${option.long!.slice(2)}${value} -d ${quote(option.description)}`;
            }),
            ...args.map((one) => `${start}${valueFor(one)}`).filter((line) => line !== start),
        ];
    });
    return `# poselane completion fish\ncomplete -c poselane -f\n${lines.join('\n')}\n`;
}
