import { ApplicationFailure } from '@temporalio/workflow';
import type { Created, CreatedWallets } from '../../activities/wallets';
import { walletSetOf, walletsOf } from '../../src/orders/progress/doing';
import type { ProvisionedWallet, ProvisionReceipt } from '../../src/orders/provision';
import { sends } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { noteDone } from '../order/show';
import type { Step } from '../write/step';
import { noteOver, write } from '../write/write';

type Wanted = { name: string; count: number; accountType: 'SCA' | 'EOA' };

/** Creates a wallet set and wallets in it. */
export async function provision(live: LiveOrder, wanted: Wanted): Promise<ProvisionReceipt> {
  const { accountType } = wanted;
  const setStep = walletSetStep(wanted);
  const set = await write(live, setStep);
  const walletSetId = set.created.id;
  noteOver(live, setStep);
  noteDone(live, `${setStep.doing} is ${walletSetId}`);

  const walletsStep = walletsStepIn(live, walletSetId, wanted);
  const { created } = await write(live, walletsStep);
  noteOver(live, walletsStep);
  const wallets = created.map(({ id, address }) => ({ walletId: id, address, accountType }));
  noteDone(live, `${walletsStep.doing}: ${wallets.map((wallet) => wallet.address).join(', ')}`);
  Object.assign(live.carried.made, { walletSetId, wallets });
  return { walletSetId, wallets };
}

function walletSetStep({ name }: Wanted): Step<Created<{ id: string }>> {
  const doing = walletSetOf(name);
  return {
    step: 'walletSet',
    item: '1',
    doing,
    send: (identity) => sends(`create ${doing}`).createWalletSet({ ...identity, name }),
    find: (service, search) => service.findWalletSet(search),
  };
}

function walletsStepIn(
  live: LiveOrder,
  walletSetId: string,
  { count, accountType }: Wanted,
): Step<CreatedWallets> {
  const { blockchain } = live.opened;
  const doing = walletsOf(count, accountType);
  const input = { walletSetId, blockchains: [blockchain], count, accountType };
  return {
    step: 'wallets',
    item: '1',
    doing,
    send: (identity) => sends(`create ${doing}`).createWallets({ ...identity, input }),
    find: (service, search) => service.findWallets({ ...search, walletSetId, count }),
  };
}

/** One of the requested wallets. The service must have created at least that many. */
export function only(wallets: readonly ProvisionedWallet[], index: number): ProvisionedWallet {
  const wallet = wallets[index];
  if (wallet !== undefined) return wallet;
  throw ApplicationFailure.nonRetryable(
    `The service created ${wallets.length} wallets, but at least ${index + 1} were ordered.`,
    'Failed',
  );
}
