import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { multicallFrom } from '../../../src/custody/batch';
import type { Decision } from '../../../src/orders/input/signed';
import { settled, transferOf, usdc } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { transferData } from '../attacks/contractAttacks';
import { paymentOf, sendBatch } from '../people/attacks/signedBatches';
import { lineOf, payoutOf, sendLine } from '../people/signedLines';
import { askedFor, newLedger, send, signedOrders, tierOf } from '../people/signedOrders';
import { callFrom } from '../writer';

const office = signedOrders();
const large = tierOf('large', '100');

let folder: string;
let bookPath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-checks-'));
  bookPath = join(folder, 'payees.csv');
  writeFileSync(bookPath, 'name,address\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A writer of its own, with a rule of checks and an address book. */
const writer = (checks: Record<string, 'refuse' | 'approve'>, ledger = newLedger()) => {
  const beyond = Object.values(checks).includes('approve') ? 'large' : undefined;
  const rule = { id: 'payees', kind: 'check', checks, beyond };
  return office.writer(ledger, [large, rule], { to: 'anyone', bookPath });
};

const remember = (name: string, address: string): void => {
  appendFileSync(bookPath, `${name},${address}\n`);
};

/** An address with the first and the last digits of another one. */
const likeOf = (address: string): string =>
  `${address.slice(0, 6)}${someone().slice(6, 38)}${address.slice(38)}`;

async function order(amount: string, to: string) {
  const ordered = office.ordered(amount, to);
  return { ordered, request: await office.keys.backend.sign(ordered.text, 'request') };
}

type Api = ReturnType<typeof writer>['api'];

/** Sends a transfer without checks of its own, and waits for its end. */
async function pay(api: Api, amount: string, to: string) {
  const { ordered, request } = await order(amount, to);
  return settled(api, (await send(api, ordered, { request })).id);
}

describe('a payment', () => {
  it('to a look-alike of a known payee is refused, and one to the payee is sent', async () => {
    const ann = someone();
    remember('Ann Berg', ann);
    const { api } = writer({ lookAlike: 'refuse' });
    const like = likeOf(ann);
    await expect(pay(api, '1', like)).rejects.toMatchObject({
      next: 'stop',
      message:
        'The policy does not allow this createTransfer. The rule payees (lookAlike): it pays ' +
        `${getAddress(like)}, which looks like ${getAddress(ann)}, "Ann Berg". Compare every digit. ` +
        'If it is right all the same, write it into the address book of the writer ' +
        '(STEADFAST_ADDRESS_BOOK), and order it again.',
    });
    await pay(api, '1', ann);
    // The way out.
    remember('Ann with another wallet', like);
    await pay(api, '1', like);
    expect(await office.paid()).toEqual([1_000_000n, 1_000_000n]);
  });

  it('to a look-alike of somebody who was paid before the ledger was made is refused', async () => {
    const bo = someone();
    const { client } = office.sandbox();
    const before = transferOf(office.wallet(), bo, { amounts: ['1'], tokenAddress: usdc });
    await settled(client, (await client.createTransfer(before)).id);
    const { api } = writer({ lookAlike: 'refuse' });
    await expect(pay(api, '1', likeOf(bo))).rejects.toThrow('looks like');
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('to a new payee is shown to people, is paid once after their approval, and then is known', async () => {
    const { api } = writer({ newPayee: 'approve' });
    const to = someone();
    const { ordered, request } = await order('1', to);
    const asks = await askedFor(send(api, ordered, { request }));
    expect(asks.message).toContain(
      `The rule payees (newPayee): it pays ${getAddress(to)}, which was never paid before.`,
    );
    expect(JSON.parse(asks.statement).write.effects).toEqual([
      expect.objectContaining({ kind: 'money', amount: '1', to }),
      { kind: 'check', rule: 'payees', check: 'newPayee', address: to },
    ]);
    const [ann] = await office.both(asks.statement);
    await askedFor(send(api, ordered, { request, decisions: ann === undefined ? [] : [ann] }));
    expect(await office.paid()).toEqual([]);
    const decisions = await office.both(asks.statement);
    const [one, again] = await Promise.all(
      [0, 1].map(() => send(api, ordered, { request, decisions })),
    );
    expect(again?.id).toBe(one?.id);
    await settled(api, one?.id ?? '');
    await pay(api, '2', to);
    expect(await office.paid()).toEqual([1_000_000n, 2_000_000n]);
  });

  it('that had no effect makes nobody known', async () => {
    const to = someone();
    const ledger = newLedger();
    const first = writer({ burn: 'refuse' }, ledger).api;
    await office.sandbox().request('PUT', `/_sandbox/blocklist/${to}`, { headers: {} });
    expect((await pay(first, '1', to)).state).toBe('FAILED');
    expect((await ledger.payees([{ to, money: 'native', amount: 1n }], '')).payments).toEqual([]);
    const like = likeOf(to);
    expect((await ledger.payees([{ to: like, money: 'native', amount: 1n }], '')).alike).toEqual(
      [],
    );
  });

  it('of an amount that was paid a short time ago asks people, whoever has paid it', async () => {
    const to = someone();
    const { api } = writer({ paidBefore: 'approve' });
    await pay(api, '1', to);
    await pay(api, '2', to);
    const { ordered, request } = await order('1', to);
    const asks = await askedFor(send(api, ordered, { request }));
    expect(asks.message).toMatch(/\(paidBefore\): it pays 1 USDC to 0x\w+, as in order:.* ago\./);
    const { client } = office.sandbox();
    const theirs = transferOf(office.wallet(), to, { amounts: ['3'], tokenAddress: usdc });
    await settled(client, (await client.createTransfer(theirs)).id);
    const other = writer({ paidBefore: 'refuse' }).api;
    await expect(pay(other, '3', to)).rejects.toThrow(/as in the transaction \S+, less than a day/);
    expect(await office.paid()).toEqual([1_000_000n, 2_000_000n, 3_000_000n]);
  });

  it('is not sent twice by two orders at the same time', async () => {
    const to = someone();
    const { api } = writer({ paidBefore: 'refuse' });
    const orders = await Promise.all([order('1', to), order('1', to), order('1', to)]);
    const sent = await Promise.allSettled(
      orders.map(({ ordered, request }) => send(api, ordered, { request })),
    );
    const ids = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(ids).toHaveLength(1);
    await settled(api, ids[0] ?? '');
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('waits while the address book cannot be read', async () => {
    const { api } = writer({ burn: 'refuse' });
    appendFileSync(bookPath, 'Nobody,0x12\n');
    const { ordered, request } = await order('1', someone());
    await expect(send(api, ordered, { request })).rejects.toMatchObject({
      next: 'again',
      message: expect.stringMatching(
        /The address book .* has faults:\n.*row 2.* Nothing was sent/s,
      ),
    });
    writeFileSync(bookPath, 'name,address\n');
    await settled(api, (await send(api, ordered, { request })).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it.each<[string, () => string, string]>([
    ['burn', () => `0x${'0'.repeat(36)}dead`, 'of which nobody has the key'],
    ['tokenContract', () => usdc, 'the contract of a token'],
    ['ownWallet', () => office.wallet().address, 'a wallet of this account'],
  ])('to an address where money is lost is refused: %s', async (check, address, words) => {
    const { api } = writer({ [check]: 'refuse' });
    await expect(pay(api, '1', address())).rejects.toThrow(words);
    expect(await office.paid()).toEqual([]);
  });

  it('keeps the checks and the book in its grounds', async () => {
    const to = someone();
    remember('Ann', to);
    const { api } = writer({ newPayee: 'approve', burn: 'refuse' });
    const { ordered, request } = await order('1', to);
    const how = { ...ordered.how, authority: { request } };
    const grounds = await new Promise((resolve, reject) => {
      api.createTransfer(ordered.input, { ...how, onLetOut: resolve }).catch(reject);
    });
    expect(grounds).toMatchObject({
      checked: {
        found: { newPayee: 'clear', burn: 'clear' },
        book: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });
});

describe('a line of a payout', () => {
  it('that a check finds leaves its batch, and waits alone while the others are paid', async () => {
    const [ann, bo, nobody] = [someone(), someone(), someone()];
    remember('Ann', ann);
    remember('Bo', bo);
    const { api } = writer({ newPayee: 'approve', lookAlike: 'refuse' });
    const lines = [
      lineOf('a', '0.1', ann),
      lineOf('b', '0.2', nobody),
      lineOf('c', '0.3', bo),
      lineOf('d', '0.4', likeOf(bo)),
    ];
    const payout = payoutOf(office, lines);
    const request = await office.keys.backend.sign(payout.text, 'request');
    const together = (...at: number[]) =>
      sendBatch(api, payout, {
        payments: at
          .flatMap((one) => lines.slice(one, one + 1))
          .map((line) => paymentOf(payout, line)),
        authority: { request, proof: payout.proofOf(...at) },
      });
    await expect(together(0, 1, 2, 3)).rejects.toMatchObject({
      apart: [1, 3],
      message: expect.stringContaining('The rule payees (lookAlike): the line "d" pays'),
    });
    await settled(api, (await together(0, 2)).id);
    const alone = (at: number, decisions: Decision[] = []): ReturnType<typeof sendLine> => {
      const [line] = lines.slice(at);
      if (line === undefined) throw new Error('No such line.');
      const authority = { request, proof: payout.proofOf(at), decisions };
      return sendLine(api, payout, { line, authority });
    };
    const asks = await askedFor(alone(1));
    expect(asks.message).toContain('The rule payees (newPayee): the line "b" pays');
    expect(JSON.parse(asks.statement).write.target).toBe('line/b#0');
    await settled(api, (await alone(1, await office.both(asks.statement))).id);
    await expect(alone(3)).rejects.toMatchObject({ next: 'stop' });
    expect(await office.paid()).toEqual([100_000n, 300_000n, 200_000n]);
  });
});

describe('equal payments in one write', () => {
  it.each(['approve', 'refuse'] as const)(
    'of a batch leave it, the first is paid alone, and paidBefore: %s finds the others',
    async (action) => {
      const { api } = writer({ paidBefore: action });
      const one = someone();
      const equal = ['a', 'b', 'c'].map((id) => lineOf(id, '0.1', one));
      const lines = [...equal, lineOf('d', '0.1', someone())];
      const payout = payoutOf(office, lines);
      const request = await office.keys.backend.sign(payout.text, 'request');
      const alone = (at: number, decisions: Decision[] = []): ReturnType<typeof sendLine> => {
        const line = lines[at] ?? lineOf('', '0');
        const authority = { request, proof: payout.proofOf(at), decisions };
        return sendLine(api, payout, { line, authority });
      };
      const payments = lines.map((line) => paymentOf(payout, line));
      const authority = { request, proof: payout.proofOf(0, 1, 2, 3) };
      await expect(sendBatch(api, payout, { payments, authority })).rejects.toMatchObject({
        apart: [0, 1, 2],
        message: expect.stringContaining(
          `The rule payees (paidBefore): the line "b" pays 0.1 USDC to ${getAddress(one)}, ` +
            'as another payment of the same write does.',
        ),
      });
      await settled(api, (await alone(0)).id);
      if (action === 'refuse') await expect(alone(1)).rejects.toMatchObject({ next: 'stop' });
      else await askedFor(alone(1));
      await settled(api, (await alone(3)).id);
      expect(await office.paid()).toEqual([100_000n, 100_000n]);
    },
  );

  it('of a call of its own are refused, and different ones are sent', async () => {
    const rule = { id: 'payees', kind: 'check', checks: { paidBefore: 'refuse' } };
    const open = { to: 'anyone', bookPath, signedBy: undefined, beyond: undefined };
    const { api } = office.writer(newLedger(), [rule], open);
    const one = someone();
    const pay = (...units: bigint[]) => {
      const { input, how } = callFrom(office.wallet(), 'aggregate3((address,bool,bytes)[])', {
        contractAddress: multicallFrom,
        abiParameters: [units.map((unit) => [usdc, false, transferData(getAddress(one), unit)])],
      });
      return api.executeContract(input, how);
    };
    await expect(pay(100_000n, 200_000n, 100_000n)).rejects.toMatchObject({
      next: 'stop',
      message: expect.stringContaining('(paidBefore): it pays 0.1 USDC'),
    });
    await settled(api, (await pay(100_000n, 200_000n)).id);
    expect(await office.paid()).toEqual([100_000n, 200_000n]);
  });
});
