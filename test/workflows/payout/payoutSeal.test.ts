import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress } from 'viem';
import { createSteadfast } from '../../../src/client/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NotSentError, RefusedError } from '../../../src/custody/errors';
import { setUp } from '../../support/jest/setUp';
import { createServe, type Orders, runOrders } from '../../support/orders';
import { newLine, openedPayout, payoutOf, usdcLines } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';
import { someone } from '../../support/stages';

const serve = createServe();
const till: Till = openTill();
const orders = setUp(() => runOrders(till.custody));

const opened = (change: object = {}) => openedPayout(orders, payoutOf(till.wallets, change));

/** The service, whose balances cannot be read while it has a fault. */
function failingWhile({ custody }: Till, fault: () => Error | undefined): CustodyApi {
  const listBalances: CustodyApi['listBalances'] = async (...call) => {
    const now = fault();
    if (now !== undefined) throw now;
    return custody.listBalances(...call);
  };
  return Object.assign(Object.create(custody), { listBalances });
}

const down = new NotSentError('The service is down.');

function isThere({ client }: Orders, id: string): Promise<boolean> {
  const described = client.workflow.getHandle(id).describe();
  return described.then(
    () => true,
    () => false,
  );
}

const again =
  'Then seal it again: repeat the command or the call `payout`, or send the update `seal`.';

