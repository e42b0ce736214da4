import { BadOrderError, type OrderKind, type Started, type Steadfast } from '../../client';
import { OrderError } from '../../orderError';
import { type ProgressLine, progressLine } from '../progressLine';
import type { TakenPayout } from './takePayout';
import { tellBar, tellCount, tellLines } from './tellPayout';

/** How a payout is started: it is handed over, part by part, and sealed. */
export function handOver({ id, order, surveyed, lines, voice }: TakenPayout): {
  start(steadfast: Steadfast): Promise<Started<OrderKind>>;
  left(): string;
} {
  const all = surveyed.lines;
  let line: ProgressLine | undefined;
  let handed = 0;
  let isBegun = false;
  const howFar = (): string => `${tellCount(handed)} of ${tellLines(all)}`;
  const start = async (steadfast: Steadfast): Promise<Started<OrderKind>> => {
    line = progressLine(voice);
    try {
      return await steadfast.payout(order, lines?.(), (told) => {
        isBegun = true;
        handed = told.lines;
        line?.measure(`handing over ${tellBar(handed, all)}  ${howFar()}`);
      });
    } catch (error) {
      // Before it had begun, what is wrong is the order; from then on it is there, and waits.
      if (!isBegun || !(error instanceof BadOrderError)) throw error;
      const message = `${error.message} ${await wayOut(steadfast, id)}`;
      throw new OrderError(message, { outcome: 'refused', cause: error });
    } finally {
      line.clear();
    }
  };
  const left = (): string => {
    line?.clear();
    if (lines === undefined) return '';
    return `${howFar()} were handed over; none is paid before all of them are there. `;
  };
  return { start, left };
}

/** What can be done about a payout that takes no more lines, or cannot be sealed. */
async function wayOut(steadfast: Steadfast, id: string): Promise<string> {
  const { progress } = await steadfast.status(id);
  // Once it is sealed it is Settling, or whatever keeps it from that.
  const isOpen = progress?.status === 'Waiting' && progress.payout?.sealed !== true;
  if (!isOpen) return `See where it stands: npx steadfast status ${id}`;
  return (
    'Nothing of it is paid. Mend that and run the same command again; or give it up: ' +
    `npx steadfast cancel ${id} --reason "…"`
  );
}
