import { BadOrderError, type OrderKind, type Started, type Steadfast } from '../../client/client';
import { OrderError } from '../../client/started';
import { type ProgressLine, progressLine } from '../show/progressLine';
import type { Voice } from '../show/voice';
import type { TakenPayout } from './takePayout';
import { tellBar, tellCount, tellLines } from './tellPayout';

const lookMs = 3_000;

/** Hands a payout over, part by part, and seals it. */
export function handOver(
  { id, order, surveyed, lines }: TakenPayout,
  voice: Voice,
): {
  start(steadfast: Steadfast): Promise<Started<OrderKind>>;
  left(): string;
} {
  const all = surveyed.lines;
  let line: ProgressLine | undefined;
  let handed = 0;
  let isBegun = false;
  const howFar = (): string => `${tellCount(handed)} of ${tellLines(all)}`;
  /** A part or the seal may wait until something is mended. */
  const tellTrouble = async (steadfast: Steadfast): Promise<void> => {
    const { progress } = await steadfast.status(id);
    if (progress?.status === 'NeedsOperator') line?.measure(progress.waitingFor);
  };
  const start = async (steadfast: Steadfast): Promise<Started<OrderKind>> => {
    line = progressLine(voice);
    const looking = setInterval(() => void tellTrouble(steadfast).catch(() => {}), lookMs);
    try {
      return await steadfast.payout(order, lines?.(), (told) => {
        isBegun = true;
        handed = told.lines;
        line?.measure(`handing over ${tellBar(handed, all)}  ${howFar()}`);
      });
    } catch (error) {
      // Before the start, the order is wrong. After it, the payout exists and waits.
      if (!isBegun || !(error instanceof BadOrderError)) throw error;
      const message = `${error.message} ${await wayOut(steadfast, id)}`;
      throw new OrderError(message, { outcome: 'refused' });
    } finally {
      clearInterval(looking);
      line.clear();
    }
  };
  const left = (): string => {
    line?.clear();
    if (lines === undefined) return '';
    return `${howFar()} were handed over. None is paid before all are handed over. `;
  };
  return { start, left };
}

/** The way out for a payout that accepts no more lines or cannot be sealed. */
async function wayOut(steadfast: Steadfast, id: string): Promise<string> {
  const { progress } = await steadfast.status(id);
  const isOpen = progress?.status === 'Waiting' && progress.payout?.sealed !== true;
  if (!isOpen) return `See where it stands: npx steadfast status ${id}`;
  return (
    'Nothing of it is paid. Mend that and run the same command again, or cancel it: ' +
    `npx steadfast cancel ${id} --reason "…"`
  );
}
