import { ApplicationFailure } from '@temporalio/workflow';
import type { Created, CreatedWallets } from '../../activities/wallets';
import { walletSetOf, walletsOf } from '../../src/orders/doing';
import type { ProvisionedWallet, ProvisionReceipt } from '../../src/orders/provision';
import { writes } from '../custody';
import type { Run } from '../run';
import { finished } from '../show';
import { type Step, settled, write } from '../write';

export type Wanted = { name: string; count: number; accountType: 'SCA' | 'EOA' };

/** Creates a wallet set and wallets in it. */
export async function provision(run: Run, wanted: Wanted): Promise<ProvisionReceipt> {
  const { accountType } = wanted;
  const setStep = walletSetStep(wanted);
  const set = await write(run, setStep);
  const walletSetId = set.created.id;
  settled(run, setStep);
  finished(run, `${setStep.doing} is ${walletSetId}`);

  const walletsStep = walletsStepIn(run, walletSetId, wanted);
  const { created } = await write(run, walletsStep);
  settled(run, walletsStep);
  const wallets = created.map(({ id, address }) => ({ walletId: id, address, accountType }));
  finished(run, `${walletsStep.doing}: ${wallets.map((wallet) => wallet.address).join(', ')}`);
  Object.assign(run.carried.made, { walletSetId, wallets });
  return { walletSetId, wallets };
}

function walletSetStep({ name }: Wanted): Step<Created<{ id: string }>> {
  const doing = walletSetOf(name);
  return {
    step: 'walletSet',
    item: '1',
    doing,
    send: (identity) => writes(`create ${doing}`).createWalletSet({ ...identity, name }),
    find: (service, search) => service.findWalletSet(search),
  };
}

function walletsStepIn(
  run: Run,
  walletSetId: string,
  { count, accountType }: Wanted,
): Step<CreatedWallets> {
  const { blockchain } = run.opened;
  const doing = walletsOf(count, accountType);
  const wanted = { walletSetId, blockchain, count, accountType };
  return {
    step: 'wallets',
    item: '1',
    after: 'walletSet/1',
    doing,
    send: (identity) => writes(`create ${doing}`).createWallets({ ...identity, ...wanted }),
    find: (service, search) => service.findWallets({ ...search, walletSetId, count }),
  };
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
