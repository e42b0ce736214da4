import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { times } from '../../support/lane';
import { kinds } from './kinds';
import { lifetimeMs, usdc, window } from './reservations';
import { type Spender, startSpender } from './spenders';

/** The window has room for so many payments. */
const room = 100;
let place: string;
let spenders: Spender[];

/** Starts writer processes that share a ledger, and waits until all of them are ready. */
async function start(tries: number[]): Promise<void> {
  spenders = tries.map((count) => startSpender(place, count));
  await Promise.all(spenders.map((one) => one.isReady()));
}

async function counted(): Promise<bigint> {
  const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
  const { counted } = await ledger.usage(window);
  await ledger.close();
  return counted / usdc;
}

describe.each(kinds)('in $name', (kind) => {
  beforeAll(kind.start);
  afterAll(kind.stop);
  beforeEach(async () => {
    place = await kind.newPlace();
  });
  afterEach(() => Promise.all(spenders.map(({ child }) => child.kill())));

  it('three writer processes pay together what the limit allows, in 1,200 tries', async () => {
    await start([400, 400, 400]);
    for (const one of spenders) one.begin();
    await Promise.all(spenders.map((one) => one.done()));
    expect(spenders.reduce((sum, one) => sum + one.paid(), 0)).toBe(room);
    expect(await counted()).toBe(BigInt(room));
  });

  it('a writer that is killed holds up nobody, and holds no more than what it was sending', async () => {
    // The one to be killed begins first and may not take all: so both have something to pay.
    await start([room - 10, times({ short: 150, all: 500 })]);
    const [killed, other] = spenders;
    killed?.begin();
    await killed?.hasPaid();
    other?.begin();
    await killed?.child.kill();
    await other?.done();
    expect(await counted()).toBe(BigInt(room));
    const paid = (killed?.paid() ?? 0) + (other?.paid() ?? 0);
    expect([room - 1, room]).toContain(paid);
    expect(other?.paid()).toBeGreaterThan(0);
  });
});
