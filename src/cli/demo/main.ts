import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackParts, startStack } from '../../local/startStack';
import { type DevConsole, devConsole } from '../dev/devConsole';
import { untilBroken } from '../dev/watchStack';
import { interruption } from '../interruption';
import { pc } from '../show/colors';
import { progressLine } from '../show/progressLine';
import { tellDuration } from '../show/tellTime';
import { createVoice, errorLine, noteLines, type Voice } from '../show/voice';
import { demonstrate } from './demonstrate';

/** `npm start`: runs both sequences on a new stack. On a terminal the stack stays up afterwards. */
async function demo(): Promise<void> {
  const voice = createVoice(process, false);
  const { stopped } = interruption();
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-start-'));
  // Without a terminal nobody stays to look.
  const staysUp = process.stdout.isTTY === true;
  const pages = staysUp ? devConsole(folder, { say: voice.note }) : undefined;
  const ports = { temporal: { port: 0, uiPort: 0 }, sandboxPort: 0, webhooksPort: 0 };
  const stack = startStack({ ...ports, ...(pages && { console: pages.options }) });
  const show = async (): Promise<'shown'> => {
    await present(stack, voice);
    return 'shown';
  };
  try {
    const end = await Promise.race([show(), stopped]);
    if (end === 'shown' && pages) await stayUp(stack, { voice, pages, stopped });
    if (end !== 'shown') process.exitCode = 130;
  } catch (error) {
    noteLines(voice, errorLine(sentenceOf(error)));
    process.exitCode = 1;
  }
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

async function present(stack: Stack, voice: Voice): Promise<void> {
  const startedAt = Date.now();
  const parts = await started(stack, voice);
  voice.say(`${pc.green('✓')} Everything is up after ${tellDuration(Date.now() - startedAt)}.`);
  await Promise.race([demonstrate(parts, voice), untilBroken(parts)]);
  const total = tellDuration(Date.now() - startedAt);
  voice.say('');
  voice.say(`${pc.green('✓')} Both sequences are done, for real and once. In all ${total}.`);
}

async function started(stack: Stack, voice: Voice): Promise<StackParts> {
  const line = progressLine(voice);
  line.show('Starting Temporal, a wallet sandbox with a chain of its own, and a worker');
  try {
    return await stack.ready;
  } finally {
    line.clear();
  }
}

type Staying = { voice: Voice; pages: DevConsole; stopped: Promise<unknown> };

async function stayUp(stack: Stack, { voice, pages, stopped }: Staying): Promise<void> {
  const parts = await stack.ready;
  const origin = parts.console?.origin ?? '';
  voice.say('');
  voice.say(`${pc.green('✓')} Console   ${origin}`);
  for (const line of await pages.tell(origin, stopped)) voice.say(line);
  voice.say('Everything stays up for you to look at. Ctrl-C stops it.');
  await Promise.race([stopped, untilBroken(parts)]);
}

/** Keeps the first line: the chain client's errors add a page of context. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'shortMessage' in error ? String(error.shortMessage) : error.message;
}

void demo();
