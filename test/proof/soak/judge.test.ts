import { zeroAddress } from 'viem';
import type { End } from '../../../proof/soak/carryOut';
import type { Movement } from '../../../proof/soak/chain';
import { judgeOrders } from '../../../proof/soak/judge';
import type { Running } from '../../../proof/soak/load';
import { addressNamed, amountOf, baseUnitsOf, type SoakOrder } from '../../../proof/soak/order';
import type { Transaction } from '../../../src/custody/objects/transaction';

const from = { id: 'w-1', address: addressNamed('payer'), accountType: 'EOA' } as const;
const paid: SoakOrder = {
  id: 'transfer:soak-7',
  money: 'USDC',
  from,
  to: addressNamed('payee'),
  micros: 7n,
  cancelAfterMs: undefined,
};
const completed: End = {
  outcome: 'completed',
  transactionId: 't-7',
  txHash: '0x07',
  told: { to: paid.to, amount: amountOf(paid) },
};
const failed: End = { outcome: 'failed', reason: 'it was denied' };

function movementOf(order: SoakOrder, changes: Partial<Movement> = {}): Movement {
  const { to } = order;
  const baseUnits = baseUnitsOf(order);
  const money = order.money === 'native' ? 'USDC' : order.money;
  return { money, from: from.address, to, baseUnits, txHash: '0x07', ...changes };
}

function recordOf(changes: Partial<Transaction> = {}): Transaction {
  const record = { id: 't-7', state: 'COMPLETE', operation: 'TRANSFER', txHash: '0x07' };
  return { ...record, amounts: [amountOf(paid)], ...changes } as Transaction;
}

function findings(facts: {
  order?: SoakOrder;
  end: End | undefined;
  movements?: Movement[];
  records?: Transaction[];
}): string[] {
  const { order = paid, end, movements = [], records = [] } = facts;
  const running = { order, startedAtMs: 0, ...(end === undefined ? {} : { end }) };
  const orders: Running[] = [running];
  const ledger = { movements, fees: new Map(), blocks: 1 };
  return judgeOrders({ orders, ledger, coins: [], records }).findings;
}

describe('the judge of orders', () => {
  test('finds nothing where order, chain and record agree', () => {
    const agreed = { end: completed, movements: [movementOf(paid)], records: [recordOf()] };
    expect(findings(agreed)).toEqual([]);
    expect(findings({ end: failed, records: [recordOf({ state: 'DENIED' })] })).toEqual([]);
  });

  test.each<[string, Parameters<typeof findings>[0], RegExp]>([
    [
      'an order that was paid twice',
      { end: completed, movements: [movementOf(paid), movementOf(paid)], records: [recordOf()] },
      /transfer:soak-7 completed, and has 2 effects/,
    ],
    ['an order that was never paid', { end: completed, records: [recordOf()] }, /has 0 effects/],
    [
      'an order that failed although it was paid',
      { end: failed, movements: [movementOf(paid)], records: [recordOf()] },
      /is failed, yet the chain has it in 0x07/,
    ],
    [
      'a payment to somebody else',
      {
        end: completed,
        movements: [movementOf(paid, { to: from.address })],
        records: [recordOf()],
      },
      /the payee on the chain is/,
    ],
    [
      'a receipt that names another transaction',
      {
        end: { ...completed, txHash: '0x08' },
        movements: [movementOf(paid)],
        records: [recordOf()],
      },
      /the hash on the chain is 0x07, not 0x08/,
    ],
    [
      'a second record that is complete',
      {
        end: completed,
        movements: [movementOf(paid)],
        records: [recordOf(), recordOf({ id: 't-8' })],
      },
      /has 2 COMPLETE records/,
    ],
    [
      'a record that is under way for ever',
      { end: failed, records: [recordOf({ state: 'STUCK' })] },
      /a record t-7 that is still STUCK/,
    ],
    [
      'a payment that nobody ordered',
      { end: failed, movements: [movementOf(paid, { baseUnits: 9n })], records: [recordOf()] },
      /nobody ordered 9 base units of USDC/,
    ],
    ['a failure without a cause', { end: failed }, /is failed without a cause: it was denied/],
  ])('names %s', (_, facts, sentence) => {
    expect(findings(facts).join('\n')).toMatch(sentence);
  });

  test('knows coins by the address that is paid by one order alone, and their amount', () => {
    const order: SoakOrder = { ...paid, money: 'native' };
    const coins = [{ from: from.address, to: order.to, baseUnits: 2n * baseUnitsOf(order) }];
    const running = { order, startedAtMs: 0, end: completed };
    const ledger = { movements: [], fees: new Map(), blocks: 1 };
    const judged = judgeOrders({ orders: [running], ledger, coins, records: [recordOf()] });
    expect(judged.findings).toEqual([
      'transfer:soak-7 completed, and what is paid in base units is 14000000000000, not 7000000000000',
    ]);
  });

  test('knows a mint by the address that nobody has', () => {
    const order: SoakOrder = { ...paid, money: 'minted' };
    const record = recordOf({
      operation: 'CONTRACT_EXECUTION',
      abiParameters: [paid.to, baseUnitsOf(order).toString()],
    });
    const minted = movementOf(order, { from: zeroAddress });
    expect(findings({ order, end: completed, movements: [minted], records: [record] })).toEqual([]);
  });
});
