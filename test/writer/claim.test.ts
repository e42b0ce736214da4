import { randomUUID } from 'node:crypto';
import { noRoomCode } from '../../src/custody/errors';
import type { Wallet } from '../../src/custody/objects/wallet';
import { codeOf } from '../../src/custody/reference';
import { claiming } from '../../src/writer/claim';
import type { Ledger } from '../../src/writer/ledger/ledger';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { startTestSandbox, type TestSandbox } from '../support/sandbox';
import { asOf, limitOf, partsOf, transferFrom, writerOf } from './writer';

let sandbox: TestSandbox;
let wallet: Wallet;

// Each test has an account of its own.
beforeEach(async () => {
  sandbox = await startTestSandbox();
  wallet = await sandbox.usedWallet('EOA');
});
afterEach(() => sandbox?.stop());

const newLedger = (): Ledger => openLedger(':memory:', { keyLifetimeMs: 3_600_000 });

/** A writer that claims the account, and asks before each call if it still has it. */
function claimant(ledger: Ledger, replaces?: string) {
  const claim = claiming(sandbox.client, { ledger, replaces, heldMs: 0 });
  return writerOf(sandbox.client, [limitOf(wallet)], { ledger, claim }).api;
}

async function pay(api: ReturnType<typeof claimant>, amount = '1'): Promise<string> {
  const { input, how } = transferFrom(wallet, amount);
  return api.createTransfer(input, how).then(
    () => 'sent',
    (error: Error) => error.message,
  );
}

const claimedBy = ({ id }: Ledger) => `The account is claimed by the ledger ${id}`;

async function paid(): Promise<number> {
  const { transactions } = await sandbox.client.listTransactions({ txType: 'OUTBOUND' });
  return transactions.length;
}

it('the first ledger of an account has it, also after a restart, and another one waits', async () => {
  const [first, second] = [newLedger(), newLedger()];
  expect(await pay(claimant(first))).toBe('sent');
  expect(await pay(claimant(second))).toContain(claimedBy(first));
  expect(await pay(claimant(first))).toBe('sent');
  expect(await pay(claimant(second))).toContain(`STEADFAST_LEDGER_REPLACES=${first.id}`);
  const { walletSets } = await sandbox.client.listWalletSets({});
  expect(walletSets.filter(({ name }) => name?.startsWith('steadfast-ledger'))).toHaveLength(1);
});

it('of many ledgers that begin at once, one has the account, and the others send nothing', async () => {
  const before = await paid();
  const tries = Array.from({ length: 8 }, () => pay(claimant(newLedger())));
  const answers = await Promise.all(tries);
  const sent = answers.filter((answer) => answer === 'sent');
  expect((await paid()) - before).toBe(sent.length);
  expect(sent).toHaveLength(1);
  expect(answers.filter((answer) => answer.includes('is claimed by'))).toHaveLength(
    8 - sent.length,
  );
});

it('a ledger takes the place of one that is lost, once, and the lost one sends no more', async () => {
  const [lost, next, late] = [newLedger(), newLedger(), newLedger()];
  await pay(claimant(lost));
  expect(await pay(claimant(next, lost.id))).toBe('sent');
  expect(await pay(claimant(lost))).toContain(claimedBy(next));
  expect(await pay(claimant(late, lost.id))).toContain(claimedBy(next));
  expect(await pay(claimant(next))).toBe('sent');
});

describe('an account without room for another wallet set', () => {
  const fill = async (nameOf: () => string): Promise<void> => {
    const make = () =>
      sandbox.client.createWalletSet({ idempotencyKey: randomUUID(), name: nameOf() });
    const codes = new Set<unknown>();
    while (codes.size === 0) {
      const tries = await Promise.allSettled(Array.from({ length: 50 }, make));
      for (const one of tries) if (one.status === 'rejected') codes.add(one.reason?.code);
    }
    expect([...codes]).toEqual([noRoomCode]);
  };
  const ofOthers = () => 'of somebody else';
  const ofOurs = () => `Tills ${codeOf(partsOf('walletSet'))}`;

  it('is claimed by a ledger that takes the place of one that is lost, and by no other', async () => {
    const [lost, next, last, late] = [newLedger(), newLedger(), newLedger(), newLedger()];
    await pay(claimant(lost));
    await fill(ofOurs);
    expect(await pay(claimant(late))).toContain(claimedBy(lost));
    expect(await pay(claimant(next, lost.id))).toBe('sent');
    expect(await pay(claimant(lost))).toContain(claimedBy(next));
    expect(await pay(claimant(late, lost.id))).toContain(claimedBy(next));
    expect(await pay(claimant(last, next.id))).toBe('sent');
    expect(await pay(claimant(next))).toContain(claimedBy(last));
    expect(await pay(claimant(last))).toBe('sent');
  });

  it('is claimed for the first time by an empty set of an order of ours', async () => {
    await fill(ofOurs);
    const [first, second] = [newLedger(), newLedger()];
    expect(await pay(claimant(first))).toBe('sent');
    expect(await pay(claimant(second))).toContain(claimedBy(first));
  });

  it('without a set of ours is claimed by hand, as the writer says', async () => {
    await fill(ofOthers);
    const ledger = newLedger();
    const words = await pay(claimant(ledger));
    const [, name = ''] =
      /Rename a set that nobody needs to "([^"]+)" at the service/.exec(words) ?? [];
    const { walletSets } = await sandbox.client.listWalletSets({});
    const set = walletSets.find((one) => one.name === 'of somebody else');
    await sandbox.client.updateWalletSet({ id: set?.id ?? '', name });
    expect(await pay(claimant(ledger))).toBe('sent');
  });
});

it('nobody who has a writer do it can claim the account', async () => {
  const ledger = newLedger();
  const api = claimant(ledger);
  await pay(api);
  const name = `steadfast-ledger ${newLedger().id} after ${ledger.id}`;
  const { identity, how } = asOf(partsOf('walletSet'));
  const { idempotencyKey } = identity;
  await expect(api.createWalletSet({ idempotencyKey, name }, how)).rejects.toThrow(
    'Its reference does not follow from its workflow and step.',
  );
  expect(await pay(api)).toBe('sent');
});
