import type { Call } from '../chain/estimateCall';
import { signTransaction } from '../chain/transaction';
import { feesOf } from '../fees';
import type { Service } from '../service';
import type { Bell } from './bell';
import { type BroadcastRow, nextNonce, toBroadcast } from './broadcastRow';

type Parts = Pick<Service, 'store' | 'chain'>;

/** Sends from the faucet's own account, and knows who waits for what it has sent. */
export type FaucetSender = {
  /** Resolves once the calls are in a block: false where one of them has failed there. */
  send(calls: readonly Call[], gas: bigint): Promise<boolean>;
  /** Wakes those whose calls are done by now. */
  tellDone(): void;
};

export function createFaucetSender(parts: Parts, bell: Pick<Bell, 'ring'>): FaucetSender {
  const { broadcasts } = parts.store;
  const waiters = new Map<string, (isDone: boolean) => void>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    send: async (calls, gas) => {
      // One after the other, since each takes the nonces that follow the last.
      const signing = last.then(() => sign(parts, calls, gas));
      last = signing.catch(() => {});
      const done = (await signing).map(
        ({ id }) => new Promise<boolean>((resolve) => waiters.set(id, resolve)),
      );
      bell.ring();
      return (await Promise.all(done)).every(Boolean);
    },
    tellDone: () => {
      for (const [id, resolve] of waiters) {
        const { status, failed = false } = broadcasts.get(id) ?? {};
        if (status !== 'done') continue;
        waiters.delete(id);
        resolve(!failed);
      }
    },
  };
}

async function sign(parts: Parts, calls: readonly Call[], gas: bigint): Promise<BroadcastRow[]> {
  const { store, chain } = parts;
  const { faucet } = chain.operators;
  const fees = feesOf('MEDIUM', chain.baseFeePerGas);
  const first = await nextNonce(parts, faucet.address);
  const broadcasts = await Promise.all(
    calls.map(async (call, index) => {
      const nonce = first + index;
      const signed = await signTransaction(chain, { account: faucet, call, nonce, gas, fees });
      return toBroadcast({
        sender: faucet.address,
        nonce,
        raw: signed.transaction,
        txHash: signed.hash,
        gas,
        costMax: call.value + gas * fees.maxFeePerGas,
      });
    }),
  );
  store.atomically(() => {
    for (const broadcast of broadcasts) store.broadcasts.insert(broadcast);
  });
  return broadcasts;
}
