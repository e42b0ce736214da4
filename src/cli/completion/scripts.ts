import type { CommandPlace, Word } from './places';

/** The completion script of each shell. Where no command or flag fits, a shell offers files. */
export const scripts: Readonly<Record<string, (places: readonly CommandPlace[]) => string>> = {
  bash: (places) => `# Completes the commands and flags of steadfast in bash.
_steadfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" word index words
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$place $word" in
${stepsOf(places)}
    esac
  done
  case "$place" in
${places.map(inBash).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _steadfast steadfast
`,
  zsh: (places) => `#compdef steadfast
# Completes the commands and flags of steadfast in zsh.
_steadfast() {
  local place="" word
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
${stepsOf(places)}
    esac
  done
  case "$place" in
${places.map(inZsh).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe flag flags; else _describe command commands || _files; fi
}
if [ "$funcstack[1]" = "_steadfast" ]; then _steadfast "$@"; else compdef _steadfast steadfast; fi
`,
  fish: (places) => `# Completes the commands and flags of steadfast in fish.
${places.flatMap((place) => inFish(place, places)).join('\n')}
`,
};

/** The places below the program, each by its commands. */
function named(places: readonly CommandPlace[]): string[] {
  return places.filter(({ after }) => after.length > 0).map(({ after }) => after.join(' '));
}

/** The cases of a shell that follow the commands of a line, from place to place. */
function stepsOf(places: readonly CommandPlace[]): string {
  const step = (name: string) => `      ${quoted(` ${name}`)}) place=${quoted(` ${name}`)} ;;`;
  return named(places).map(step).join('\n');
}

function nameOf({ after }: CommandPlace): string {
  return after.map((word) => ` ${word}`).join('');
}

function inBash(place: CommandPlace): string {
  const words = [...place.commands, ...place.flags].map(({ word }) => word).join(' ');
  return `    ${quoted(nameOf(place))}) words=${quoted(words)} ;;`;
}

function inZsh(place: CommandPlace): string {
  const described = (words: readonly Word[]): string =>
    words.map(({ word, about }) => quoted(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ');
  const { commands, flags } = place;
  const words = `commands=(${described(commands)}); flags=(${described(flags)})`;
  return `    ${quoted(nameOf(place))}) ${words} ;;`;
}

/** Fish has one line for each word, with the commands that it follows and those that it does not. */
function inFish(
  { after, commands, flags }: CommandPlace,
  places: readonly CommandPlace[],
): string[] {
  const below = places.filter((one) => one.after.length === after.length + 1);
  const next = below.filter(({ after: its }) => after.every((word, at) => its[at] === word));
  const follows = after.map((word) => `__fish_seen_subcommand_from ${word}`);
  const others = next.flatMap(({ after: its }) => its.at(-1) ?? []).join(' ');
  const isHere =
    others === '' ? follows : [...follows, `not __fish_seen_subcommand_from ${others}`];
  const where = quoted(isHere.join('; and '));
  return [
    ...commands.map(({ word, about }) => {
      return `complete -c steadfast -n ${where} -a ${word} -d ${quoted(about)}`;
    }),
    ...flags.map(({ word, about }) => {
      return `complete -c steadfast -n ${where} -l ${word.slice(2)} -d ${quoted(about)}`;
    }),
  ];
}

/** A text in single quotes, as all three shells read it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
