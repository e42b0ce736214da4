import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../custody/endpoints';
import { NotSentError, noRoomCode, RefusedError, WithheldError } from '../custody/errors';
import { idempotencyKey } from '../custody/idempotencyKey';
import { readReference } from '../custody/reference';
import { sharing } from '../custody/sharing';
import type { Ledger } from './ledger/ledger';
import { setsOf } from './list/walletSets';
import { beforeWrites } from './readingCustody';

type ClaimOptions = {
  ledger: Pick<Ledger, 'id'>;
  /** The ledger that is lost, and that this one takes the place of. */
  replaces?: string | undefined;
  /** Time for which an answer is relied on. */
  heldMs?: number;
};

type Service = Pick<
  CustodyApi,
  'listWalletSets' | 'createWalletSet' | 'updateWalletSet' | 'listWallets'
>;

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
  custody: Service,
  { ledger: { id }, replaces, heldMs = heldUsualMs }: ClaimOptions,
): () => Promise<void> {
  let untilMs = 0;
  const claim = async (before: string | undefined): Promise<string | undefined> => {
    const name = nameOf({ id, after: before });
    const parts = { workflowId: name, step: 'claim', item: '1', generation: 0 };
    try {
      await custody.createWalletSet({ idempotencyKey: idempotencyKey(parts), name });
    } catch (error) {
      if (!isFull(error)) throw error;
      await claimWithoutRoom(custody, { id, before });
    }
    await sleep(sameMomentMs);
    return ownerOf(await claimsOf(custody));
  };
  return async () => {
    if (Date.now() < untilMs) return;
    const before = ownerOf(await claimsOf(custody));
    const isFree = before === undefined || before === replaces;
    const owner = isFree ? await claim(before) : before;
    if (owner !== id) throw claimed(String(owner), id);
    untilMs = Date.now() + heldMs;
  };
}

/** The ledger that has an account. Undefined if none has it. */
async function claimantOf(
  custody: Pick<CustodyApi, 'listWalletSets'>,
): Promise<string | undefined> {
  return ownerOf(await claimsOf(custody));
}

/**
 * The same service for a writer without a policy. It writes nothing while a ledger has the account.
 * A ledger that it replaces is given up.
 */
export function unlessClaimed(
  custody: CustodyApi,
  { replaces, heldMs = heldUsualMs }: Pick<ClaimOptions, 'replaces' | 'heldMs'>,
): { api: CustodyApi; check: () => Promise<void> } {
  let untilMs = 0;
  const ask = sharing(async () => {
    const owner = await claimantOf(custody);
    if (owner !== undefined && owner !== replaces) throw claimedWithPolicy(owner);
    untilMs = Date.now() + heldMs;
  });
  const check = async (): Promise<void> => {
    if (Date.now() >= untilMs) await ask().catch(notSent);
  };
  return { api: beforeWrites(custody, check), check };
}

/** The claim could not be read, which says nothing of the write. */
function notSent(error: unknown): never {
  const isOfKey = error instanceof RefusedError && [401, 403, 429].includes(error.status);
  if (error instanceof WithheldError || isOfKey) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  const words = `Nobody could tell whether a ledger has claimed the account: ${reason}`;
  throw new NotSentError(`${words.replace(/\.$/, '')}. Nothing was sent.`, { cause: error });
}

/** A claim, and the wallet set that has its name. */
type Claim = { id: string; after: string | undefined; setId: string };

function nameOf({ id, after }: Pick<Claim, 'id' | 'after'>): string {
  return `steadfast-ledger ${id}${after === undefined ? '' : ` after ${after}`}`;
}

/**
 * Claims an account that has no room for another wallet set. The claim of the ledger before gets
 * the name of this one, in its place. Without one, an empty set of the writer's own is renamed.
 */
async function claimWithoutRoom(
  custody: Service,
  { id, before }: { id: string; before: string | undefined },
): Promise<void> {
  const claims = await claimsOf(custody);
  // Somebody else was faster.
  if (ownerOf(claims) !== before) return;
  const claim = claims.find((one) => one.id === before);
  const setId = claim?.setId ?? (await emptySetOf(custody));
  if (setId === undefined) throw withoutRoom(id);
  await custody.updateWalletSet({ id: setId, name: nameOf({ id, after: claim?.after }) });
}

/** The most sets that are looked into. A set that an order has just made may get its wallets yet. */
const lookedIntoMax = 50;

/** A set that an order of ours has made, and that has no wallet. The oldest ones are looked into. */
async function emptySetOf(custody: Service): Promise<string | undefined> {
  const own = (await setsOf(custody)).filter(({ name }) => readReference(name) !== undefined);
  for (const { id } of own.slice(0, lookedIntoMax)) {
    const { wallets } = await custody.listWallets({ walletSetId: id, pageSize: 1 });
    if (wallets.length === 0) return id;
  }
  return undefined;
}

/** All claims of the account, oldest first. */
async function claimsOf(custody: Pick<CustodyApi, 'listWalletSets'>): Promise<Claim[]> {
  return (await setsOf(custody)).flatMap(({ id: setId, name }) => {
    const [, id, after] = form.exec(name ?? '') ?? [];
    return id === undefined ? [] : [{ id, after, setId }];
  });
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

function isFull(error: unknown): boolean {
  return error instanceof RefusedError && error.code === noRoomCode;
}

function withoutRoom(id: string): WithheldError {
  return new WithheldError(
    'The account has no room for another wallet set, so its ledger cannot be claimed. Rename a set ' +
      `that nobody needs to "${nameOf({ id, after: undefined })}" at the service.`,
    { next: 'again', afterMs: waitMs },
  );
}

function claimedWithPolicy(owner: string): WithheldError {
  return new WithheldError(
    `The account is claimed by the ledger ${owner}, whose writers keep to a policy, and this writer ` +
      'has none. Start it with STEADFAST_POLICY_FILE and STEADFAST_LEDGER, as they are. If that ' +
      `policy is given up, start the writer with STEADFAST_LEDGER_REPLACES=${owner}.`,
    { next: 'again', afterMs: waitMs },
  );
}

function claimed(owner: string, own: string): WithheldError {
  return new WithheldError(
    `The account is claimed by the ledger ${owner}, and this writer has ${own}. Two ledgers would ` +
      'count each window twice: give all writers of the account one. If that ledger is lost, start ' +
      `the writer with STEADFAST_LEDGER_REPLACES=${owner}.`,
    { next: 'again', afterMs: waitMs },
  );
}
