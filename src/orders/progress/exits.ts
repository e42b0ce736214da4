import { isEnd, type Progress } from './status';

/**
 * A way to leave a waiting state: when it fits, to be read after "if", and the command. Pure data:
 * workflows import it.
 */
export type Exit = { when: string; command: string };

/**
 * The controls that leave the state in which an order waits. An order that needs somebody to mend
 * something goes on by itself once that is done.
 */
export function exitsOf(progress: Progress, workflowId: string): Exit[] {
  const { status, target, payout, paidIn, cancelAsked = false } = progress;
  if (isEnd(status)) return [];
  const others = othersOf(progress, workflowId);
  // A write that has paid is neither cancelled nor given up. A payout has other lines.
  if (paidIn !== undefined && payout === undefined) return others;
  // To ask twice changes nothing, unless the first request came before the contradiction.
  const isContradicted = status === 'NeedsOperator' && target !== undefined;
  const endsIt = isContradicted && payout === undefined;
  if (cancelAsked && others.length > 0 && !endsIt) return others;
  const command = `steadfast cancel ${workflowId} --reason "why"`;
  return [...others, { when: 'you no longer want it', command }];
}

/** The controls of a state besides the cancellation. */
function othersOf(progress: Progress, workflowId: string): Exit[] {
  const { status, target, paidIn, paused, payout, cancelAsked = false } = progress;
  const of = (command: string): string => `steadfast ${command} ${workflowId}`;
  if (paused !== undefined) return [{ when: 'you want to continue it', command: of('resume') }];
  const find = (words: string): string =>
    `${of('resolve')} --target '${target}' --finding ${words}`;
  const named = '<transaction id or hash>';
  const completed = {
    when: 'you found its transaction',
    command: find(`completed --evidence ${named}`),
  };
  const skip = {
    when: 'you give it up (it is never sent again)',
    command: find('skip --evidence "why"'),
  };
  if (status === 'Unknown' && target !== undefined) {
    const then = cancelAsked ? 'it is not sent again' : 'it is sent again';
    return [
      completed,
      {
        when: `you are sure that the service never accepted it (${then})`,
        command: find('noEffect --evidence "how you know"'),
      },
      {
        when: 'its transaction is FAILED, DENIED or CANCELLED',
        command: find(`retry --evidence ${named}`),
      },
      ...(payout === undefined ? [] : [skip]),
    ];
  }
  if (status === 'NeedsOperator' && target !== undefined) {
    const when = 'its transaction did what was ordered';
    if (paidIn === undefined) return [{ ...completed, when }, skip];
    return [{ when, command: find(`completed --evidence ${paidIn}`) }];
  }
  if (status === 'NeedsApproval') {
    const key = '--key ~/.ssh/id_ed25519';
    return [
      { when: 'you approve it', command: `${of('approve')} ${key}` },
      { when: 'you reject it', command: `${of('reject')} --reason "why" ${key}` },
    ];
  }
  if (payout?.sealed === false) {
    const mended = 'its lines and wallets are in order now (the same command as before, whole)';
    return [{ when: mended, command: `steadfast payout <file> --id ${workflowId} …` }];
  }
  // A payout's transactions are accelerated by nobody.
  if (status === 'Settling' && payout === undefined)
    return [{ when: 'it takes too long', command: of('accelerate') }];
  return [];
}
