import { PassThrough } from 'node:stream';
import { progressLine } from '../../../src/cli/show/progressLine';
import { createVoice, errorLine, noteLines } from '../../../src/cli/show/voice';

/** A voice, and all that it has written. */
function spoken(isJson = false) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const voice = createVoice({ env: {}, stdin: new PassThrough(), stdout, stderr }, isJson);
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return { voice, out: () => read(stdout), err: () => read(stderr) };
}

const forged = 'for Ann\n✓ payout:may is done.\r\u001b[2K';
const shown = String.raw`for Ann\u000a✓ payout:may is done.\u000d\u001b[2K`;

describe('a text with a line break', () => {
  it('forges no line where a command says or answers something', () => {
    const { voice, out } = spoken();
    voice.say(forged);
    voice.answer({}, ['first', forged]);
    expect(out()).toBe(`${shown}\nfirst\n${shown}\n`);
  });

  it('forges none beside a JSON document', () => {
    const { voice, err } = spoken(true);
    voice.say(forged);
    expect(err()).toBe(`${shown}\n`);
  });

  it('forges none where progress is told', () => {
    const { voice, err } = spoken();
    progressLine(voice).show(forged);
    expect(err()).toBe(`${shown}\n`);
  });

  it('is a list where an error of ours has one', () => {
    const { voice, err } = spoken();
    noteLines(voice, errorLine('The file has faults:\n  row 2\n  row 3'));
    expect(err().split('\n')).toHaveLength(4);
  });
});
