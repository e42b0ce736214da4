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
  const { status, target, paused, payout } = progress;
  const of = (command: string): string => `steadfast ${command} ${workflowId}`;
  const cancel = { when: 'you no longer want it', command: `${of('cancel')} --reason "why"` };
  if (isEnd(status)) return [];
  if (paused !== undefined)
    return [{ when: 'you want to continue it', command: of('resume') }, cancel];
  const find = (words: string): string =>
    `${of('resolve')} --target '${target}' --finding ${words}`;
  const named = '<transaction id or hash>';
  const completed = {
    when: 'you found its transaction',
    command: find(`completed --evidence ${named}`),
  };
  if (status === 'Unknown' && target !== undefined) {
    return [
      completed,
      {
        when: 'you are sure that the service never accepted it',
        command: find('noEffect --evidence "how you know"'),
      },
      {
        when: 'its transaction is FAILED, DENIED or CANCELLED',
        command: find(`retry --evidence ${named}`),
      },
      cancel,
    ];
  }
  if (status === 'NeedsOperator' && target !== undefined) {
    return [
      { ...completed, when: 'its transaction did what was ordered' },
      { when: 'you give it up (it is never sent again)', command: find('skip --evidence "why"') },
      cancel,
    ];
  }
  if (status === 'NeedsApproval') {
    const key = '--key ~/.ssh/id_ed25519';
    return [
      { when: 'you approve it', command: `${of('approve')} ${key}` },
      { when: 'you reject it', command: `${of('reject')} --reason "why" ${key}` },
      cancel,
    ];
  }
  if (payout?.sealed === false) {
    const mended = 'its lines and wallets are in order now (the same command as before, whole)';
    return [{ when: mended, command: `steadfast payout <file> --id ${workflowId} …` }, cancel];
  }
  // A payout's transactions are accelerated by nobody.
  if (status === 'Settling' && payout === undefined)
    return [{ when: 'it takes too long', command: of('accelerate') }, cancel];
  return [cancel];
}
