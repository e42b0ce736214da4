import { interruption } from '../interruption';
import { pc } from '../show/colors';
import { progressLine } from '../show/progressLine';
import { tellDuration } from '../show/tellTime';
import { createVoice, errorLine, noteLines, type Voice } from '../show/voice';
import { approvers, requester } from './office/officePolicy';
import { type Office, startOffice } from './office/startOffice';

/** As of a console alone. */
const port = 4030;

/** `npm run console`: an office whose payroll waits for two people, until Ctrl-C. */
async function showConsole(): Promise<void> {
  const voice = createVoice(process, false);
  const { stopped } = interruption();
  const line = progressLine(voice);
  const startedAt = Date.now();
  line.show('Starting Temporal, a wallet sandbox, a worker and the console');
  const office = await startOffice({ port, tell: line.show });
  try {
    const origin = await Promise.race([office.ready, stopped.then(() => undefined)]);
    line.clear();
    if (origin !== undefined) {
      const after = tellDuration(Date.now() - startedAt);
      voice.say(`${pc.green('✓')} The office is open after ${after}, at ${origin}`);
      await introduce(office, voice, stopped);
      await Promise.race([stopped, office.untilBroken()]);
    }
  } catch (error) {
    line.clear();
    noteLines(voice, errorLine(error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
  voice.note('Stopping.');
  await office.stop();
  process.exit();
}

async function introduce(office: Office, voice: Voice, stopped: Promise<unknown>) {
  voice.say('');
  voice.say('The salaries of May are paid. The salaries of June wait for two people, ann and bo.');
  voice.say(`${requester} may ask for more.`);
  voice.say('Open each link in a browser profile of its own, within an hour:');
  voice.say('');
  for (const person of [...approvers, requester]) {
    const { link, entered } = await office.invite(person, stopped);
    voice.say(`  ${person.padEnd(3)}  ${link}`);
    entered.then(
      (digits) => digits && voice.say(`${pc.green('✓')} ${tellEntered(person, digits)}`),
      (error) => voice.note(errorLine(String(error))),
    );
  }
  voice.say('');
  voice.say('docs/tutorial/approve-a-payroll.md says what to do there.');
  voice.say('Ctrl-C stops everything, and nothing of it is kept.');
}

function tellEntered(person: string, digits: string): string {
  return (
    `${person} has made passkeys, with the digits ${digits}. The demo has put them into its ` +
    'policy by itself, and the worker has it now. Anywhere else the owner of the policy does that.'
  );
}

void showConsole();
