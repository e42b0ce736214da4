import { type Hex, hexToBytes } from 'viem';
import { HDKey, hdKeyToAccount, type LocalAccount } from 'viem/accounts';

/** The sandbox's own accounts: each does one thing, so each has its own nonces. */
export type Operators = {
  /** Puts the contracts on the chain. Used by the genesis only. */
  deployer: LocalAccount;
  /** Sends the bundles of user operations. */
  bundler: LocalAccount;
  /** Owns the stablecoins and gives them, and the native coin, away. */
  faucet: LocalAccount;
  /** Signs what the paymaster pays for. Sends nothing. */
  paymasterSigner: LocalAccount;
};

/** The last account index there is, so that no wallet derived from the same seed meets these. */
const operatorAccountIndex = 0x7fff_ffff;

/** Derives the operators from the seed (16 to 64 bytes): the same seed, the same operators. */
export function deriveOperators(seed: Hex): Operators {
  const key = HDKey.fromMasterSeed(hexToBytes(seed));
  const derive = (addressIndex: number): LocalAccount =>
    hdKeyToAccount(key, { accountIndex: operatorAccountIndex, addressIndex });
  return {
    deployer: derive(0),
    bundler: derive(1),
    faucet: derive(2),
    paymasterSigner: derive(3),
  };
}
