import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { Office, SignedAttack } from '../signedOrders';
import { approvalAttacks } from './approvalAttacks';
import { batchAttacks } from './batchAttacks';
import { lineAttacks } from './lineAttacks';
import { requestAttacks } from './requestAttacks';

/** Attacks a writer with the policy of an office. The chain shows that nothing has left. */
export function testSignedAttacks(office: Office, apiOf: () => CustodyApi): void {
  const refuses =
    (next: 'stop' | 'operator') =>
    async (...[, words, attack]: SignedAttack): Promise<void> => {
      const before = await office.paid();
      const message = expect.stringContaining(words);
      await expect(attack(office, apiOf())).rejects.toMatchObject({ next, message });
      expect(await office.paid()).toEqual(before);
    };

  describe('an order is not paid', () => {
    it.each(requestAttacks)('%s', refuses('stop'));
  });
  describe('an order waits for people', () => {
    it.each(approvalAttacks)('%s', refuses('operator'));
  });
  describe('a line of a payout is not paid', () => {
    it.each(lineAttacks)('%s', refuses('stop'));
  });
  describe('a batch of lines is not paid', () => {
    it.each(batchAttacks)('%s', refuses('stop'));
  });
}
