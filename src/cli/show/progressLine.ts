import { createSpinner } from 'nanospinner';
import { tellDuration } from './tellTime';
import { visible } from './visible';
import type { Voice } from './voice';

const redrawEveryMs = 80;
/** A log gets a line of numbers at most this often. */
const measureEveryMs = 2_000;

export type ProgressLine = {
  /** Shows the current wait: redrawn in place, or as a new line when it changes. */
  show(text: string): void;
  /** Shows numbers. Plain lines show them every few seconds. */
  measure(text: string): void;
  /** Prints a line that stays, above the one that is redrawn. */
  keep(text: string): void;
  clear(): void;
};

/** The line that tells what an order waits for: live on a terminal, plain lines elsewhere. */
export function progressLine(voice: Voice): ProgressLine {
  const line = voice.isLive ? liveLine(voice) : plainLines(voice);
  return {
    ...line,
    show: (text) => line.show(visible(text)),
    measure: (text) => line.measure(visible(text)),
  };
}

function plainLines(voice: Voice): ProgressLine {
  let shown = '';
  /** The newest words, shown or not. */
  let latest = '';
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  const show = (text: string): void => {
    if (text !== shown) voice.note(text);
    shown = text;
    latest = text;
  };
  return {
    show,
    measure: (text) => {
      latest = text;
      if (Date.now() - measuredAtMs < measureEveryMs) return;
      measuredAtMs = Date.now();
      show(text);
    },
    keep: voice.say,
    // The last numbers count, though they came soon after the ones before them.
    clear: () => show(latest),
  };
}

/** Drawn by hand: the spinner's own loop would end the process at Ctrl-C with its own exit code. */
function liveLine(voice: Voice): ProgressLine {
  const startedAt = Date.now();
  const spinner = createSpinner('', { stream: process.stderr });
  let text = 'starting';
  const draw = (): void => {
    const elapsed = tellDuration(Date.now() - startedAt);
    const room = process.stderr.columns - elapsed.length - 8;
    const short = text.length > room ? `${text.slice(0, Math.max(room - 1, 0))}…` : text;
    spinner.update(`${short} (${elapsed})`).spin();
  };
  const timer = setInterval(draw, redrawEveryMs);
  const show = (next: string): void => {
    text = next;
  };
  return {
    show,
    measure: show,
    keep: (line) => {
      spinner.clear();
      voice.say(line);
    },
    clear: () => {
      clearInterval(timer);
      spinner.clear();
      process.stderr.write('\x1b[?25h');
    },
  };
}
