import type { Grounds } from '../../../../src/custody/objects/grounds';
import { orderBytesMax } from '../../../../src/orders/input/read';
import { newShard } from '../../../../workflows/payout/shard/open/newShard';
import { newWrite } from '../../../../workflows/write/machine/writeState';
import { pathOf } from '../../../../workflows/write/writes';
import { usdc, wallet } from './part';

/** The most that Temporal carries as the input of a run. */
const inputBytesMax = 2 * 1_024 * 1_024;
const hash = `0x${'ab'.repeat(32)}`;
const uuid = '0c3f3d3e-1111-4222-8333-4444aaaa6666';

/** Temporal refuses to hand on more than two megabytes. Signatures and places need some of it. */
const bytesMax = 1_300_000;

describe('a part of a thousand lines', () => {
  test.each([
    ['whose attempts all fail for certain', false],
    ['whose attempts may all have arrived', true],
  ])('hands on little of troubles that last, %s', (_, isAmbiguous) => {
    const shard = newShard({
      terms: { workflowId: 'payout:any', wallets: [wallet], order: { generations: {} } } as never,
      part: 1,
      tokens: [usdc],
      lines: Array.from({ length: 1_000 }, (_, at) => {
        return { lineId: `invoice-${at}`, to: '0x1', amount: '1', token: 'USDC', wallet: 0 };
      }),
    });
    const why = `The service answered with a page: ${'Service Unavailable '.repeat(200)}`;
    for (const line of shard.lines) {
      const looked = { kind: 'looked', askedAtMs: Date.now(), seen: 12_000, traces: [] } as const;
      for (let time = 0; time < 40; time++) {
        shard.writes.apply(line, looked);
        shard.writes.apply(line, { kind: 'sending' });
        const answer = { kind: 'Again', why, isAmbiguous } as const;
        shard.writes.apply(line, { kind: 'answered', answer });
      }
    }
    expect(JSON.stringify(shard.carried).length).toBeLessThan(bytesMax);
  });

  test('hands on all it knows of paid lines, with texts as long as a part may have', () => {
    const line = { to: hash.slice(0, 42), amount: '1234.56', token: 'USDC', wallet: 0 };
    const lines = Array.from({ length: 1_000 }, (_, at) => {
      return { ...line, lineId: `${uuid.slice(0, -4)}${1_000 + at}`, reference: '' };
    });
    const left = Math.floor((orderBytesMax - JSON.stringify(lines).length) / 1_000);
    for (const one of lines) one.reference = 'ж'.repeat(left / 2);
    const shard = newShard({
      terms: { workflowId: 'payout:any', wallets: [wallet], order: { generations: {} } } as never,
      part: 1,
      tokens: [usdc],
      lines,
    });
    const record = {
      id: uuid,
      state: 'COMPLETE',
      txHash: hash,
      networkFee: '0.000123456789012345',
    };
    const updateDate = '2026-01-31T12:00:00Z';
    const seal = { ledger: uuid, publicKey: 'A'.repeat(60), signature: 'A'.repeat(88) };
    const rules = ['a day', 'a month'];
    const checked = { found: { new: 'clear', twice: 'clear', otherFace: 'review' }, book: hash };
    const people = { signedBy: 'ann@example.com', approvedBy: ['bob@example.com'] };
    const screened = { list: 'clear', service: 'clear' } as const;
    const grounds = { policy: `7 ${hash}`, rules, ...people, screened, checked, seal } as Grounds;
    const fee = { baseUnits: '123456789012345', lines: 100 };
    const place = { blockNumber: 30_000_000, blockTime: updateDate, logIndex: 100, fee };
    for (const { item, ...one } of shard.lines) {
      shard.carried.writes[pathOf({ ...one, item })] = newWrite({
        generation: 0,
        knownAtMs: 1_769_860_800_000,
        stage: 'completed',
        tries: 'ambiguous',
        transactionId: uuid,
        record: { ...record, updateDate },
      });
      shard.carried.grounds = { ...shard.carried.grounds, [item]: grounds };
      const batch = { step: 'batch', item: uuid, generation: 0 };
      shard.carried.batchOf = { ...shard.carried.batchOf, [item]: uuid };
      const own = { transactionId: uuid, onChain: place, batch, userOpHash: hash };
      shard.carried.places = { ...shard.carried.places, [item]: own };
    }
    const bytes = Buffer.byteLength(JSON.stringify([shard.order, shard.carried]));
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(inputBytesMax);
  });
});
