import { judgeBooks, openBooks } from '../../../proof/soak/books';
import type { ChainReader, Ledger } from '../../../proof/soak/chain';
import { addressNamed, type Cast } from '../../../proof/soak/order';

const [payer, payee, outsider] = [
  addressNamed('payer'),
  addressNamed('payee'),
  addressNamed('outsider'),
];
const cast: Cast = {
  wallets: [
    { id: 'w-1', address: payer, accountType: 'EOA' },
    { id: 'w-2', address: payee, accountType: 'SCA' },
  ],
  outsiders: [outsider],
  minter: { id: 'w-3', address: addressNamed('minter'), accountType: 'SCA' },
  contract: addressNamed('contract'),
  piggies: [],
};
const ledger: Ledger = {
  movements: [
    { money: 'USDC', from: payer, to: payee, baseUnits: 30n, txHash: '0x01' },
    { money: 'USDC', from: payee, to: outsider, baseUnits: 5n, txHash: '0x02' },
  ],
  fees: new Map([[payer, 2n]]),
  blocks: 2,
};

/** A chain on which everybody holds what the table says. */
function chainWith(held: Record<string, bigint>): ChainReader {
  return {
    blockNumber: async () => 1n,
    balance: async (money, holder) => held[`${money} ${holder}`] ?? 0n,
    supply: async () => 100n,
    ledger: async () => ledger,
  };
}

/** Nobody else pays it: so its balance tells what an order of the native coin has moved. */
const paidInCoins = addressNamed('paid in coins');
const coins = [{ from: payer, to: paidInCoins, baseUnits: 7n }];

const before = { [`USDC ${payer}`]: 100n };
const after = {
  [`USDC ${payer}`]: 61n,
  [`USDC ${payee}`]: 25n,
  [`USDC ${outsider}`]: 5n,
  [`USDC ${paidInCoins}`]: 7n,
};

async function findings(held: Record<string, bigint>): Promise<string[]> {
  const opening = await openBooks(chainWith(before), cast);
  const chain = chainWith(held);
  return (await judgeBooks({ chain, cast, opening, ledger, coins })).findings;
}

describe('the judge of balances', () => {
  test('finds nothing where every base unit is accounted for', async () => {
    expect(await findings(after)).toEqual([]);
  });

  test('names the wallet that holds one base unit less, and the money that lacks it', async () => {
    expect(await findings({ ...after, [`USDC ${payee}`]: 24n })).toEqual([
      `wallet ${payee} holds 24 base units of USDC, not 25`,
      'all holders of USDC: 100 base units became 97, fees 2',
    ]);
  });

  test('names what an address outside lacks', async () => {
    expect(await findings({ ...after, [`USDC ${outsider}`]: 0n })).toEqual([
      'all holders of USDC: 100 base units became 93, fees 2',
    ]);
  });

  test('counts gas and payments in coins to the base unit, as USDC', async () => {
    expect(await findings({ ...after, [`USDC ${payer}`]: 60n })).toEqual([
      `wallet ${payer} holds 60 base units of USDC, not 61`,
      'all holders of USDC: 100 base units became 97, fees 2',
    ]);
  });
});
