import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartOptions } from '../../parts';
import type { Results } from '../results';
import { isFinal, submit } from '../rivals/pay';
import { type Payer, type Service, startService } from '../startService';
import { type Ground, startGround } from '../steadfast';
import { inRounds } from './options';

const settleTimesMs = [1_000, 5_000, 20_000];
/** The interval at which the bare script polls. */
const lookMs = 500;

type Part = Required<Results>['single'];

/** Measures one transfer from order to receipt, through Steadfast and by a bare script. */
export async function measureSingle(options: PartOptions): Promise<Pick<Part, 'times'>> {
  const times: Part['times'] = [];
  for (const settleMs of settleTimesMs) {
    const service = await startService({ settleMs });
    const ground = await startGround(service);
    try {
      const [first, second] = await service.createPayers(2, 'EOA');
      if (first === undefined || second === undefined) throw new Error('There are no wallets.');
      // The first order of a worker is slow, since its code runs for the first time.
      await withSteadfast(ground, first);
      const rounds = await inRounds(
        options,
        `one transfer, settling in ${settleMs / 1_000} s`,
        () =>
          Promise.all([
            timed(() => withSteadfast(ground, first)),
            timed(() => withScript(service, second)),
          ]),
      );
      const [steadfastMs, scriptMs] = [rounds.map(([ms]) => ms), rounds.map(([, ms]) => ms)];
      times.push({ settleMs, steadfastMs, scriptMs });
    } finally {
      await ground.leave();
      await service.stop();
    }
  }
  return { times };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

const amount = '0.01';
const freshAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

async function withSteadfast({ steadfast }: Ground, { id }: Payer): Promise<void> {
  const order = { from: { walletId: id }, to: freshAddress(), amount, token: 'USDC' };
  await steadfast.execute('transferStablecoin', `transfer:${randomUUID()}`, order);
}

async function withScript({ custody }: Service, { address }: Payer): Promise<void> {
  const key = randomUUID();
  const payment = { key, lineId: key, walletAddress: address, to: freshAddress(), amount };
  const { id } = await submit(custody, payment);
  while (!(await isFinal(custody, id))) await sleep(lookMs);
}
