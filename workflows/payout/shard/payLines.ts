import { tellWhenDue } from '../../end/tellLines';
import { drive } from '../../write/drive';
import { isShardOver, lookAgain } from '../lookAgain';
import { checkReceipts, lookUpLines } from './reading';
import { reportWhenDue } from './report';
import { sendLines } from './send';
import type { Shard } from './shard';
import { waitForAnswers } from './waiting';
import { pollLines } from './watching';

/** Pays the lines of a part until all have ended, or its payout has. */
export function payLines(shard: Shard): Promise<void> {
  // A line that turns out to be in doubt when it is to be sent is looked up in the same turn.
  const kinds = [sendLines, lookUpLines, pollLines, checkReceipts, lookAgain, reportWhenDue];
  return drive(shard, {
    begins: [...kinds, tellWhenDue].map((begin) => () => begin(shard)),
    isOver: () => isShardOver(shard),
    wait: (untilMs) => waitForAnswers(shard, untilMs),
  });
}
