import { createPublicKey, verify } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createFundedWallet, settled, transferOf } from '../../../support/sandbox';
import { type Receiver, startReceiver } from '../../../support/service/receiver';
import type { Given } from '../subject/subject';

export function describeNotifications(given: Given): void {
  given.describeFunded('webhooks', () => {
    let receiver: Receiver;
    let wallet: Wallet;
    beforeAll(async () => {
      receiver = await startReceiver();
      wallet = await createFundedWallet(given.subject().api, 'EOA');
    });
    afterAll(() => receiver.stop());

    it('creates a subscription, lists it, changes it and deletes it', async () => {
      const { api } = given.subject();
      const { endpoint } = receiver;
      const created = await api.createSubscription({ endpoint });
      const { id } = created;
      expect(created).toMatchObject({ endpoint, enabled: true, notificationTypes: ['*'] });
      expect(created.restricted).toBe(false);
      expect(await api.getSubscription({ id })).toEqual(created);
      expect(await api.listSubscriptions({})).toContainEqual(created);
      const changed = await api.updateSubscription({ id, name: 'Till', enabled: false });
      expect(changed).toMatchObject({ id, name: 'Till', enabled: false });
      await api.deleteSubscription({ id });
      expect(await api.listSubscriptions({})).toEqual([]);
    });

    it('restricts a subscription to the types that it names', async () => {
      const { api } = given.subject();
      const notificationTypes = ['transactions.inbound', 'contracts.*'] as const;
      const { endpoint } = receiver;
      const input = { endpoint, notificationTypes: [...notificationTypes] };
      const created = await api.createSubscription(input);
      expect(created).toMatchObject({ notificationTypes, restricted: true });
      await api.deleteSubscription({ id: created.id });
    });

    it('sends a notice of a transfer, signed with a key that can be looked up', async () => {
      const { api } = given.subject();
      const { endpoint } = receiver;
      const { id: subscriptionId } = await api.createSubscription({ endpoint });
      const { id } = await api.createTransfer(transferOf(wallet, wallet.address));
      await settled(api, id);
      await receiver.waitFor(4, 'transactions.outbound');
      await receiver.waitFor(2, 'transactions.inbound');
      const states = receiver.told('transactions.outbound').map(({ notification }) => notification);
      expect(states.map(({ state }) => state).sort()).toEqual([
        'COMPLETE',
        'CONFIRMED',
        'QUEUED',
        'SENT',
      ]);
      expect(states.map((one) => one.id)).toEqual([id, id, id, id]);
      for (const { headers, body } of receiver.received) {
        const keyId = String(headers['x-circle-key-id']);
        const { algorithm, publicKey } = await api.getNotificationSignature({ id: keyId });
        expect(algorithm).toBe('ECDSA_SHA_256');
        const der = Buffer.from(publicKey, 'base64');
        const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
        const signature = Buffer.from(String(headers['x-circle-signature']), 'base64');
        expect(verify('sha256', Buffer.from(body), key, signature)).toBe(true);
        expect(verify('sha256', Buffer.from(`${body} `), key, signature)).toBe(false);
      }
      await api.deleteSubscription({ id: subscriptionId });
    });
  });
}
