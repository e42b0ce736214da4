import { importOf, monitorOf } from '../../support/chain/bytecode';
import { inSandbox, usdc } from '../../support/sandbox';
import { startReceiver } from '../../support/service/receiver';

const sandbox = inSandbox();

it('tells of each log of a monitored event once, as the list of event logs has it', async () => {
  const { client } = sandbox;
  const wallet = await sandbox.fundedWallet('SCA');
  await client.importContract(importOf(usdc));
  await client.createEventMonitor(monitorOf(usdc));
  const receiver = await startReceiver();
  const { endpoint } = receiver;
  await client.createSubscription({ endpoint, notificationTypes: ['contracts.eventLog'] });

  const { txHash } = await sandbox.pay(wallet, wallet.address);
  const [told] = await receiver.waitFor(1, 'contracts.eventLog');
  const { eventLogs } = await client.listEventLogs({ contractAddress: usdc });

  expect(eventLogs).toMatchObject([told?.notification]);
  expect(told?.notification).toMatchObject({
    txHash,
    eventSignature: 'Transfer(address,address,uint256)',
    userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  const onChain = await sandbox.transfers({ from: wallet.address });
  expect(onChain.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect(
    receiver
      .told()
      .map(({ notificationType }) => notificationType)
      .toSorted(),
  ).toEqual(['contracts.eventLog', 'webhooks.test']);
  await receiver.stop();
});