describe('a seal', () => {
  test.concurrent('is refused where the lines do not come to what they should, until they do', async () => {
    const { update, handle } = await opened({ maxTotal: { USDC: '10' } });
    await update('addLines', { part: 2, lines: usdcLines('2') });
    expect(await update('seal', { parts: 2, totals: { USDC: '3' } })).toBe(
      `parts: 1 of 2 are missing. Hand them over. ${again}`,
    );
    await update('addLines', { part: 1, lines: usdcLines('1') });
    expect(await update('seal', { parts: 2, totals: { USDC: '3.1' } })).toBe(
      'totals.USDC: is 3.1, and the lines come to 3.',
    );
    expect(await update('seal', { parts: 1, totals: { USDC: '3' } })).toBe(
      'parts: is 1, and 2 were handed over. Seal them all, or cancel this payout, of which nothing ' +
        'is paid, and start a new one.',
    );
    expect(await update('seal', { parts: 2, totals: {} })).toBe(
      'totals.USDC: is 0, and the lines come to 3.',
    );
    expect(await update('seal', { parts: 2 })).toMatch(/^totals: /);
    expect(await update('seal', { parts: 2, totals: { USDC: '3.00' } })).toBe('{"warnings":[]}');
    expect(await handle.result()).toMatchObject({ paid: 2, totals: { USDC: { paid: '3' } } });
  });

  test.concurrent('is of the lines of its own call, and of nobody else with the same sums', async () => {
    const order = payoutOf(till.wallets);
    const own = [newLine({ amount: '1' })];
    const others = own.map((line) => ({ ...line, to: someone() }));
    const sealedAfter = (meanwhile: () => Promise<unknown>) => {
      const getHandle = (id: string) => {
        const handle = orders.client.workflow.getHandle(id);
        const executeUpdate: typeof handle.executeUpdate = async (...asked: [never, never]) => {
          if (String(asked[0]) === 'seal') await meanwhile();
          return handle.executeUpdate(...asked);
        };
        return { ...handle, executeUpdate };
      };
      const workflow = Object.create(orders.client.workflow, { getHandle: { value: getHandle } });
      const client = Object.create(orders.client, { workflow: { value: workflow } });
      return createSteadfast({ client, taskQueue: orders.taskQueue });
    };
    const handle = orders.client.workflow.getHandle(`payout:${order.payoutId}`);
    const handOver = () => {
      return handle.executeUpdate('addLines', { args: [{ part: 1, lines: others }] });
    };
    const fault = 'root: other lines were handed over meanwhile, by another call.';
    await expect(sealedAfter(handOver).payout(order, own)).rejects.toThrow(fault);
    expect(till.taken.filter(({ destinationAddress: to }) => to === own[0]?.to)).toEqual([]);
    const sealed = () => orders.steadfast.payout(order, own);
    await expect(sealedAfter(sealed).payout(order, others)).rejects.toThrow(fault);
    expect(await handle.result()).toMatchObject({ paid: 1 });
    expect(till.taken.filter(({ destinationAddress: to }) => to === others[0]?.to)).toEqual([]);
  });

  test.concurrent('is refused above the most that is allowed, whatever a token is called', async () => {
    const { update } = await opened({ maxTotal: { USDC: '2.5' } });
    const token = '0x3600000000000000000000000000000000000000';
    await update('addLines', { part: 1, lines: [newLine({ amount: '3', token })] });
    expect(await update('seal', { parts: 1, totals: { [token]: '3' } })).toBe(
      'maxTotal.USDC: the lines come to 3, and at most 2.5 is allowed.',
    );
    expect(till.taken.filter(({ amounts }) => amounts?.[0] === '3')).toEqual([]);
  });

  test.concurrent('counts a native coin in the limit of its twin, since they are one money', async () => {
    const { update } = await opened({ maxTotal: { USDC: '2.5' } });
    const lines = [newLine({ amount: '1' }), newLine({ amount: '2', token: 'native' })];
    await update('addLines', { part: 1, lines });
    expect(await update('seal', { parts: 1, totals: { USDC: '1', native: '2' } })).toBe(
      'maxTotal.USDC: the lines come to 3, and at most 2.5 is allowed.',
    );
  });

  test.concurrent('is refused where two parts have a line of one id, until one is mended', async () => {
    const { update, handle } = await opened();
    const line = newLine({ amount: '1' });
    await update('addLines', { part: 1, lines: [line] });
    const same = { ...newLine({ amount: '2' }), lineId: line.lineId };
    await update('addLines', { part: 2, lines: [same] });
    const seal = { parts: 2, totals: { USDC: '3' } };
    expect(await update('seal', seal)).toBe(
      `lineId: "${line.lineId}" has two lines, in parts 1 and 2. Give each line an id of its own, ` +
        `and hand the corrected part over. ${again}`,
    );
    await update('addLines', { part: 2, lines: [{ ...same, lineId: `${line.lineId}-b` }] });
    expect(await update('seal', seal)).toBe('{"warnings":[]}');
    expect(await handle.result()).toMatchObject({ lines: 2, paid: 2 });
  });

  test.concurrent('warns of two lines alike but for their ids, and is refused where it is strict', async () => {
    const [one, two] = usdcLines('1', '1');
    const lines = [one, { ...two, to: one?.to }];
    const to = getAddress(one?.to ?? '0x');
    const words = `${two?.lineId}\\" pays 1 USDC to ${to}, as \\"${one?.lineId}\\" does`;
    const sealed = { parts: 1, totals: { USDC: '2' } };
    const loose = await opened();
    await loose.update('addLines', { part: 1, lines });
    expect(await loose.update('seal', sealed)).toContain(words);
    const strict = await opened({ strict: true });
    await strict.update('addLines', { part: 1, lines });
    expect(await strict.update('seal', sealed)).toContain(`as "${one?.lineId}" does. (twice)`);
    expect((await loose.handle.result()).warnings).toHaveLength(1);
  });

  test.concurrent('counts the native coin and its twin as one money, with the fees', async () => {
    const own = openTill({ wallets: 1 });
    own.settings.held = '5';
    const { steadfast } = await serve(own.custody);
    const both = [newLine({ amount: '3' }), newLine({ amount: '2.5', token: 'native' })];
    await expect(steadfast.payout(payoutOf(own.wallets), both)).rejects.toThrow(
      'holds 5 USDC, and its lines need 5.5002 of USDC and native together, with its reserve',
    );
    await expect(steadfast.payout(payoutOf(own.wallets), usdcLines('5'))).rejects.toThrow(
      'and its lines need 5.0001 of USDC and native together, with its reserve and its fees.',
    );
    own.settings.held = '5.6';
    const { receipt } = await steadfast.payout(payoutOf(own.wallets), both);
    expect(await receipt()).toMatchObject({ paid: 2 });
  });

  test.concurrent('waits out a fault that passes by itself, longer than a call is repeated', async () => {
    const own = openTill({ wallets: 1 });
    const backAtMs = Date.now() + 15_000;
    const { steadfast } = await serve(
      failingWhile(own, () => (Date.now() < backAtMs ? down : undefined)),
    );
    const { receipt } = await steadfast.payout(payoutOf(own.wallets), usdcLines('3'));
    expect(await receipt()).toMatchObject({ paid: 1 });
  });

  test.concurrent('shows what a person has to mend, and is accepted once that is mended', async () => {
    const own = openTill({ wallets: 1 });
    let isMended = false;
    const refused = new RefusedError('Invalid credentials.', { status: 401, code: 401 });
    const served = await serve(failingWhile(own, () => (isMended ? undefined : refused)));
    const order = payoutOf(own.wallets);
    const paying = served.steadfast.payout(order, usdcLines('3'));
    const id = `payout:${order.payoutId}`;
    while (!(await isThere(served, id))) await sleep(50);
    await served.progress(id, ({ status }) => status === 'NeedsOperator');
    isMended = true;
    expect(await (await paying).receipt()).toMatchObject({ paid: 1 });
  });

  test.concurrent('that waits for the service ends with the cancellation of its payout', async () => {
    const own = openTill({ wallets: 1 });
    const served = await serve(failingWhile(own, () => down));
    const order = payoutOf(own.wallets, { lines: usdcLines('3') });
    const { workflowId } = await served.steadfast.start(
      'payout',
      `payout:${order.payoutId}`,
      order,
    );
    await served.progress(workflowId, ({ waitingFor }) => waitingFor.includes('is down'));
    await served.steadfast.cancel(workflowId, 'the service is down');
    const ended = served.client.workflow.getHandle(workflowId).result();
    await expect(ended).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(own.taken).toEqual([]);
  });

  test.concurrent('is refused where a wallet holds too little, and accepted once it is funded', async () => {
    const own = openTill({ wallets: 1 });
    own.settings.held = '5';
    const { steadfast } = await serve(own.custody);
    const lines = usdcLines('3', '1');
    const order = payoutOf(own.wallets, { reservePerWallet: '1.5' });
    await expect(steadfast.payout(order, lines)).rejects.toThrow(
      'need 5.5002 of USDC and native together, with its reserve and its fees. Fund it. Then seal it',
    );
    expect(own.taken).toEqual([]);
    own.settings.held = '6';
    const { receipt } = await steadfast.payout(order, lines);
    expect(await receipt()).toMatchObject({ paid: 2 });
  });
});

test('a seal waits for the parts of an earlier run, and pays none that it does not cover', async () => {
  const own = openTill();
  const served = await serve(own.custody);
  const order = payoutOf(own.wallets);
  const wrong = await openedPayout(served, order);
  const lines = usdcLines(...Array<string>(40).fill('1'));
  const added = lines.map((line, at) => wrong.update('addLines', { part: at + 1, lines: [line] }));
  await Promise.all(added);
  await wrong.handle.terminate('a wrong file');
  const { update, workflowId } = await openedPayout(served, order);
  await update('addLines', { part: 1, lines: lines.slice(0, 1) });
  const way =
    'Hand over the lines of then. An earlier run of this payout may have paid lines of it. With ' +
    'the same lines, none of them is paid again. Under another id they would be.';
  expect(await update('seal', { parts: 1, totals: { USDC: '1' } })).toBe(
    `parts: is 1, and 40 were handed over. ${way}`,
  );
  const { progress } = await served.steadfast.status(workflowId);
  expect(progress?.payout).toMatchObject({ parts: 40, sealed: false, mayHavePaid: true });
  expect(own.taken).toEqual([]);
});
