import { ApplicationFailure } from '@temporalio/workflow';
import type { ViewCall } from '../../activities/contracts';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import { mintOf } from '../../src/orders/doing';
import type { MintReceipt } from '../../src/orders/mint';
import { settleDelayMs } from '../delays';
import { readSurely } from '../read';
import type { Run } from '../run';
import { finished } from '../show';
import { pause } from '../wait';
import { type Execution, execute } from './execute';
import { readBefore } from './readBefore';

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
  let after = before;
  const settlement = await execute(run, {
    ...minting(ordered, baseUnits(amount, decimals).toString()),
    afterwards: async () => {
      // What an earlier run has minted may be in the supply that was read before.
      const isOurs = run.carried.writes['mint/1']?.found !== true;
      const least = BigInt(before) + (isOurs ? baseUnits(amount, decimals) : 0n);
      after = await supplyOf(run, { ...number('totalSupply()'), least });
      finished(run, `supply of ${contractAddress}: ${inUnits(after, decimals)}`);
    },
  });
  return {
    ...settlement,
    contractAddress,
    to,
    amount,
    supply: { before: inUnits(before, decimals), after: inUnits(after, decimals) },
  };
}

/** How many looks at the supply go by until it is taken as it is: something may have been burnt. */
const looksUntilTaken = 5;

/**
 * The supply once it shows what was minted. The mint has settled, so nothing that is read here may
 * end the order otherwise.
 */
async function supplyOf(run: Run, wanted: ViewCall & { least: bigint }): Promise<string> {
  const { least, ...number } = wanted;
  for (let look = 1; ; look++) {
    const supply = await readSurely(run, `supply of ${number.address} after the mint`, (from) =>
      from.readNumber(number),
    );
    if (BigInt(supply) >= least || look === looksUntilTaken) return supply;
    await pause(run, settleDelayMs(look), `until the supply of ${number.address} shows the mint`);
  }
}

function minting(ordered: Mint, units: string): Execution {
  const { wallet, contractAddress, to, amount, feeLevel, after } = ordered;
  return {
    ...{ step: 'mint', after, doing: mintOf(amount, to), wallet, feeLevel },
    call: {
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters: [to, units],
    },
    effect: { kind: 'mint', contractAddress, to, baseUnits: units },
  };
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
