import { Argument, type Command } from 'commander';
import type { AddCommands } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `completion SHELL`: writes a script for shell completion of commands and options. */
export const addCompletionCommand: AddCommands = (program, context) => {
  program
    .command('completion')
    .description('write the script that completes commands: source <(svc completion bash)')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => context.answer(scripts[shell](program)));
};

type Place = {
  /** Commands from the program down to this one. */
  readonly path: readonly string[];
  readonly words: readonly string[];
  /** True if the command has subcommands. */
  readonly isGroup: boolean;
};

/** Returns the possible words after each command: its subcommands, its options, and the choices of its arguments. */
function wordsOf(command: Command, path: readonly string[] = []): Place[] {
  const words = [
    ...command.commands.map((one) => one.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...command.options.flatMap(({ long }) => (long ? [long] : [])),
    '--help',
  ];
  return [
    { path, words, isGroup: command.commands.length > 0 },
    ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()])),
  ];
}

/** Puts the longest path first: a case of the shell takes the first match. */
const cases = (program: Command): string =>
  wordsOf(program)
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(
      ({ path, words }) =>
        `    ' ${path.map((word) => `${word} `).join('')}'*) words='${words.join(' ')}' ;;`,
    )
    .join('\n');

const bash = (program: Command): string => `_svc() {
  local at path=' ' words=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) ;; *) path="$path\${COMP_WORDS[at]} " ;; esac
  done
  case "$path" in
${cases(program)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _svc svc
`;

const zsh = (program: Command): string => `autoload -U +X bashcompinit && bashcompinit
${bash(program)}`;

/** A command without subcommands completes its arguments. */
const fish = (program: Command): string => {
  const lines = wordsOf(program).map(({ path, words, isGroup }) => {
    const pattern = `${path.join(' ')}${isGroup ? '' : '*'}`;
    return `complete -c svc -f -n 'string match -q -- "${pattern}" (__svc_path)' -a '${words.join(' ')}'`;
  });
  return `function __svc_path
  set -l words (commandline -opc)
  string match -v -- '-*' $words[2..] | string join ' ' | string collect --allow-empty
end
${lines.join('\n')}
`;
};

const scripts: Readonly<Record<Shell, (program: Command) => string>> = { bash, zsh, fish };
