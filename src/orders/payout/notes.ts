import type { Resolved } from '../kind';
import { counted } from '../progress/doing';
import { partLinesMax } from './tally';

type Noted = { lines?: readonly unknown[] | undefined; memo?: boolean | undefined };

/** Facts of a payout for its plan, besides its first lines. */
export function notesOf({ lines, memo }: Noted, { wallets = [] }: Resolved): string[] {
  const smart = wallets.filter(({ accountType }) => accountType === 'SCA');
  const without = memo === true ? smart.map(({ address }) => withoutMemo(address)) : [];
  if (lines === undefined) {
    const byPart = 'Its lines are handed over part by part, and nothing is paid before the seal.';
    return [byPart, ...without];
  }
  const more = lines.length - partLinesMax;
  return [...(more > 0 ? [`And ${counted(more, 'line')} more.`] : []), ...without];
}

/** The warning that a smart account cannot call `Memo`. */
export function withoutMemo(address: string): string {
  return `memo: ${address} is a smart account (SCA), so its lines carry no memo.`;
}
