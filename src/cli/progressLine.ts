import { createSpinner } from 'nanospinner';
import { tellDuration } from './tellTime';
import type { Voice } from './voice';

const redrawEveryMs = 80;
/** Numbers change all the time: in a log, so often is enough. */
const measureEveryMs = 10_000;

export type ProgressLine = {
  /** Shows what is waited for now: redrawn in place, or a new line when it has changed. */
  show(text: string): void;
  /** The same for numbers, which in plain lines are told every now and then. */
  measure(text: string): void;
  /** Prints a line that stays, above the one that is redrawn. */
  keep(text: string): void;
  clear(): void;
};

/** The line that tells what an order waits for: live on a terminal, plain lines elsewhere. */
export function progressLine(voice: Voice): ProgressLine {
  return voice.isLive ? liveLine(voice) : plainLines(voice);
}

function plainLines(voice: Voice): ProgressLine {
  let shown = '';
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  const show = (text: string): void => {
    if (text !== shown) voice.note(text);
    shown = text;
  };
  return {
    show,
    measure: (text) => {
      if (Date.now() - measuredAtMs < measureEveryMs) return;
      measuredAtMs = Date.now();
      show(text);
    },
    keep: voice.say,
    clear: () => {},
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
