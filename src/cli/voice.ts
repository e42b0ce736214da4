import { pc } from '../colors';
import { visible } from './visible';

/** Where a command speaks: people read lines, programs read one JSON document. */
export type Voice = {
  isJson: boolean;
  /** True where a line may be redrawn in place. */
  isLive: boolean;
  /** A line for people: standard output, or standard error when that is reserved for JSON. */
  say(line: string): void;
  /** What happens while waiting: always standard error, so that results can be piped. */
  note(line: string): void;
  /** The one JSON document of this run; says nothing when people are reading. */
  document(value: object): void;
};

/** Speaks to the standard streams of this process. */
export function createVoice(isJson: boolean): Voice {
  const { stdout, stderr } = process;
  const note = (line: string): void => {
    stderr.write(`${told(line)}\n`);
  };
  return {
    isJson,
    // A terminal of unknown width cannot be redrawn: lines would wrap unseen.
    isLive: !isJson && stdout.isTTY === true && stderr.isTTY === true && stderr.columns > 0,
    say: (line) => (isJson ? note(line) : void stdout.write(`${told(line)}\n`)),
    note,
    document: (value) => {
      if (isJson) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
  };
}

/** Lines of our own stay lines. */
function told(lines: string): string {
  return lines.split('\n').map(visible).join('\n');
}

/** The sentence of an error, marked where colours are shown. */
export function errorLine(message: string): string {
  return `${pc.red('Error:')} ${message}`;
}
