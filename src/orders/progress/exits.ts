import { isEnd, type Progress } from './status';

/** A way to leave a waiting state: when it fits, and the command. Pure data: workflows import it. */
export type Exit = { when: string; command: string };

/**
 * The controls that leave the state in which an order waits. An order that needs somebody to mend
 * something goes on by itself once that is done.
 */
export function exitsOf(progress: Progress, workflowId: string): Exit[] {
  const { status, target, paused } = progress;
  const of = (command: string): string => `steadfast ${command} ${workflowId}`;
  const cancel = { when: 'it is not wanted', command: `${of('cancel')} --reason "why"` };
  if (isEnd(status)) return [];
  if (paused !== undefined) return [{ when: 'it is to go on', command: of('resume') }, cancel];
  const find = (words: string): string =>
    `${of('resolve')} --target '${target}' --finding ${words}`;
  const named = '<transaction id or hash>';
  const completed = {
    when: 'it was accepted',
    command: find(`completed --evidence ${named}`),
  };
  if (status === 'Unknown' && target !== undefined) {
    return [
      completed,
      { when: 'it never was', command: find('noEffect --evidence "how you know"') },
      { when: 'its record is FAILED', command: find(`retry --evidence ${named}`) },
      cancel,
    ];
  }
  if (status === 'NeedsOperator' && target !== undefined) {
    return [
      { ...completed, when: 'it was made as ordered' },
      { when: 'nobody can tell', command: find('skip --evidence "why"') },
      cancel,
    ];
  }
  if (status === 'NeedsApproval') {
    const key = '--key ~/.ssh/id_ed25519';
    return [
      { when: 'you approve it', command: `${of('approve')} ${key}` },
      { when: 'you do not', command: `${of('reject')} --reason "why" ${key}` },
      cancel,
    ];
  }
  if (status === 'Settling')
    return [{ when: 'it takes too long', command: of('accelerate') }, cancel];
  return [cancel];
}
