import { type Contender, fullRace } from '../contender';
import { raceJob } from './job';

/** A plain program on the same client: it keeps nothing, so a crash forgets what it has sent. */
export const script: Contender = {
  name: 'plain script',
  lines: fullRace,
  ways: (open) => [{ window: open, method: 'list' }],
  enter: async (service) => ({
    race: (race) => raceJob(race, { service, path: require.resolve('./scriptProgram') }),
    leave: async () => {},
  }),
};
