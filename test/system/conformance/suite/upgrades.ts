import { randomUUID } from 'node:crypto';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createWallet, settled } from '../../../support/sandbox';
import { type Given, rigOf } from '../subject/subject';

const newScaCore = 'circle_6900_singleowner_v2';

export function describeUpgrades(given: Given): void {
  const describeWhereThereIsOne = given.lacks.includes('upgradeWallet')
    ? describe.skip
    : given.describeFunded;
  describeWhereThereIsOne('an upgrade of a wallet', () => {
    const upgrade = ({ id: walletId }: Wallet) =>
      given.subject().api.upgradeWallet({
        ...({ idempotencyKey: randomUUID(), walletId, newScaCore, feeLevel: 'MEDIUM' } as const),
      });

    it('is refused for a newer core, as every new wallet on this chain has', async () => {
      const { api } = given.subject();
      const wallet = await createWallet(api, 'SCA');
      await expect(upgrade(wallet)).rejects.toMatchObject({ status: 400, code: 155510 });
    });

    it('changes the core of an older wallet once it is COMPLETE', async () => {
      const { api } = given.subject();
      const { change } = rigOf(given);
      await change({ scaCore: 'circle_6900_singleowner_v1' });
      const wallet = await createWallet(api, 'SCA');
      await change({ scaCore: 'circle_6900_singleowner_v3' });
      const { id } = await upgrade(wallet);
      expect(await settled(api, id)).toMatchObject({ state: 'COMPLETE' });
      expect((await api.getWallet({ id: wallet.id })).wallet).toMatchObject({
        address: wallet.address,
        scaCore: newScaCore,
      });
    });
  });
}
