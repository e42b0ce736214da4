import { ApplicationFailure } from '@temporalio/workflow';
import type { ProvisionedWallet, ProvisionReceipt } from '../../src/orders/provision';
import { writes } from '../custody';
import type { Run } from '../run';
import { finished } from '../show';
import { settled, write } from '../write';

/** Creates a wallet set and wallets in it. */
export async function provision(
  run: Run,
  wanted: { name: string; count: number; accountType: 'SCA' | 'EOA' },
): Promise<ProvisionReceipt> {
  const { name, count, accountType } = wanted;
  const { blockchain } = run.opened;
  const setStep = { step: 'walletSet', item: '1', doing: `wallet set "${name}"` };
  const set = await write(run, setStep, (identity) =>
    writes(`create ${setStep.doing}`).createWalletSet({ ...identity, name }),
  );
  const walletSetId = set.created.id;
  settled(run, setStep);
  finished(run, `${setStep.doing} is ${walletSetId}`);

  const words = count === 1 ? `${accountType} wallet` : `${count} ${accountType} wallets`;
  const walletsStep = { step: 'wallets', item: '1', doing: words };
  const { created } = await write(run, walletsStep, (identity) =>
    writes(`create ${words}`).createWallets({
      ...identity,
      walletSetId,
      blockchain,
      count,
      accountType,
    }),
  );
  settled(run, walletsStep);
  const wallets = created.map(({ id, address }) => ({ walletId: id, address, accountType }));
  finished(run, `${words}: ${wallets.map((wallet) => wallet.address).join(', ')}`);
  Object.assign(run.carried.made, { walletSetId, wallets });
  return { walletSetId, wallets };
}

/** One of the wallets that were asked for. The service must have created as many as that. */
export function only(wallets: readonly ProvisionedWallet[], index: number): ProvisionedWallet {
  const wallet = wallets[index];
  if (wallet !== undefined) return wallet;
  throw ApplicationFailure.nonRetryable(
    `The service created ${wallets.length} wallets; at least ${index + 1} were ordered.`,
    'Failed',
  );
}
