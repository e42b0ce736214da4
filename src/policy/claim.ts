import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../custody/endpoints';
import { WithheldError } from '../custody/errors';
import { idempotencyKey } from '../custody/idempotencyKey';
import { pagesOf } from '../custody/list';
import type { Ledger } from './ledger/ledger';

export type ClaimOptions = {
  ledger: Pick<Ledger, 'id'>;
  /** The ledger that is lost, and that this one takes the place of. */
  replaces?: string | undefined;
  /** Time for which an answer is relied on. */
  heldMs?: number;
};

const heldUsualMs = 300_000;
const waitMs = 60_000;
/** Moments of the service are whole seconds. After two, every claim of the same one shows. */
const sameMomentMs = 2_000;
const form = /^steadfast-ledger ([0-9a-f-]{36})(?: after ([0-9a-f-]{36}))?$/;

/**
 * Makes sure that an account has one ledger, since two of them would count each window twice. The
 * claim is the name of a wallet set, the only text that an account keeps. The oldest claim counts.
 * A claim that names that ledger as the one before it replaces it. Throws a WithheldError while
 * another ledger has the account.
 */
export function claiming(
  custody: Pick<CustodyApi, 'listWalletSets' | 'createWalletSet'>,
  { ledger: { id }, replaces, heldMs = heldUsualMs }: ClaimOptions,
): () => Promise<void> {
  let untilMs = 0;
  const claim = async (name: string): Promise<string | undefined> => {
    const parts = { workflowId: name, step: 'claim', item: '1', generation: 0 };
    await custody.createWalletSet({ idempotencyKey: idempotencyKey(parts), name });
    await sleep(sameMomentMs);
    return ownerOf(await claimsOf(custody));
  };
  return async () => {
    if (Date.now() < untilMs) return;
    const before = ownerOf(await claimsOf(custody));
    let owner = before;
    if (before === undefined) owner = await claim(`steadfast-ledger ${id}`);
    else if (before === replaces) owner = await claim(`steadfast-ledger ${id} after ${before}`);
    if (owner !== id) throw claimed(String(owner), id);
    untilMs = Date.now() + heldMs;
  };
}

type Claim = { id: string; after: string | undefined };

/** All claims of the account, oldest first. */
async function claimsOf({ listWalletSets }: Pick<CustodyApi, 'listWalletSets'>): Promise<Claim[]> {
  const claims: (Claim & { at: string })[] = [];
  const pages = pagesOf(async (page, how) => (await listWalletSets(page, how)).walletSets);
  for await (const walletSets of pages) {
    for (const { name, createDate, id: setId } of walletSets) {
      const [, id, after] = form.exec(name ?? '') ?? [];
      if (id !== undefined) claims.push({ id, after, at: `${createDate} ${setId}` });
    }
  }
  return claims.sort((one, other) => (one.at < other.at ? -1 : 1));
}

/** The first claim, or the one that names it as the one before, and so on. */
function ownerOf(claims: readonly Claim[]): string | undefined {
  const left = [...claims];
  let owner: string | undefined;
  for (;;) {
    const at = left.findIndex(({ after }) => after === owner);
    if (at < 0) return owner;
    owner = left[at]?.id;
    left.splice(at, 1);
  }
}

function claimed(owner: string, own: string): WithheldError {
  return new WithheldError(
    `The account is claimed by the ledger ${owner}, and this writer has ${own}. Two ledgers would ` +
      'count each window twice: give all writers of the account one. If that ledger is lost, start ' +
      `the writer with STEADFAST_LEDGER_REPLACES=${owner}.`,
    { next: 'again', afterMs: waitMs },
  );
}
