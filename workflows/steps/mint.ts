import { ApplicationFailure } from '@temporalio/workflow';
import type { Accepted } from '../../activities/transactions';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import type { MintReceipt } from '../../src/orders/mint';
import { writes } from '../custody';
import { read, readSurely } from '../read';
import type { Run } from '../run';
import { settle, type Transacting } from '../settle';
import { finished } from '../show';
import { once, settled, write } from '../write';

export type Mint = {
  wallet: { walletId: string; address: string };
  contractAddress: string;
  to: string;
  /** In the token's own units. */
  amount: string;
  feeLevel: FeeLevel;
  /** The write that deployed the contract, where this order has done so. */
  after?: string | undefined;
};

/**
 * Mints an amount of a fungible token, and returns once it has settled, with the supply it led to.
 */
export async function mint(run: Run, ordered: Mint): Promise<MintReceipt> {
  const { contractAddress, to, amount } = ordered;
  const { blockchain } = run.opened;
  const number = (signature: string) => ({ address: contractAddress, blockchain, signature });
  const decimals = Number(await readBefore(run, number('decimals()')));
  const before = await readBefore(run, number('totalSupply()'));
  const minting = mintStep(run, ordered, baseUnits(amount, decimals).toString());
  const accepted = await write(run, minting);
  finished(run, `${minting.doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(run, minting, accepted);
  run.carried.made.mintTxHash = settlement.txHash;
  // The mint has settled, so nothing that this read meets may end the order otherwise.
  const after = await readSurely(run, `supply of ${contractAddress} after the mint`, (from) =>
    from.readNumber(number('totalSupply()')),
  );
  settled(run, minting);
  return {
    ...settlement,
    contractAddress,
    to,
    amount,
    supply: { before: inUnits(before, decimals), after: inUnits(after, decimals) },
  };
}

function mintStep(run: Run, ordered: Mint, units: string): Transacting<Accepted> {
  const { wallet, contractAddress, to, amount, feeLevel, after } = ordered;
  const { blockchain } = run.opened;
  const doing = `mint of ${amount} to ${to}`;
  const call = {
    contractAddress,
    abiFunctionSignature: 'mintTo(address,uint256)',
    abiParameters: [to, units],
  };
  const { walletId } = wallet;
  return {
    step: 'mint',
    item: '1',
    after,
    doing,
    send: (identity) =>
      writes(`request the ${doing}`).executeContract({ ...identity, walletId, ...call, feeLevel }),
    find: (service, search) =>
      service.findTransaction({ ...search, walletId, operation: 'CONTRACT_EXECUTION' }),
    expected: { blockchain, walletId, ...call },
    sender: wallet.address,
    effect: { kind: 'mint', contractAddress, to, baseUnits: units },
  };
}

/** Adds the initial supply to a deployment, where the order asks for one. */
export async function mintSupply(
  run: Run,
  deployed: DeployReceipt,
  ordered: {
    wallet: { walletId: string; address: string };
    mint?: { to?: string | undefined; amount: string } | undefined;
    feeLevel: FeeLevel;
  },
): Promise<DeployReceipt> {
  const { wallet, feeLevel } = ordered;
  if (ordered.mint === undefined) return deployed;
  const { amount, to = wallet.address } = ordered.mint;
  const { contractAddress } = deployed;
  const minted = await mint(run, {
    ...{ wallet, contractAddress, to, amount, feeLevel },
    after: 'deploy/1',
  });
  return { ...deployed, supply: { ...minted.supply, mintTxHash: minted.txHash } };
}

/** Read once, before the mint, so that a continued run goes on with the same. */
async function readBefore(
  run: Run,
  number: { address: string; blockchain: string; signature: string },
): Promise<string> {
  const { address, signature } = number;
  return once(run, `${address} ${signature}`, () =>
    read(run, `${signature} of ${address}`, (from) => from.readNumber(number)),
  );
}

function inUnits(baseUnits: string, decimals: number): string {
  return fromBaseUnits(BigInt(baseUnits), decimals);
}

function baseUnits(amount: string, decimals: number): bigint {
  try {
    return toBaseUnits(amount, decimals);
  } catch (error) {
    const message = `amount: ${error instanceof Error ? error.message : error}`;
    throw ApplicationFailure.nonRetryable(message, 'Refused');
  }
}
