import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, type Hex, http, parseEventLogs } from 'viem';
import { type BatchedPayment, batchCall, markOf } from '../../../src/custody/batch';
import { createCustodyClient } from '../../../src/custody/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { listing, type Sent, submit, usdc } from '../../payouts/rivals/pay';
import type { Place } from '../../payouts/startService';
import type { Batch } from './sameBatches';

/** The pace of Steadfast's workers: at exactly five a second a delay puts six into one. */
const hostedPaceMs = 1_000 / 4.8;
const againMs = 500;
/** Lists are reads, and the hosted service answers twenty a second. */
const lookMs = 250;
const marginPercent = 25n;

/** The two steps of a batch: to send it, and to wait until the chain shows each of its lines. */
export type BatchPayer = {
  send(batch: Batch): Promise<Sent>;
  prove(sent: Sent, batch: Batch): Promise<void>;
};

/** Sends batches as Steadfast does, and reads each line's outcome in the same receipt. */
export function batchPayer(place: Place, walletIds: readonly string[]): BatchPayer {
  const custody = createCustodyClient(place);
  const chain = createPublicClient({ transport: http(place.rpcUrl) });
  const turn = pacedBy(place.isLimited ? hostedPaceMs : 0);
  const untilFinal = listing(custody, { walletIds, lookMs });

  const execute = async ({ key, payer, lines }: Batch): Promise<Sent> => {
    const paid = { tokenAddress: usdc, payments: lines.map(paymentOf) };
    const isSmart = payer.accountType === 'SCA';
    const gas = isSmart ? undefined : await gasOf(batchCall(payer, paid, { mayFail: false }));
    const input = {
      idempotencyKey: key,
      walletId: payer.id,
      feeLevel: 'MEDIUM' as const,
      ...batchCall(payer, paid, { mayFail: true }),
      ...(gas === undefined ? {} : { gasLimit: gas }),
    };
    async function gasOf(whole: ReturnType<typeof batchCall>): Promise<string> {
      const asked = { walletId: payer.id, ...whole };
      const { medium } = await insisting(() => custody.estimateExecution(asked));
      return ((BigInt(medium.gasLimit) * (100n + marginPercent)) / 100n).toString();
    }
    return insisting(async () => {
      await turn();
      const sentAtMs = Date.now();
      return { ...(await custody.executeContract(input)), sentAtMs };
    });
  };

  return {
    send: async (batch) => {
      const { key, payer, lines } = batch;
      const [line] = lines;
      if (line === undefined || lines.length > 1) return execute(batch);
      return insisting(async () => {
        await turn();
        return submit(custody, { key, walletAddress: payer.address, ...line });
      });
    },
    prove: async (sent, { payer, lines }) => {
      await untilFinal(sent);
      const { transaction } = await insisting(() => custody.getTransaction({ id: sent.id }));
      const hash = hex(transaction.txHash ?? '');
      const { logs } = await insisting(() => chain.getTransactionReceipt({ hash }));
      const moved = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
        .filter(({ address, args }) => isSame(address, usdc) && isSame(args.from, payer.address))
        .map(({ args }) => `${args.to.toLowerCase()} ${args.value}`);
      for (const line of lines) {
        const { to, baseUnits } = paymentOf(line);
        const times = moved.filter((one) => one === `${to.toLowerCase()} ${baseUnits}`).length;
        if (times !== 1) throw new Error(`${hash} pays line ${line.lineId} ${times} times.`);
      }
    },
  };
}

function paymentOf({ to, amount, lineId }: Batch['lines'][number]): BatchedPayment {
  return { to, baseUnits: toBaseUnits(amount, 6).toString(), mark: markOf('rival', lineId, 0) };
}

/** Lets one caller after another go on, with a pause between them. */
function pacedBy(paceMs: number): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const atMs = Math.max(nextMs, Date.now());
    nextMs = atMs + paceMs;
    await sleep(atMs - Date.now());
  };
}

/** Makes a call again while the service says that it comes too soon, or does not answer. */
async function insisting<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isEarly = error instanceof RefusedError && (error.status === 429 || isBusy(error));
      if (!isEarly && !(error instanceof NoAnswerError)) throw error;
      await sleep(againMs);
    }
  }
}

/** The service's words for a wallet whose last transaction is not over. */
function isBusy({ code }: RefusedError): boolean {
  return code === 155_264 || code === 155_505;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
