import { pay, raceOn, startGround, unlimited } from '../payouts/steadfast';
import type { BatchContender, BatchRace } from './contender';

/** Steadfast with a chain to read. Its worker keeps the hosted limits where the service does. */
export const steadfast: BatchContender = {
  name: 'Steadfast',
  enter: async (place) => {
    const { isLimited, rpcUrl } = place;
    const env = { CHAIN_RPC_URL: rpcUrl, ...(isLimited ? {} : unlimited) };
    const ground = await startGround(place, { env });
    return {
      race: async (race) => {
        const terms = termsOf(race);
        await pay(ground, terms, race.warmUp);
        return raceOn(ground, terms, race.lines);
      },
      leave: ground.leave,
    };
  },
};

function termsOf({ payers, linesMax }: BatchRace) {
  const batch = linesMax === undefined ? (false as const) : { linesMax };
  return { wallets: payers.map(({ id }) => id), batch };
}
