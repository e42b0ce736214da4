import { type Hex, hexToBytes, toHex } from 'viem';
import { HDKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { AccountAddress } from '../chain/account/accountAddress';
import { memoize } from '../chain/memoize';
import type { Store } from '../store/store';

/** The keys behind the wallets, all derived from one seed. None ever leaves the process. */
export type Keys = ReturnType<typeof createWalletKeys>;

type Place = { walletSetId: string; index: number };

/** Smart accounts of one owner differ by salt. Here each owner has one. */
export const accountSalt = 0n;

/** A derivation takes longer than a signature, so that those in use are kept. */
const keptMax = 10_000;

/** Derives m/44'/60'/<set>'/0/<wallet> from the seed. */
export function createWalletKeys(parts: {
  seed: Hex;
  store: Pick<Store, 'walletSets'>;
  accountAddress: AccountAddress;
}) {
  const { store, accountAddress } = parts;
  const root = HDKey.fromMasterSeed(hexToBytes(parts.seed));
  const setKey = memoize(keptMax, (setIndex) => root.derive(`m/44'/60'/${setIndex}'/0`));
  const account = memoize(keptMax, (place) => {
    const [setIndex = '', index = ''] = place.split('/');
    const { privateKey } = setKey(setIndex).deriveChild(Number(index));
    if (privateKey === null) throw new Error(`There is no key for ${place}.`);
    return privateKeyToAccount(toHex(privateKey));
  });
  const owner = ({ walletSetId, index }: Place): LocalAccount => {
    const set = store.walletSets.get(walletSetId);
    if (set === undefined) throw new Error(`There is no wallet set ${walletSetId}.`);
    return account(`${set.index}/${index}`);
  };
  return {
    /** The owner key of a wallet: of an EOA the account itself, of an SCA its only signer. */
    owner,
    /** The address that a wallet at this place in a set has. */
    address: (place: Place, accountType: 'SCA' | 'EOA'): Hex => {
      const { address } = owner(place);
      if (accountType === 'EOA') return address;
      return accountAddress(address, accountSalt);
    },
  };
}
