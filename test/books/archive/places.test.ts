import { join } from 'node:path';
import { openPlaces } from '../../../src/books/archive/places';
import { booksOf } from '../../../src/books/chain/node';
import { DifferenceError, StatementError, UntoldError } from '../../../src/books/statementError';
import { createNode } from '../../../src/chain/node/node';
import type { Post } from '../../../src/chain/node/post';
import { type PaperCall, paperChain } from '../../support/chain/paperChain';
import { paperClock } from '../../support/chain/paperClock';
import { newFolder } from '../../support/jest/setUp';
import { eurc } from '../../support/sandbox';

const folder = newFolder();
const call = { method: 'eth_getBlockReceipts', params: ['0x7'] };
let stores = 0;

/** Opens the places of one reading again and again. */
function newReading() {
  stores += 1;
  const store = `file:${join(folder, `store-${stores}`)}`;
  return () => openPlaces(store, { url: 'http://node', fromMs: 0 });
}

describe('the places of a reading that has failed', () => {
  it.each([
    ['forgotten', 'a difference', new DifferenceError('It does not add up.'), undefined],
    ['forgotten', 'a wrong answer', new StatementError('It has no receipt.'), undefined],
    ['kept', 'a node that is away', new UntoldError('It does not answer.'), []],
    ['kept', 'a stop', new Error('It was cancelled.'), []],
  ])('are %s after %s', async (_, __, error, expected) => {
    const opened = newReading();
    const first = opened();
    const reading = first.during(async () => {
      await first.kept.set(call, []);
      throw error;
    });
    await expect(reading).rejects.toBe(error);
    const later = { ...call, params: ['0x8'] };
    await first.kept.set(later, []);
    const second = opened();
    await second.during(async () => {
      expect(await second.kept.get(call)).toEqual(expected);
      expect(await second.kept.get(later)).toBeUndefined();
    });
  });

  it('do not repeat an answer that lacked receipts once', async () => {
    const [one, other] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
    const chain = paperChain({
      token: eurc,
      moves: [{ block: 7, from: one, to: other, units: 1n }],
    });
    let isWrong = true;
    const post: Post = async (body) => {
      const all = [body].flat() as (PaperCall & { id: number })[];
      const answers = all.map(({ id, ...asked }) => {
        const isLacking = isWrong && asked.method === call.method;
        return { id, ...(isLacking ? { result: [] } : chain.answer(asked, 20)) };
      });
      return { status: 200, body: Array.isArray(body) ? answers : answers[0] };
    };
    const opened = newReading();
    const read = async (): Promise<number> => {
      const places = opened();
      const node = createNode({ post, origin: 'http://node', clock: paperClock() });
      return places.during(async () => {
        const [block] = await booksOf(node, places).blocks([7]);
        return block?.transactions.length ?? 0;
      });
    };
    await expect(read()).rejects.toThrow('the node has block 7, but no receipt of');
    isWrong = false;
    expect(await read()).toBe(1);
  });
});
