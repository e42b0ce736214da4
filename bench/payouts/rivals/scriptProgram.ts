import { createCustodyClient } from '../../../src/custody/client';
import { gate, inLanes } from './inLanes';
import { runJob } from './job';
import { listing, submit } from './pay';

const sendersMax = 32;
const lookMs = 50;

void runJob(async ({ walletIds, window, ...keys }) => {
  const custody = createCustodyClient(keys);
  const untilFinal = listing(custody, { walletIds, lookMs });
  const sending = gate(sendersMax);
  return async (payments) => {
    const knownAtMs: Record<string, number> = {};
    await inLanes(payments, window, async (payment) => {
      const sent = await sending(() => submit(custody, payment));
      await untilFinal(sent);
      knownAtMs[sent.id] = Date.now();
    });
    return knownAtMs;
  };
});
