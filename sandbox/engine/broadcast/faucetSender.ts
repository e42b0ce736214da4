import pLimit from 'p-limit';
import { estimateCall, type WalletCall } from '../../chain/estimateCall';
import { CallRevertedError } from '../../chain/revert';
import { signTransaction } from '../../chain/transaction';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { Bell } from '../bell';
import type { EngineParts } from '../parts';
import { nextNonce, toBroadcast } from './broadcastRow';
import { feesOf } from './fees';

type Parts = Pick<EngineParts, 'store' | 'chain'>;

/** Sends from the faucet's own account, and knows who waits for what it has sent. */
export function createFaucetSender(parts: Parts, bell: Pick<Bell, 'ring'>) {
  const { broadcasts } = parts.store;
  const waiters = new Map<string, (isDone: boolean) => void>();
  const inTurn = pLimit(1);
  return {
    /**
     * Resolves once the calls are in a block: false where one of them has failed there. Sends none
     * of them where one would fail.
     */
    send: async (calls: readonly WalletCall[], gas: bigint): Promise<boolean> => {
      if (!(await allSucceed(parts.chain, calls))) return false;
      // One signing at a time, since each uses the nonces that follow the last.
      const signed = await inTurn(() => sign(parts, calls, gas));
      const done = signed.map(
        ({ id }) => new Promise<boolean>((resolve) => waiters.set(id, resolve)),
      );
      bell.ring();
      return (await Promise.all(done)).every(Boolean);
    },
    /** Wakes those whose calls are done by now. */
    tellDone: (): void => {
      for (const [id, resolve] of waiters) {
        const { status, failed = false } = broadcasts.get(id) ?? {};
        if (status !== 'done') continue;
        waiters.delete(id);
        resolve(!failed);
      }
    },
  };
}

async function allSucceed(chain: Parts['chain'], calls: readonly WalletCall[]): Promise<boolean> {
  const from = chain.operators.faucet.address;
  try {
    await Promise.all(calls.map((call) => estimateCall(chain, { from, call })));
    return true;
  } catch (error) {
    if (error instanceof CallRevertedError) return false;
    throw error;
  }
}

async function sign(
  parts: Parts,
  calls: readonly WalletCall[],
  gas: bigint,
): Promise<BroadcastRow[]> {
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
