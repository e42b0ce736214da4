import { bundleGas, signBundle, splitIntoBundles } from '../../chain/account/bundle';
import { fromStoredOperation, type UserOperation } from '../../chain/account/operation';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { EngineParts } from '../parts';
import { nextNonce, toBroadcast } from './broadcastRow';
import { feesOf } from './fees';

type Parts = Pick<EngineParts, 'store' | 'chain'>;
type Waiting = { broadcast: BroadcastRow; operation: UserOperation };
type Bundle = { broadcast: BroadcastRow; carried: readonly BroadcastRow[] };

/** More than a block has room for. */
const operationsMax = 2_000;

/** Puts the operations that wait for a block into transactions of the bundler, and stores those. */
export async function bundleOperations(parts: Parts): Promise<void> {
  const waiting = parts.store.broadcasts.includable(operationsMax).flatMap((broadcast) => {
    const { operation } = broadcast;
    return operation ? [{ broadcast, operation: fromStoredOperation(operation) }] : [];
  });
  if (waiting.length === 0) return;
  const bundles = await sign(parts, waiting);
  // An operation that was replaced meanwhile goes with the next bundle, and so do all others.
  if (!save(parts, bundles)) await bundleOperations(parts);
}

async function sign({ store, chain }: Parts, waiting: readonly Waiting[]): Promise<Bundle[]> {
  const { address } = chain.operators.bundler;
  const fees = feesOf('HIGH', chain.baseFeePerGas);
  const first = await nextNonce({ store, chain }, address);
  const alone = waiting.filter(({ broadcast }) => broadcast.alone);
  const together = waiting.filter(({ broadcast }) => !broadcast.alone);
  const bundles = [
    ...splitIntoBundles(together.map(({ operation }) => operation)),
    ...alone.map(({ operation }) => [operation]),
  ];
  return Promise.all(
    bundles.map(async (userOperations, index) => {
      const nonce = first + index;
      const signed = await signBundle(chain, { userOperations, nonce, fees });
      const gas = bundleGas(userOperations);
      const broadcast = toBroadcast({
        sender: address,
        nonce,
        raw: signed.transaction,
        txHash: signed.hash,
        gas,
        costMax: gas * fees.maxFeePerGas,
      });
      const carried = new Set(userOperations);
      return {
        broadcast,
        carried: waiting
          .filter(({ operation }) => carried.has(operation))
          .map((one) => one.broadcast),
      };
    }),
  );
}

/** False when an operation is no longer what was signed. Then nothing is stored. */
function save({ store }: Parts, bundles: readonly Bundle[]): boolean {
  return store.atomically(() => {
    const isAsSigned = bundles
      .flatMap(({ carried }) => carried)
      .every(({ id, userOpHash }) => {
        const now = store.broadcasts.get(id);
        return now?.userOpHash === userOpHash && now?.status === 'pending';
      });
    if (!isAsSigned) return false;
    for (const { broadcast, carried } of bundles) {
      const { txHash = '0x' } = broadcast;
      store.broadcasts.insert(broadcast);
      for (const { id, transactionId, purpose } of carried) {
        store.broadcasts.update(id, { status: 'bundled', txHash });
        if (transactionId === undefined || purpose === 'cancel') continue;
        store.transactions.update(transactionId, { txHash });
      }
    }
    return true;
  });
}
