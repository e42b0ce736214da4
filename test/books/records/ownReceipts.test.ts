import { chained } from '../../../src/books/receipt';
import { ownReceipts } from '../../../src/books/records/ownReceipts';
import { pacing } from '../../../src/books/records/pace';
import { OtherAccountError } from '../../../src/books/statementError';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { newReceipt } from '../archive/stores';

const blockchain = 'ARC-TESTNET';
const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;
const [wanted, other, later, stranger] = ['a', 'b', 'c', 'd'].map(addressOf) as [
  string,
  string,
  string,
  string,
];
const [created, unlimited] = [new Date(0).toISOString(), 100_000];

function walletAt(address: string): Wallet {
  const about = { walletSetId: 'set', custodyType: 'DEVELOPER', state: 'LIVE', blockchain };
  return { id: address, address, ...about, createDate: created, updateDate: created };
}

/** Receipts of such senders, as an account with three wallets passes them, and its questions. */
async function passed(
  senders: readonly string[],
  wallets: readonly string[],
  how: { isWhole: boolean; hasPaid?: () => boolean },
) {
  const asked: unknown[] = [];
  const custody = {
    listWallets: async ({ address = '' }: { address?: string | undefined }) => {
      asked.push(address);
      const isOurs = [wanted, other, later].includes(address);
      return { wallets: isOurs ? [walletAt(address)] : [] };
    },
  };
  async function* receipts() {
    for (const sender of senders) yield chained(newReceipt({ sender }), undefined);
    const chain = { blockchain: 'ETH-SEPOLIA', chainId: 11155111 };
    yield chained(newReceipt({ sender: wanted, chain }), undefined);
  }
  const ids = new Map(wallets.map((address) => [address, address]));
  const account = { custody, blockchain, wallets: ids, ...how, pace: pacing(unlimited) };
  const found: string[] = [];
  const own = ownReceipts(receipts(), account);
  for await (const { sender } of own) found.push(sender);
  return { found, asked, notLookedAt: own.notLookedAt() };
}

describe('the receipts of an archive', () => {
  it('pass if the account has their senders, also a wallet that was made a moment ago', async () => {
    const senders = [wanted, later, addressOf('A'), other, later];
    expect(await passed(senders, [wanted, other], { isWhole: true })).toEqual({
      found: senders,
      asked: [later],
      notLookedAt: [],
    });
  });

  it('pass only if they are of the wanted wallets, and one question tells the account', async () => {
    expect(await passed([other, wanted, later, other], [wanted], { isWhole: false })).toEqual({
      found: [wanted],
      asked: [other],
      notLookedAt: [],
    });
  });

  it.each([true, false])(
    'are left out if a stranger has sent them, before or after those of the account',
    async (isWhole) => {
      for (const senders of [
        [wanted, stranger, wanted],
        [stranger, wanted, wanted],
      ]) {
        const { found } = await passed(senders, [wanted], { isWhole });
        expect(found).toEqual([wanted, wanted]);
      }
      const { asked, notLookedAt } = await passed([stranger, wanted, stranger], [wanted], {
        isWhole: true,
      });
      expect(asked).toEqual([stranger]);
      expect(notLookedAt).toEqual([
        '2 receipts of the archive whose senders are no wallets of this account',
      ]);
    },
  );

  it('may be all of strangers while the account has paid nothing', async () => {
    const { found, notLookedAt } = await passed([stranger], [wanted], {
      isWhole: true,
      hasPaid: () => false,
    });
    expect([found, notLookedAt]).toEqual([
      [],
      ['one receipt of the archive whose senders are no wallets of this account'],
    ]);
  });

  it.each([true, false])('are refused if the account has none of the senders', async (isWhole) => {
    const passing = passed([stranger, stranger], [wanted], { isWhole });
    await expect(passing).rejects.toThrow(OtherAccountError);
    await expect(passing).rejects.toThrow(
      `${stranger} is no wallet of this account on ARC-TESTNET`,
    );
  });
});
