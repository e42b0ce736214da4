import type { EventMonitor } from '../../../../src/custody/objects/contractEvent';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployBytecode, monitorOf } from '../../../support/chain/bytecode';
import type { Deployed } from '../../../support/chain/deployments';
import { blockchain, callOf, createFundedWallet, settled } from '../../../support/sandbox';
import type { Given } from '../subject/subject';

const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const microseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const transferHash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export function describeEvents(given: Given): void {
  given.describeFunded('events of contracts', () => {
    let wallet: Wallet;
    let token: Deployed;
    let monitor: EventMonitor;
    beforeAll(async () => {
      const { api } = given.subject();
      wallet = await createFundedWallet(api);
      token = await deployBytecode(api, wallet, { name: 'Watched' });
    });

    it('are watched by a monitor', async () => {
      const { api } = given.subject();
      monitor = (await api.createEventMonitor(monitorOf(token.address))).eventMonitor;
      expect(monitor).toEqual({
        id: monitor.id,
        contractId: token.contractId,
        contractName: 'Watched',
        contractAddress: token.address,
        blockchain,
        eventSignature: 'Transfer(address,address,uint256)',
        eventSignatureHash: transferHash,
        isEnabled: true,
        createDate: microseconds,
        updateDate: microseconds,
      });
      const listed = await api.listEventMonitors({ contractAddress: token.address, blockchain });
      expect(listed.eventMonitors).toEqual([monitor]);
    });

    it('are recorded with all fields of the chain', async () => {
      const { api } = given.subject();
      const { id } = await api.executeContract(
        callOf(wallet, { to: token.address, signature: 'burn(uint256)', parameters: ['1'] }),
      );
      const { txHash, blockHash, blockHeight, userOpHash } = await settled(api, id);
      const { eventLogs } = await api.listEventLogs({
        contractAddress: token.address,
        blockchain,
      });
      expect(eventLogs).toEqual([
        expect.objectContaining({
          txHash,
          blockHash,
          blockHeight,
          userOpHash,
          subscriptionId: monitor.id,
          contractId: token.contractId,
          contractAddress: token.address,
          eventSignature: 'Transfer(address,address,uint256)',
          eventSignatureHash: transferHash,
          logIndex: expect.stringMatching(/^\d+$/),
          topics: [transferHash, hash, `0x${'0'.repeat(64)}`],
          data: `0x${'0'.repeat(63)}1`,
        }),
      ]);
    });

    it('are no longer watched once their monitor is disabled or deleted', async () => {
      const { api } = given.subject();
      const off = await api.updateEventMonitor({ id: monitor.id, isEnabled: false });
      expect(off.eventMonitor.isEnabled).toBe(false);
      await api.deleteEventMonitor({ id: monitor.id });
      const listed = await api.listEventMonitors({ contractAddress: token.address });
      expect(listed.eventMonitors).toEqual([]);
    });
  });
}
