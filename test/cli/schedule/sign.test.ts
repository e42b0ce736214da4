import { PassThrough } from 'node:stream';
import type { Call } from '../../../src/cli/call';
import { sign } from '../../../src/cli/schedule/schedule';
import type { ComingPeriod } from '../../../src/client/schedules/parts';
import type { Schedules } from '../../../src/client/schedules/schedules';
import { recordedVoice } from '../recordedVoice';

const periods: ComingPeriod[] = ['2026-01', '2026-02', '2026-03'].map((period) => {
  return { period, at: `${period}-01T09:00:00.000Z` };
});

type Person = { answer?: string; flags?: Call['flags'] };

/** Runs "schedule sign rent" in front of a person who answers so, or of nobody. */
async function signed({ answer, flags = {} }: Person) {
  const { voice, said, noted, documents } = recordedVoice();
  const isTTY = answer !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stdin.end(`${answer ?? ''}\n`);
  const schedules: Pick<Schedules, 'sign'> = {
    sign: async (_, isAgreed) => ((await isAgreed?.(periods)) ? periods : []),
  };
  const call = {
    flags,
    voice,
    terminal: { env: {}, stdin, stdout: new PassThrough(), stderr },
    connect: async () => ({ steadfast: { schedules } }),
  };
  const code = await sign('rent', call as unknown as Call);
  return { code, said, noted, documents, asked: String(stderr.read() ?? '') };
}

const list = [
  'To sign: 3 periods of rent, 2026-01 to 2026-03.',
  '  2026-01  2026-01-01 09:00 UTC',
  '  2026-02  2026-02-01 09:00 UTC',
  '  2026-03  2026-03-01 09:00 UTC',
];
const done = ['rent is signed for 3 periods, 2026-01 to 2026-03.'];

it('a person sees each period, and agrees before anything is signed', async () => {
  const { code, said, noted, asked } = await signed({ answer: 'y' });
  expect({ code, said, noted }).toEqual({ code: 0, said: done, noted: list });
  expect(asked).toContain('Sign these periods? [y/N]');
});

it('a person who does not agree signs nothing', async () => {
  const { code, said, noted } = await signed({ answer: 'n' });
  expect({ code, said, noted }).toEqual({
    code: 1,
    said: [],
    noted: [...list, 'Nothing was signed.'],
  });
});

it.each([
  ['with --yes', { answer: 'n', flags: { yes: true } }],
  ['without a terminal', {}],
])('nobody is asked %s, and the periods are shown all the same', async (_, person: Person) => {
  const { code, said, noted, asked } = await signed(person);
  expect({ code, said, noted, asked }).toEqual({ code: 0, said: done, noted: list, asked: '' });
});
