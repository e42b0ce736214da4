import type { Signer } from '../../../src/client/client';
import { orderOfRun } from '../../../src/client/closedRun';
import type { KeyParts } from '../../../src/custody/idempotencyKey';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { type Authority, type Signed, signedStatement } from '../../../src/orders/input/signed';
import { type RequestStatement, readRequest } from '../../../src/writer/signing/statement';
import { asOf, transferFrom } from '../../writer/writer';
import { hostileCaller } from './hostileCaller';
import { officeOf } from './office';

export const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
export const kind = 'transferStablecoin';

/** A write, and the signatures that it is sent with. */
export type Raw = { parts: KeyParts; amount: string; authority: Authority };

/** A rule that wants the signature of a backend. */
function signed([wallet]: readonly Wallet[]) {
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['transferStablecoin', 'payout'],
    wallets: [wallet?.id],
    tokens: ['USDC'],
    to: payee,
    perTransfer: '10',
    signedBy: 'backends',
  };
  return { groups: { treasurers: ['ann', 'bo'] }, rules: [limit] };
}

/** The same rule, and one that asks two people above 2. */
export function tiered(wallets: readonly Wallet[]) {
  const { groups, rules } = signed(wallets);
  const large = { id: 'large', kind: 'approval', above: '2', of: 'treasurers', within: 48 };
  return { groups, rules: [...rules, { ...large, need: 2 }] };
}

/** An office whose rule wants the signature of a backend, and somebody who takes it out of Temporal. */
export function signedOffice(name: string) {
  const office = officeOf(name, signed);
  const { taskQueue, keys } = office;

  /** Makes an attempt at a write by itself, and tells what the writer answers. */
  const attempt = async ({ parts, amount, authority }: Raw): Promise<string> => {
    const caller = await hostileCaller(taskQueue, office.sandbox().baseUrl);
    try {
      const [wallet] = office.wallets();
      if (wallet === undefined) throw new Error('The office has no wallet.');
      const { identity, how } = asOf(parts);
      const fields = { ...identity, destinationAddress: payee };
      const { input } = transferFrom(wallet, amount, fields);
      const { id } = await caller.api.createTransfer(input, { ...how, authority });
      return `It was sent as ${id}.`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await caller.close();
    }
  };

  return {
    ...office,
    attempt,
    /** Has the writer make the first attempt at an order's transfer, with a request out of Temporal. */
    sendRaw: (workflowId: string, amount: string, request: Signed): Promise<string> => {
      const parts = { workflowId, step: 'transfer', item: '1', generation: 0 };
      return attempt({ parts, amount, authority: { request } });
    },
    orderWith: (amount: string) => {
      const [wallet] = office.wallets();
      return { from: { walletId: wallet?.id ?? '' }, to: payee, amount, token: 'USDC' } as const;
    },
    /** The backend's key, and the requests that it has signed. */
    recorded: (): { sign: Signer; requests: RequestStatement[] } => {
      const requests: RequestStatement[] = [];
      const sign: Signer = (text, purpose) => {
        if (purpose === 'request') requests.push(readRequest(text));
        return keys.backend.sign(text, purpose);
      };
      return { sign, requests };
    },
    /** The request that everybody can read in the history of an order. */
    requestIn: async (workflowId: string, runId: string): Promise<Signed> => {
      const { request } = await orderOfRun(office.client(), { workflowId, runId });
      return signedStatement.parse(request);
    },
  };
}
