import { hexToBytes, toHex, zeroAddress } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { createWalletKeys } from '../../../sandbox/engine/keys';
import { openStore } from '../../../sandbox/store/store';

const seed = toHex(new Uint8Array(64).fill(7));

test('keys follow from seed, wallet set and place, however often they are asked for', () => {
  const store = openStore(undefined);
  store.walletSets.insert({ id: 'set', index: 5, name: '', createdAtMs: 0 });
  const { owner } = createWalletKeys({ seed, store, accountAddress: () => zeroAddress });
  const root = HDKey.fromMasterSeed(hexToBytes(seed));
  for (const index of [0, 1, 199, 1]) {
    const { address } = hdKeyToAccount(root, { accountIndex: 5, addressIndex: index });
    expect(owner({ walletSetId: 'set', index }).address).toBe(address);
  }
  expect(() => owner({ walletSetId: 'other', index: 0 })).toThrow('no wallet set');
  store.close();
});
