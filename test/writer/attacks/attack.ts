import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { limitOf, payee } from '../writer';

/** The wallets that are attacked, one that may deploy, and the service without a policy. */
type Place = { wallet: Wallet; smart: Wallet; deployer: Wallet; client: CustodyApi };
export type Attack = readonly [
  what: string,
  words: RegExp,
  attack: (api: CustodyApi, place: Place) => Promise<unknown>,
];

/** The rules of the writer that is attacked. The deployer may spend little on fees. */
export function rulesOf({ wallet, smart, deployer }: Omit<Place, 'client'>): object[] {
  const own = { kind: 'limit', wallets: [deployer.id], to: [payee], maxFeePerWindow: '0.02' };
  return [
    limitOf(wallet, { wallets: [wallet.id, smart.id] }),
    { ...own, id: 'deployments', orders: ['deployContract'] },
    { ...own, id: 'fees', orders: ['transferStablecoin'], tokens: ['USDC'], perTransfer: '1' },
  ];
}
