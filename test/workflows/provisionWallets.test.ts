import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError } from '../../src/custody/errors';
import type { Wallet } from '../../src/custody/objects/wallet';
import { createServe } from '../support/orders';
import {
  blockchain,
  type ScriptedCustody,
  scriptedCustody,
} from '../support/service/scriptedCustody';

const serve = createServe();
const walletSetId = randomUUID();
const date = '2026-01-01T00:00:00Z';
const graceMs = 1_000;

/** A service that has created three wallets, whose answer was lost, and refuses the next attempt. */
function losing() {
  const wallets: Wallet[] = [];
  const custody: ScriptedCustody = scriptedCustody({
    createWalletSet: () => ({ walletSet: { id: walletSetId } }),
    createWallets: ({ metadata = [] }, call) => {
      if (call > 1) return new RefusedError('no', { status: 400, code: 2 });
      for (const [at, named] of metadata.entries()) {
        const address = `0x${String(at + 1).repeat(40)}`;
        const own = { id: randomUUID(), walletSetId, blockchain, address, accountType: 'EOA' };
        const dates = { createDate: date, updateDate: date };
        wallets.push({ ...named, ...own, ...dates, state: 'LIVE', custodyType: 'DEVELOPER' });
      }
      return new NoAnswerError('lost');
    },
    listWallets: ({ pageAfter }) => ({ wallets: pageAfter === undefined ? [...wallets] : [] }),
  });
  return { custody, wallets };
}

/** Wallets of which somebody has renamed one before they were found. */
async function renamed() {
  const { custody, wallets } = losing();
  const listWallets = custody.listWallets.bind(custody);
  const state = { isRenamed: true };
  const renaming: ScriptedCustody = Object.assign(Object.create(custody), {
    listWallets: async (...call: Parameters<typeof listWallets>) => {
      const { wallets: listed } = await listWallets(...call);
      const rename = (one: Wallet, at: number): Wallet =>
        at === 1 && state.isRenamed ? { ...one, refId: 'by hand' } : one;
      return { wallets: listed.map(rename) };
    },
  });
  const orders = await serve(renaming, { lookupGraceMs: graceMs });
  const id = `provision:${randomUUID()}`;
  const order = { name: 'Tills', count: 3, accountType: 'EOA' } as const;
  const { receipt } = await orders.steadfast.start('provisionWallets', id, order);
  const end = receipt().then(
    ({ wallets: made }) => `completed: ${made.length}`,
    ({ outcome, message }) => `${outcome}: ${message}`,
  );
  const progress = await orders.progress(
    id,
    ({ status, target }) => status === 'NeedsOperator' && target === 'wallets/1#0',
  );
  return { orders, id, end, progress, state, wallets, custody };
}

describe('wallets that may have been created, and of which somebody has renamed one', () => {
  test.concurrent('ask a person, and can be given up', async () => {
    const { orders, id, end, progress, custody } = await renamed();
    expect(progress.waitingFor).toContain('has 2 wallets with the reference of this order');
    await orders.steadfast.cancel(id, 'no longer wanted');
    expect(await end).toMatch(/^failed: .* is given up\. Given up: no longer wanted/);
    expect(custody.calls('createWallets')).toHaveLength(2);
  });

  test.concurrent('are found once the name is back', async () => {
    const { orders, id, end, state } = await renamed();
    state.isRenamed = false;
    await orders.client.workflow.getHandle(id).signal('wake');
    expect(await end).toBe('completed: 3');
  });
});
