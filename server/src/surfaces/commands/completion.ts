import { Argument, type Command, type Option } from 'commander';
import { withExample } from '../../faces/command-line/add-command.ts';

/** What can follow the words of a path such as `org create`. */
interface Words {
  path: string;
  choices: readonly { word: string; description: string }[];
}

const shells = { bash, zsh, fish };

/** Prints a script that completes commands, options and their choices. */
export function completionCommand(program: Command): void {
  withExample(
    program.command('completion').description('print a script that completes commands in a shell'),
    'completion bash',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => {
      process.stdout.write(shells[shell](wordsOf(program, '')));
    });
}

/** Walks the tree of commands. Choices of an option are under the option's own path, such as `cap list --environment`. */
function wordsOf(command: Command, path: string): Words[] {
  const below = (word: string) => `${path} ${word}`.trim();
  const options = command.options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
  const argument = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices).map(unexplained);
  const commands = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  return [
    { path, choices: [...commands, ...argument, ...options, { word: '--help', description: 'show the usage' }] },
    ...command.options.flatMap((option: Option) =>
      option.argChoices === undefined
        ? []
        : [{ path: below(option.long ?? ''), choices: option.argChoices.map(unexplained) }],
    ),
    ...command.commands.flatMap((child) => wordsOf(child, below(child.name()))),
  ];
}

const unexplained = (word: string) => ({ word, description: '' });

/** In single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Of bash and zsh: the path that the words so far make. An option is part of it only right before the cursor. */
const paths = (
  all: readonly Words[],
) => `  local known=${quoted(`|${all.map(({ path }) => path).join('|')}|`)} at='' word
  for word in "\${before[@]}"; do
    at="\${at% --*}"
    [[ "$known" == *"|\${at:+$at }$word|"* ]] && at="\${at:+$at }$word"
  done`;

function bash(all: readonly Words[]): string {
  const rows = all.map(
    ({ path, choices }) => `    ${quoted(path)}) words=${quoted(choices.map(({ word }) => word).join(' '))} ;;`,
  );
  return `# Use it: source <(bestow completion bash)
_bestow() {
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") words=''
${paths(all)}
  case "$at" in
${rows.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bestow bestow
`;
}

function zsh(all: readonly Words[]): string {
  const rows = all.map(({ path, choices }) => {
    const described = choices.map(({ word, description }) =>
      quoted(description === '' ? word : `${word}:${description}`),
    );
    return `    ${quoted(path)}) choices=(${described.join(' ')}) ;;`;
  });
  return `# Use it: source <(bestow completion zsh)
_bestow() {
  local -a before=("\${(@)words[2,CURRENT-1]}") choices
${paths(all)}
  case "$at" in
${rows.join('\n')}
  esac
  _describe 'bestow' choices || _files
}
compdef _bestow bestow
`;
}

function fish(all: readonly Words[]): string {
  const rows = all.flatMap(({ path, choices }) =>
    choices.map(
      ({ word, description }) =>
        `complete -c bestow -n ${quoted(`__bestow_at ${quoted(path)}`)} -a ${quoted(word)} -d ${quoted(description)}`,
    ),
  );
  return `# Use it: bestow completion fish | source
function __bestow_at
    set -l known ${all.map(({ path }) => quoted(path)).join(' ')}
    set -l path ''
    for word in (commandline -opc)[2..]
        set path (string replace -r ' --\\S+$' '' -- $path)
        set -l longer (string trim -- "$path $word")
        contains -- "$longer" $known; and set path $longer
    end
    test "$path" = "$argv[1]"
end
${rows.join('\n')}
`;
}
