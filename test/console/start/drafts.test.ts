import type { Draft } from '../../../src/console/start/draft';
import { createDrafts } from '../../../src/console/start/drafts';
import { payee, wallet } from '../office';

const checked = { ran: [], leftOut: [], findings: [] };
const draft = (lines: number): Draft => {
  const line = { lineId: 'a', to: payee, amount: '1', token: 'USDC' } as const;
  const all = Array.from({ length: lines }, () => line);
  const order = { payoutId: 'june', wallets: [wallet] };
  return {
    id: 'payout:june',
    checked,
    expires: new Date(),
    kind: 'payout',
    order,
    lines: { all, totals: [], digest: '' },
  };
};

describe('drafts', () => {
  it('are of their session alone, and for half an hour', () => {
    const now = { ms: 0 };
    const drafts = createDrafts(() => now.ms);
    const name = drafts.keep('ann', draft(1));
    expect(drafts.draftOf(name, 'ann').id).toBe('payout:june');
    expect(() => drafts.draftOf(name, 'bo')).toThrow('of another session');
    now.ms = 1_800_001;
    expect(() => drafts.draftOf(name, 'ann')).toThrow('This draft is over');
  });

  it('are two of a session, forty of all, and 200,000 lines: the oldest goes', () => {
    const isThere = (drafts: ReturnType<typeof createDrafts>, name: string, owner: string) => {
      try {
        return drafts.draftOf(name, owner) !== undefined;
      } catch {
        return false;
      }
    };
    const few = createDrafts();
    const own = [1, 2, 3].map(() => few.keep('ann', draft(1)));
    expect(own.map((name) => isThere(few, name, 'ann'))).toEqual([false, true, true]);
    const many = createDrafts();
    const all = Array.from({ length: 41 }, (_, at) => many.keep(`person ${at}`, draft(1)));
    const kept = all.filter((name, at) => isThere(many, name, `person ${at}`));
    expect(kept).toEqual(all.slice(1));
    const large = createDrafts();
    const names = Array.from({ length: 11 }, (_, at) => large.keep(`person ${at}`, draft(20_000)));
    expect(names.map((name, at) => isThere(large, name, `person ${at}`)).indexOf(true)).toBe(1);
  });

  it('answer a question once', () => {
    const drafts = createDrafts();
    const name = drafts.keep('ann', draft(1));
    drafts.ask(name, 'ann', { statement: 'one', at: 'now' });
    drafts.ask(name, 'ann', { statement: 'two', at: 'now' });
    expect(drafts.takeAsked(name, 'ann')).toMatchObject({ statement: 'two' });
    expect(drafts.takeAsked(name, 'ann')).toBeUndefined();
  });
});
