import { listApprovals } from '../../../src/cli/approval/approvals';
import type { Call } from '../../../src/cli/call';
import { readOrderOf } from '../../../src/orders/kinds';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { recordedVoice } from '../recordedVoice';

const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const from = { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' };

/** A question about a transfer. */
function statementOf(workflowId: string): string {
  const { signedAt: _, ...request } = requestFor({
    entity: 'e1',
    blockchain: 'ARC-TESTNET',
    namespace: 'default',
    kind: 'transferStablecoin',
    workflowId,
    order: readOrderOf('transferStablecoin', { from, to, amount: '12.5', token: 'USDC' }),
    expires: new Date(Date.now() + 60_000),
  });
  const effects = [{ kind: 'money', money: 'USDC', amount: '12.5', to: to.toLowerCase() }];
  return textOf({
    ...request,
    ledger: 'l1',
    write: { target: 'transfer/1#0', wallet: 'w', effects },
  });
}

/** Lists orders whose questions are these. Undefined: no worker tells one. */
async function list(questions: Record<string, string | undefined>, isJson = false) {
  const { voice, said, documents } = recordedVoice(isJson);
  const steadfast = {
    list: async () =>
      Object.keys(questions).map((workflowId) => ({ workflowId, kind: 'transferStablecoin' })),
    status: async (workflowId: string) => {
      const statement = questions[workflowId];
      const wanted = { target: 'transfer/1#0', statement, rule: 'large', need: 2, given: [] };
      const progress = { status: 'NeedsApproval', approvals: [wanted] };
      const execution = 'RUNNING';
      return { workflowId, execution, ...(statement !== undefined && { progress }) };
    },
  };
  const config = { keyScope: '', namespace: 'default' };
  const connect = async () => ({ steadfast, config });
  const terminal = { env: { CUSTODY_BLOCKCHAIN: 'ARC-TESTNET' } };
  const code = await listApprovals({ voice, connect, terminal } as unknown as Call);
  expect(code).toBe(0);
  return { said, documents };
}

const honest = 'transfer:honest';

it.each([
  ['is no statement', 'nothing', 'The order is missing'],
  ['is of another order', statementOf('transfer:other'), 'is for the order transfer:other'],
  ['no worker tells', undefined, 'No worker tells now what it asks'],
])('an order whose question %s holds up no other one', async (_, question, words) => {
  const { said } = await list({ 'transfer:foreign': question, [honest]: statementOf(honest) });
  expect(said).toEqual([
    expect.stringMatching(new RegExp(`^transfer:foreign .*${words}`)),
    expect.stringMatching(/^transfer:honest +transfer\/1#0 .*large +0 of 2 +12.5 USDC$/),
  ]);
});

it('says so in its document as well', async () => {
  const questions = { 'transfer:foreign': 'nothing', [honest]: statementOf(honest) };
  const { documents } = await list(questions, true);
  expect(documents[0]).toMatchObject([
    { workflowId: 'transfer:foreign', approvals: [], unread: expect.any(String) },
    { workflowId: honest, approvals: [{ rule: 'large' }] },
  ]);
});
