import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { EventLog } from '../../../../src/custody/objects/contractEvent';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployBytecode, importOf, monitorOf } from '../../../support/chain/bytecode';
import type { Deployed } from '../../../support/chain/deployments';
import { logsOfChain } from '../../../support/chain/eventLogs';
import { deployCode, foreignToken } from '../../../support/chain/foreignToken';
import { newFolder, setUp } from '../../../support/jest/setUp';
import { blockchain, eurc, inSandbox, transferOf } from '../../../support/sandbox';

const apiKey = 'TEST_API_KEY:events:secret';
const entitySecret = '0e0e'.repeat(16);
const signature = 'Transfer(address,address,uint256)';

const sandbox = inSandbox({ dataDir: newFolder(), apiKey, entitySecret });
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));

describe('the logs of a monitored event', () => {
  it('are those of the chain from then on, each with its operation, and no others', async () => {
    const token = await deployBytecode(sandbox.client, sca);
    const other = await deployBytecode(sandbox.client, sca);
    const { eventMonitor } = await sandbox.client.createEventMonitor(monitorOf(token.address));
    await move(sca, token, 5);
    await move(sca, other, 5);
    const fromEoa = await sandbox.call(eoa, {
      to: token.address,
      signature: 'approve(address,uint256)',
      parameters: [sca.address, '1'],
    });
    const { eventLogs } = await sandbox.client.listEventLogs({ contractAddress: token.address });
    const onChain = await logsOfChain(sandbox.rpcUrl, { address: token.address, signature });
    // The first was that of the constructor, and an approval is another event.
    expect(places(eventLogs)).toEqual(onChain.slice(1));
    expect(eventLogs).toMatchObject([
      { subscriptionId: eventMonitor.id, userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ]);
    expect(fromEoa.state).toBe('COMPLETE');
  });

  it('name each the operation that has emitted it, also where a bundle carries several', async () => {
    const wallets = await Promise.all([1, 2, 3].map(() => sandbox.usedWallet()));
    const { contract } = await sandbox.client.importContract(importOf(eurc));
    const { eventMonitor } = await sandbox.client.createEventMonitor(monitorOf(eurc));
    const orders = wallets.map((from) => transferOf(from, eoa.address, { tokenAddress: eurc }));
    const accepted = await Promise.all(orders.map((one) => sandbox.client.createTransfer(one)));
    const records = await Promise.all(accepted.map(({ id }) => sandbox.settled(id)));
    const ofEoa = transferOf(eoa, sca.address, { tokenAddress: eurc });
    const last = await sandbox.settled((await sandbox.client.createTransfer(ofEoa)).id);
    await sandbox.client.deleteEventMonitor({ id: eventMonitor.id });

    const { eventLogs } = await sandbox.client.listEventLogs({ contractAddress: eurc });
    const seen = eventLogs.map(({ txHash, userOpHash }) => [txHash, userOpHash]);
    const sent = records.map(({ txHash, userOpHash }) => [txHash, userOpHash]);
    expect(seen.toSorted()).toEqual([...sent, [last.txHash, '']].toSorted());
    expect(eventLogs.every(({ contractId }) => contractId === contract.id)).toBe(true);
  });

  it('are not seen while the monitor is disabled, and are again once it is enabled', async () => {
    const token = await deployBytecode(sandbox.client, sca);
    const { eventMonitor } = await sandbox.client.createEventMonitor(monitorOf(token.address));
    const { id } = eventMonitor;
    await move(sca, token, 1);
    const off = await sandbox.client.updateEventMonitor({ id, isEnabled: false });
    expect(off.eventMonitor).toEqual({
      ...eventMonitor,
      isEnabled: false,
      updateDate: expect.any(String),
    });
    await move(sca, token, 2);
    await sandbox.client.updateEventMonitor({ id, isEnabled: true });
    await move(sca, token, 3);
    expect(await amounts(sandbox.client, token)).toEqual([3, 1]);
  });

  it('stay when the monitor is deleted, and the event can be watched again', async () => {
    const token = await deployBytecode(sandbox.client, sca);
    const first = await sandbox.client.createEventMonitor(monitorOf(token.address));
    await move(sca, token, 1);
    await sandbox.client.deleteEventMonitor({ id: first.eventMonitor.id });
    await move(sca, token, 2);
    const second = await sandbox.client.createEventMonitor(monitorOf(token.address));
    await move(sca, token, 3);
    const { eventLogs } = await sandbox.client.listEventLogs({ contractAddress: token.address });
    expect(eventLogs.map(({ subscriptionId }) => subscriptionId)).toEqual([
      second.eventMonitor.id,
      first.eventMonitor.id,
    ]);
    const { eventMonitors } = await sandbox.client.listEventMonitors({
      contractAddress: token.address,
      eventSignature: signature,
    });
    expect(eventMonitors).toEqual([second.eventMonitor]);
  });

  it('come page by page, the newest first, and none from another chain', async () => {
    const token = await deployBytecode(sandbox.client, sca);
    await sandbox.client.createEventMonitor(monitorOf(token.address));
    for (const amount of [1, 2, 3]) await move(sca, token, amount);
    const query = `contracts/events?contractAddress=${token.address}&pageSize=2`;
    const first = await sandbox.request('GET', query);
    const logs = (first.body as { data: { eventLogs: EventLog[] } }).data.eventLogs;
    expect(logs.map(({ data }) => Number(data))).toEqual([3, 2]);
    expect(first.headers.get('link')).toContain('rel="next"');
    const next = await sandbox.client.listEventLogs({
      contractAddress: token.address,
      pageAfter: logs[1]?.id,
    });
    expect(next.eventLogs.map(({ data }) => Number(data))).toEqual([1]);
    const elsewhere = { contractAddress: token.address, blockchain: 'BASE-SEPOLIA' };
    expect((await sandbox.client.listEventLogs(elsewhere)).eventLogs).toEqual([]);
    expect((await sandbox.client.listEventMonitors(elsewhere)).eventMonitors).toEqual([]);
  });

  it('go on where they were after a restart, with those of before', async () => {
    const token = await deployBytecode(sandbox.client, sca);
    await sandbox.client.createEventMonitor(monitorOf(token.address));
    await move(sca, token, 1);
    await sandbox.restart();
    await move(sca, token, 2);
    const { eventLogs } = await sandbox.client.listEventLogs({ contractAddress: token.address });
    const onChain = await logsOfChain(sandbox.rpcUrl, { address: token.address, signature });
    expect(places(eventLogs)).toEqual(onChain.slice(1));
  });
});

describe('a monitor', () => {
  let token: Deployed;
  beforeAll(async () => {
    token = await deployBytecode(sandbox.client, sca);
    await sandbox.client.createEventMonitor(monitorOf(token.address));
  });

  it('of an event that is watched already is refused, but for the same key', async () => {
    const order = monitorOf(token.address, { eventSignature: 'Approval(address,address,uint256)' });
    const answers = [
      await sandbox.request('POST', 'contracts/monitors', { body: order }),
      await sandbox.request('POST', 'contracts/monitors', { body: order }),
      await sandbox.request('POST', 'contracts/monitors', {
        body: { ...order, idempotencyKey: randomUUID() },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 409]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[2]?.body).toEqual({
      code: 175302,
      message: 'event subscription already exists',
    });
  });

  it.each<[string, object, number, object]>([
    [
      'a contract without a record',
      { contractAddress: eurc.replace('2a', '2b').toLowerCase() },
      404,
      { code: 175001, message: 'contract not found' },
    ],
    ['no address', { contractAddress: '0x1' }, 400, { code: 175410 }],
    [
      'an event that the contract lacks',
      { eventSignature: 'Mood(uint8)' },
      400,
      { code: 175303, message: 'the specified event signature does not exist: Mood(uint8)' },
    ],
    [
      'a signature with spaces and names',
      { eventSignature: 'Transfer(address indexed from, address indexed to, uint256 value)' },
      400,
      { code: 175303 },
    ],
    [
      'a type by its short name',
      { eventSignature: 'Transfer(address,address,uint)' },
      400,
      { code: 175303 },
    ],
    ['what is no signature', { eventSignature: 'Transfer' }, 400, { code: 175303 }],
    ['another chain', { blockchain: 'ETH-SEPOLIA' }, 400, { code: 175402 }],
  ])('is refused for %s', async (_what, change, status, refusal) => {
    const body = monitorOf(token.address, change);
    const answer = await sandbox.request('POST', 'contracts/monitors', { body });
    expect(answer).toMatchObject({ status, body: refusal });
  });

  it('that is not there, or no longer, is neither changed nor deleted', async () => {
    const { client } = sandbox;
    const order = monitorOf(token.address, {
      eventSignature: 'Approval(address,address,uint256)',
      contractAddress: (await deployBytecode(client, sca)).address,
    });
    const { eventMonitor } = await client.createEventMonitor(order);
    await client.deleteEventMonitor({ id: eventMonitor.id });
    for (const id of [eventMonitor.id, randomUUID()]) {
      const url = `contracts/monitors/${id}`;
      const answers = [
        await sandbox.request('PUT', url, { body: { isEnabled: true } }),
        await sandbox.request('DELETE', url),
      ];
      const refused = {
        status: 404,
        body: { code: 175301, message: 'event subscription not found' },
      };
      expect(answers).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
    }
  });

  it('of a contract whose interface nobody knows takes any event', async () => {
    const stranger = await deployCode(sandbox.client, sca, foreignToken(3n));
    await sandbox.client.importContract(importOf(stranger));
    const { eventMonitor } = await sandbox.client.createEventMonitor(monitorOf(stranger));
    expect(eventMonitor.isEnabled).toBe(true);
    const call = { to: stranger, signature: 'mintTo(address)', parameters: [eoa.address] };
    const { txHash } = await sandbox.call(sca, call);
    const { eventLogs } = await sandbox.client.listEventLogs({ contractAddress: stranger });
    expect(eventLogs.map((one) => one.txHash)).toEqual([txHash]);
  });
});

function move(from: Wallet, { address }: Deployed, amount: number) {
  const parameters = [eoa.address, String(amount)];
  return sandbox.call(from, { to: address, signature: 'transfer(address,uint256)', parameters });
}

/** The movements in a token's logs, the newest first. */
async function amounts(client: CustodyApi, { address }: Deployed): Promise<number[]> {
  const { eventLogs } = await client.listEventLogs({ contractAddress: address, blockchain });
  return eventLogs.map(({ data }) => Number(data));
}

/** The places of the logs on the chain, in its order. */
function places(logs: readonly EventLog[]) {
  return logs
    .map(({ txHash, blockHash, blockHeight, logIndex, topics, data }) => ({
      txHash,
      blockHash,
      blockHeight,
      logIndex: Number(logIndex),
      topics,
      data,
    }))
    .toReversed();
}
