import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { showApproval } from '../../../src/cli/approval/approvals';
import { approve, reject } from '../../../src/cli/approval/approve';
import type { Call } from '../../../src/cli/call';
import { readOrderOf } from '../../../src/orders/kinds';
import { signerOf } from '../../../src/writer/signing/sshSignature';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { newFolder } from '../../support/jest/setUp';
import { testKeys } from '../../writer/signing/keys';
import { recordedVoice } from '../recordedVoice';

const ann = testKeys()('ann');
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const money = {
  from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  to,
  amount: '12.5',
  token: 'USDC',
};

type Place = {
  order?: string;
  namespace?: string;
  blockchain?: string;
  entity?: string;
  validUntil?: string;
};

/** The statement that an order asks people to sign, whichever order it is really of. */
function statementOf(place: Place): string {
  const { order: workflowId = 'transfer:invoice-7', validUntil, ...others } = place;
  const { signedAt: _, ...request } = requestFor({
    entity: 'e1',
    blockchain: 'ARC-TESTNET',
    namespace: 'default',
    ...others,
    kind: 'transferStablecoin',
    workflowId,
    order: readOrderOf('transferStablecoin', { ...money, ...(validUntil && { validUntil }) }),
    expires: new Date(Date.now() + 60_000),
  });
  const effects = [{ kind: 'money', money: 'USDC', amount: '12.5', to: to.toLowerCase() }];
  const write = { target: 'transfer/1#0', wallet: 'w1', effects };
  return textOf({ ...request, ledger: 'l1', write });
}

type Asked = {
  env?: NodeJS.ProcessEnv;
  keyScope?: string;
  flags?: Call['flags'];
  /** The words of a person on a terminal. */
  answer?: string;
};

/** A call of the command line, where Temporal shows a statement under the id that is asked for. */
function callAbout(statement: string, { env = {}, keyScope = '', flags = {}, answer }: Asked = {}) {
  const signed: string[] = [];
  let isRejected = false;
  const take = async (_: string, given: { statement: string; signature: string }) => {
    signed.push(given.statement);
    isRejected = 'reason' in given;
    signerOf(given, 'reason' in given ? 'rejection' : 'approval');
    return 'Noted.';
  };
  const wanted = { target: 'transfer/1#0', statement, rule: 'large', need: 2 };
  const steadfast = {
    status: async (id: string) => ({
      workflowId: keyScope === '' ? id : `${keyScope}:${id}`,
      // One person is enough, whatever that one decides.
      execution: signed.length === 0 ? 'RUNNING' : isRejected ? 'FAILED' : 'COMPLETED',
      progress: {
        status: 'NeedsApproval',
        approvals: [{ ...wanted, people: ['ann', 'bo'], given: [], weighed: [] }],
      },
    }),
    approve: take,
    reject: take,
  };
  const { voice, said, documents } = recordedVoice();
  const stdout = { write: (text: string) => said.push(text) };
  const isTTY = answer !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(`${answer ?? ''}\n`);
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const call = {
    flags: { key: ann.path, yes: true, reason: 'unknown', ...flags },
    voice,
    terminal: { env, stdin, stdout, stderr },
    connect: async () => ({ steadfast, config: { keyScope, namespace: 'default' } }),
  };
  return { call: call as unknown as Call, signed, said, documents };
}

const id = 'transfer:invoice-7';

describe('a statement', () => {
  it('of the order that was asked for is signed', async () => {
    for (const decide of [approve, reject]) {
      const { call, signed } = callAbout(statementOf({}));
      expect(await decide(id, call)).toBe(0);
      expect(signed).toEqual([statementOf({})].map(() => expect.stringContaining(id)));
    }
  });

  it('is not signed by a person who says no, which is told as a document, too', async () => {
    for (const decide of [approve, reject]) {
      const asked = { answer: 'n', flags: { yes: false } };
      const { call, signed, documents } = callAbout(statementOf({}), asked);
      expect(await decide(id, call)).toBe(1);
      expect({ signed, documents }).toEqual({ signed: [], documents: [{ id, end: 'notStarted' }] });
    }
  });

  it('of an order with a key scope is signed under its short id', async () => {
    const place = { keyScope: 'shop', env: { CUSTODY_BLOCKCHAIN: 'ARC-TESTNET' } };
    const { call, signed } = callAbout(statementOf({ order: `shop:${id}` }), place);
    expect(await approve(id, call)).toBe(0);
    expect(signed).toHaveLength(1);
  });

  it.each([
    [
      { order: 'transfer:again-7' },
      'is for the order transfer:again-7, not for transfer:invoice-7',
    ],
    [{ order: `shop:${id}` }, 'is for the order shop:transfer:invoice-7, not for transfer:inv'],
    [{ namespace: 'other' }, 'is for the namespace other, not for default'],
    [{ blockchain: 'ARC' }, 'is for the blockchain ARC, not for ARC-TESTNET'],
    [{ entity: 'e2' }, 'is for the entity e2, not for e1'],
  ])('for %j is neither signed nor shown', async (place, words) => {
    const env = { CUSTODY_BLOCKCHAIN: 'ARC-TESTNET', STEADFAST_ENTITY_ID: 'e1' };
    for (const command of [approve, reject, showApproval]) {
      const { call, signed, said } = callAbout(statementOf(place), { env });
      await expect(command(id, call)).rejects.toThrow(words);
      expect({ signed, said }).toEqual({ signed: [], said: [] });
    }
  });

  it('is signed for any chain and account where the environment names none', async () => {
    const { call, signed } = callAbout(statementOf({ blockchain: 'ARC', entity: 'e2' }));
    await approve(id, call);
    expect(signed).toHaveLength(1);
  });
});

describe('a copy of the order', () => {
  const folder = newFolder();
  const own = join(folder, 'own.json');
  const [day, later] = ['2026-12-01T00:00:00.000Z', '2027-12-01T00:00:00.000Z'];

  it.each([
    ['is valid for as long as the order that was signed', day, day, undefined],
    ['is valid for longer', day, later, `validUntil was "${later}", is "${day}"`],
    ['is valid for ever', day, undefined, `validUntil was null, is "${day}"`],
    ['has an end, and the order that was signed has none', undefined, day, `was "${day}", is null`],
  ])('that %s is compared', async (_, validUntil, ownUntil, fault) => {
    writeFileSync(own, JSON.stringify({ ...money, ...(ownUntil && { validUntil: ownUntil }) }));
    const place = validUntil === undefined ? {} : { validUntil };
    const { call, signed } = callAbout(statementOf(place), { flags: { file: own } });
    const told = await approve(id, call).catch((error: Error) => error.message);
    expect(told).toEqual(fault === undefined ? 0 : expect.stringContaining(fault));
    expect(signed).toHaveLength(fault === undefined ? 1 : 0);
  });
});
