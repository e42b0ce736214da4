import { pc } from './colors';
import { visibleLine } from './visible';

/** A stream that a command writes to, which may be a terminal. */
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** The streams and the environment of a command. Tests pass their own. */
export type Terminal = {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  /** The timeout to reach Temporal. Tests without a server shorten it. */
  connectTimeoutMs?: number;
};

/** The output of a command: lines for people, or one JSON document for programs. */
export type Voice = {
  isJson: boolean;
  /** True if a line may be redrawn in place. */
  isLive: boolean;
  /** One line for people: standard output, or standard error when that is reserved for JSON. */
  say(line: string): void;
  /** One line of progress. It goes to standard error, so that results can be piped. */
  note(line: string): void;
  /** Prints the JSON document, only with --json. */
  document(value: object): void;
  /** The answer to a question: the JSON document with --json, else its lines. */
  answer(value: object, lines: readonly string[]): void;
};

/** Speaks to the streams of a terminal. */
export function createVoice({ stdout, stderr }: Terminal, isJson: boolean): Voice {
  const note = (line: string): void => {
    stderr.write(`${visibleLine(line)}\n`);
  };
  const say = (line: string): void => {
    if (isJson) note(line);
    else stdout.write(`${visibleLine(line)}\n`);
  };
  const document = (value: object): void => {
    if (isJson) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  };
  return {
    isJson,
    // A terminal of unknown width cannot be redrawn: lines would wrap unseen.
    isLive: !isJson && stdout.isTTY === true && stderr.isTTY === true && (stderr.columns ?? 0) > 0,
    say,
    note,
    document,
    answer: (value, lines) => (isJson ? document(value) : lines.forEach(say)),
  };
}

/** Tells an error, or a trace, that may be a list of several lines. */
export function noteLines({ note }: Pick<Voice, 'note'>, text: string): void {
  text.split('\n').forEach(note);
}

/** The sentence of an error, marked where colours are shown. */
export function errorLine(message: string): string {
  return `${pc.red('Error:')} ${message}`;
}
