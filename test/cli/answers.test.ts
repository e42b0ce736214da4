import { Client, Connection } from '@temporalio/client';
import { list } from '../../src/cli/answers/answers';
import type { Call } from '../../src/cli/call';
import { recordedVoice } from './recordedVoice';

test('a list of no messages tells what Temporal knows, and where lost ends are counted', async () => {
  const connection = Connection.lazy();
  connection.workflowService.listWorkflowExecutions = (async () => ({
    executions: [],
    nextPageToken: new Uint8Array(),
  })) as never;
  const connect = async () => ({ client: new Client({ connection }) });
  const { voice, said } = recordedVoice();
  expect(await list({ connect, voice } as unknown as Call)).toBe(0);
  expect(said).toEqual([
    'Temporal knows no message to the receiver that waits or was given up.',
    expect.stringContaining('steadfast_answers_total{outcome="lost"}'),
  ]);
});
