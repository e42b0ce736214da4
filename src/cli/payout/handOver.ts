import { BadOrderError, type OrderKind, type Started, type Steadfast } from '../../client/client';
import { OrderError } from '../../client/started';
import { mayBePaid } from '../../orders/payout/mayBePaid';
import { type ProgressLine, progressLine } from '../show/progressLine';
import type { Voice } from '../show/voice';
import type { TakenPayout } from './takePayout';
import { tellBar, tellCount, tellLineCount } from './tellPayout';

const lookMs = 3_000;

/** Hands a payout over, part by part, and seals it. */
export function handOverPayout(
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
  const howFar = (): string => `${tellCount(handed)} of ${tellLineCount(all)}`;
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
      if (!isBegun || !(error instanceof BadOrderError)) throw error;
      // Once the payout exists, it may wait for its lines and its seal.
      const way = await wayOut(steadfast, id);
      const message = way === undefined ? error.message : `${error.message} ${way}`;
      // A seal that is refused is no fault of the input: the money may be missing.
      if (way !== undefined && handed === all) throw new OrderError(message, refusedSeal);
      throw new BadOrderError(message);
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

const refusedSeal = { outcome: 'refused' } as const;

/** The way out for a payout that is not sealed yet. Undefined for any other one. */
async function wayOut(steadfast: Steadfast, id: string): Promise<string | undefined> {
  const { progress } = await steadfast.status(id);
  const isOpen = progress?.status === 'Waiting' && progress.payout?.sealed !== true;
  if (!isOpen) return undefined;
  if (progress.payout?.mayHavePaid) return mayBePaid;
  return (
    'Nothing of it is paid. Fix that and run the same command again, or cancel it: ' +
    `npx --no-install steadfast cancel ${id} --reason "…"`
  );
}
