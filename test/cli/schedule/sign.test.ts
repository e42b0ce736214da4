import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Call } from '../../../src/cli/call';
import { create, sign } from '../../../src/cli/schedule/schedule';
import type { ComingPeriod } from '../../../src/client/schedules/parts';
import type { Schedules } from '../../../src/client/schedules/schedules';
import { newFolder } from '../../support/jest/setUp';
import { recordedVoice } from '../recordedVoice';

const periods: ComingPeriod[] = ['2026-01', '2026-02', '2026-03'].map((period) => {
  return { period, at: `${period}-01T09:00:00.000Z` };
});

const folder = newFolder();
const order = {
  from: { walletId: '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17' },
  to: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
  amount: '950',
  token: 'USDC',
};
beforeAll(() => writeFileSync(join(folder, 'rent.json'), JSON.stringify(order)));

type Person = { answer?: string; flags?: Call['flags'] };

const terms = { order: 'amount 950 · token USDC', when: '"0 9 1 * *" in UTC' };

/** Runs "schedule sign rent" in front of a person who answers so, or of nobody. */
async function signed({ answer, flags = {} }: Person, command = sign) {
  const { voice, said, noted, documents } = recordedVoice();
  const isTTY = answer !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stdin.end(`${answer ?? ''}\n`);
  const given: unknown[] = [];
  const schedules: Pick<Schedules, 'sign' | 'create'> = {
    sign: async (_, { schedule, isAgreed }) => {
      given.push(schedule);
      return (await isAgreed?.(periods, terms)) ? periods : [];
    },
    create: async (_, schedule, isAgreed) => {
      given.push(schedule);
      return (await isAgreed?.(periods, terms)) ? periods.slice(0, 1) : [];
    },
  };
  const call = {
    flags,
    voice,
    terminal: { env: {}, stdin, stdout: new PassThrough(), stderr },
    connect: async () => ({ steadfast: { schedules } }),
  };
  const code = await command('rent', call as unknown as Call);
  return { code, said, noted, documents, given, asked: String(stderr.read() ?? '') };
}

const list = [
  'To sign: 3 periods of rent, 2026-01 to 2026-03.',
  'Order: amount 950 · token USDC. When: "0 9 1 * *" in UTC.',
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
  const { code, said, noted, documents } = await signed({ answer: 'n' });
  expect({ code, said, noted, documents }).toEqual({
    code: 1,
    said: [],
    noted: [...list, 'Nothing was signed.'],
    documents: [{ id: 'rent', end: 'notStarted' }],
  });
});

it('nobody is asked with --yes, and the periods are shown all the same', async () => {
  const { code, said, noted, asked } = await signed({ answer: 'n', flags: { yes: true } });
  expect({ code, said, noted, asked }).toEqual({ code: 0, said: done, noted: list, asked: '' });
});

it('nothing is signed where nobody is there to confirm it', async () => {
  await expect(signed({})).rejects.toThrow(
    '--yes: is missing. Nobody is here to confirm these periods.',
  );
});

const rent = {
  kind: 'transferStablecoin',
  file: join(folder, 'rent.json'),
  cron: '0 9 1 * *',
  period: 'yyyy-MM',
};

describe('a schedule that is given again', () => {
  it('is signed where nobody is there to ask', async () => {
    const { kind, cron, period } = rent;
    const { code, said, noted, asked, given } = await signed({ flags: rent });
    expect({ code, said, noted, asked }).toEqual({ code: 0, said: done, noted: list, asked: '' });
    expect(given).toEqual([{ kind, order, cron, period }]);
  });

  it('is refused where it cannot be one', async () => {
    const wrong = signed({ flags: { ...rent, cron: '0 25 1 * *' } });
    const words = '--cron: "0 25 1 * *" is not a cron expression: its hour "25" is not in 0-23.';
    await expect(wrong).rejects.toThrow(words);
  });
});

describe('a schedule that is created', () => {
  const created = (person: Person) =>
    signed({ ...person, flags: { ...rent, ...person.flags } }, create);
  const first = ['Created rent. Its first periods:', '  2026-01  2026-01-01 09:00 UTC'];

  it('is shown to a person before it is signed', async () => {
    const { code, said, noted, asked } = await created({ answer: 'y' });
    expect({ code, said, noted }).toEqual({ code: 0, said: first, noted: list });
    expect(asked).toContain('Sign these periods? [y/N]');
  });

  it('is not there if the person does not agree', async () => {
    const { code, said, noted, documents } = await created({ answer: 'n' });
    const nothing = 'Nothing was signed, and nothing was created.';
    expect({ code, said, noted }).toEqual({ code: 1, said: [], noted: [...list, nothing] });
    expect(documents).toEqual([{ id: 'rent', end: 'notStarted' }]);
  });

  it.each<[string, Person]>([
    ['with --yes', { answer: 'n', flags: { yes: true } }],
    ['without a terminal', {}],
  ])('is shown %s, and nobody is asked', async (_, person) => {
    const { code, said, noted, asked } = await created(person);
    expect({ code, said, noted, asked }).toEqual({ code: 0, said: first, noted: list, asked: '' });
  });
});
