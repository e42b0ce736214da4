import { ApplicationFailure } from '@temporalio/workflow';
import type { ViewCall } from '../../activities/contracts';
import type { Effect } from '../../src/chain/effect';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { templateIds } from '../../src/custody/objects/template';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { DeployReceipt, InitialMint } from '../../src/orders/deploy';
import type { Settlement } from '../../src/orders/input/settlement';
import type { ContractCall, ResolvedWallet } from '../../src/orders/kind';
import type { MintReceipt } from '../../src/orders/mint';
import { itemMintOf, mintOf } from '../../src/orders/progress/doing';
import type { LiveOrder } from '../order/liveOrder';
import { read, readAfterwards } from '../order/read';
import { noteDone } from '../order/show';
import { once } from '../write/once';
import { execute } from './execute';

type Minter = { wallet: ResolvedWallet; feeLevel: FeeLevel };

/** A mint of a fungible token. The amount is in the token's own units. */
export type Mint = Minter & { contractAddress: string; to: string; amount: string };

/** Adds the initial supply to a deployment, if the order has one. */
export async function mintSupply(
  live: LiveOrder,
  deployed: DeployReceipt,
  ordered: Minter & { template: string; mint?: InitialMint | undefined },
): Promise<DeployReceipt> {
  const { wallet, template, feeLevel } = ordered;
  if (ordered.mint === undefined) return deployed;
  const { to = wallet.address, amount = '1', uri = '' } = ordered.mint;
  const minting = { wallet, contractAddress: deployed.contractAddress, to, amount, feeLevel };
  const isUnique = template === templateIds.uniqueItem;
  if (isUnique || template === templateIds.multiToken) {
    return { ...deployed, supply: await mintItem(live, { ...minting, uri, isUnique }) };
  }
  const minted = await mint(live, minting);
  return { ...deployed, supply: { ...minted.supply, mintTxHash: minted.txHash } };
}

/** Mints an amount of a fungible token. Returns the supply once the mint has settled. */
export async function mint(live: LiveOrder, ordered: Mint): Promise<MintReceipt> {
  const { contractAddress, to, amount } = ordered;
  const decimals = Number(await readOnce(live, contractAddress, { signature: 'decimals()' }));
  const units = baseUnits(amount, decimals);
  const minted = await mintAndCount(live, ordered, {
    doing: mintOf(amount, to),
    supply: { signature: 'totalSupply()' },
    units,
    abiFunctionSignature: 'mintTo(address,uint256)',
    abiParameters: [to, `${units}`],
    effect: { kind: 'mint', contractAddress, to, baseUnits: `${units}`, decimals },
  });
  const [before, after] = [minted.before, minted.after].map((supply) =>
    fromBaseUnits(BigInt(supply), decimals),
  );
  noteDone(live, `supply of ${contractAddress}: ${after}`);
  const supply = { before: `${before}`, after: `${after}` };
  return { ...minted.settlement, contractAddress, to, amount, supply };
}

/** A multi-token contract's number for "a new token". */
const newToken = (2n ** 256n - 1n).toString();

/** Mints a unique item, or an amount of a new token. Returns the item's number and the supply. */
async function mintItem(live: LiveOrder, ordered: Mint & { uri: string; isUnique: boolean }) {
  const { contractAddress, to, uri, isUnique, amount } = ordered;
  const next = { signature: 'nextTokenIdToMint()' };
  const tokenId = await readOnce(live, contractAddress, next);
  const minting = isUnique
    ? {
        doing: itemMintOf(undefined, to),
        supply: { signature: 'totalSupply()' },
        units: 1n,
        abiFunctionSignature: 'mintTo(address,string)',
        abiParameters: [to, uri],
      }
    : {
        doing: itemMintOf(amount, to),
        supply: { signature: 'totalSupply(uint256)', parameters: [tokenId] },
        units: BigInt(amount),
        abiFunctionSignature: 'mintTo(address,uint256,string,uint256)',
        abiParameters: [to, newToken, uri, amount],
      };
  const { before, after, settlement } = await mintAndCount(live, ordered, minting);
  const supply = { before, after, mintTxHash: settlement.txHash };
  // The number that was read before may be the next one, if an earlier run has minted.
  return isMintFound(live) ? supply : { ...supply, tokenId };
}

/** A mint as the contract has it: the call, the supply that shows it, and how much it adds. */
type Minting = Pick<ContractCall, 'abiFunctionSignature' | 'abiParameters'> & {
  doing: string;
  supply: Question;
  units: bigint;
  effect?: Effect;
};
type Question = Pick<ViewCall, 'signature' | 'parameters'>;

async function mintAndCount(
  live: LiveOrder,
  { wallet, contractAddress, feeLevel }: Mint,
  { doing, supply, units, effect, ...call }: Minting,
): Promise<{ settlement: Settlement; before: string; after: string }> {
  const before = await readOnce(live, contractAddress, supply);
  let after = before;
  const settlement = await execute(live, {
    step: 'mint',
    doing,
    wallet,
    feeLevel,
    call: { contractAddress, ...call },
    ...(effect === undefined ? {} : { effect }),
    afterwards: async () => {
      // The supply that was read before may include the mint of an earlier run.
      const least = BigInt(before) + (isMintFound(live) ? 0n : units);
      after = await supplyOf(live, contractAddress, { ...supply, least });
    },
  });
  return { settlement, before, after };
}

/** True if the mint was found in the service's list: then an earlier run has sent it. */
function isMintFound(live: LiveOrder): boolean {
  return live.carried.writes['mint/1']?.isFound === true;
}

/** Reads a number of a contract once, so that a continued run uses the same number. */
async function readOnce(live: LiveOrder, address: string, question: Question): Promise<string> {
  const { signature, parameters = [] } = question;
  const { blockchain } = live.opened;
  return once(live, [address, signature, ...parameters].join(' '), () =>
    read(live, `${signature} of ${address}`, (from) =>
      from.readNumber({ address, blockchain, ...question }),
    ),
  );
}

/**
 * The supply once it shows the mint, or as it is: something may have been burnt. Without any answer
 * it is the supply that the mint has made.
 */
async function supplyOf(
  live: LiveOrder,
  address: string,
  { least, ...question }: Question & { least: bigint },
): Promise<string> {
  const { blockchain } = live.opened;
  const { last } = await readAfterwards(live, {
    summary: `supply of ${address} after the mint`,
    call: (from) => from.readNumber({ address, blockchain, ...question }),
    isShown: (supply) => BigInt(supply) >= least,
    wait: `until the supply of ${address} shows the mint`,
  });
  return last ?? `${least}`;
}

function baseUnits(amount: string, decimals: number): bigint {
  try {
    return toBaseUnits(amount, decimals);
  } catch (error) {
    const message = `amount: ${error instanceof Error ? error.message : error}`;
    throw ApplicationFailure.nonRetryable(message, 'Refused');
  }
}
