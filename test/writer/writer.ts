import { randomUUID } from 'node:crypto';
import type { CallOptions, CustodyApi } from '../../src/custody/endpoints';
import { idempotencyKey, type KeyParts } from '../../src/custody/idempotencyKey';
import type { Wallet } from '../../src/custody/objects/wallet';
import { outcomeOf } from '../../src/custody/outcome';
import { refId } from '../../src/custody/reference';
import type { Clock } from '../../src/writer/clock';
import type { UnpaidIn } from '../../src/writer/failedAlone';
import { readPolicy } from '../../src/writer/file/readPolicy';
import type { Ledger, WriteEnd } from '../../src/writer/ledger/ledger';
import { openLedger } from '../../src/writer/ledger/openLedger';
import type { AsksChain } from '../../src/writer/list/prove';
import { withdrawing } from '../../src/writer/people/withdrawing';
import { policed } from '../../src/writer/policed';
import { blockchain, usdc } from '../support/sandbox';

export const payee = '0x523b27014ba9331e4a6c1bd7bc3b2b9f3b2bec7d';
export const stranger = '0x6666666666666666666666666666666666666666';

/** A limit on transfers of a wallet to the payee, with changes. */
export function limitOf(wallet: Wallet, fields: object = {}) {
  return {
    id: 'out',
    kind: 'limit',
    orders: ['transferStablecoin', 'executeContract', 'payout'],
    wallets: [wallet.id],
    tokens: ['USDC'],
    to: payee,
    perTransfer: '5',
    perWindow: { amount: '9', hours: 24, over: 'wallet' },
    ...fields,
  };
}

/** A writer: the client behind a policy, and its ledger. */
export function writerOf(
  custody: CustodyApi,
  rules: readonly object[],
  {
    ledger = openLedger(':memory:', { keyLifetimeMs: 3_600_000 }),
    clock,
    claim,
    alarm,
    unpaidIn,
    graceMs = 0,
    chain,
    bookPath,
    ...names
  }: {
    ledger?: Ledger;
    clock?: Clock | undefined;
    claim?: () => Promise<void>;
    alarm?: (end: WriteEnd) => void;
    unpaidIn?: UnpaidIn | undefined;
    graceMs?: number;
    chain?: AsksChain | undefined;
    bookPath?: string | undefined;
    version?: number;
    people?: object;
    groups?: object;
    creates?: object;
  } = {},
) {
  const text = JSON.stringify({ version: 1, ...names, rules });
  const policy = readPolicy(text, { blockchain, path: 'policy.json' });
  const isWithoutEffect = (error: unknown) =>
    outcomeOf(error, { write: true, attempt: 1 }).effect === 'none';
  const place = { policy, ledger, blockchain, namespace: 'default' };
  const api = policed(custody, {
    ...place,
    isWithoutEffect,
    ...(clock && { clock }),
    ...(claim && { claim }),
    ...(alarm && { alarm }),
    unpaidIn,
    graceMs,
    chain,
    bookPath,
  });
  return { api, ledger, withdraw: withdrawing(custody, place) };
}

/** The parts of a write of a new order. */
export function partsOf(step = 'transfer', fields: Partial<KeyParts> = {}): KeyParts {
  const workflowId = `order:${randomUUID()}`;
  return { workflowId, step, item: '1', generation: 0, ...fields };
}

/** Key, reference and options of a write, as an activity sends them. */
export function asOf(parts: KeyParts): {
  identity: { idempotencyKey: string; refId: string; feeLevel: 'MEDIUM' };
  how: CallOptions;
} {
  const identity = { idempotencyKey: idempotencyKey(parts), refId: refId(parts) };
  return { identity: { ...identity, feeLevel: 'MEDIUM' }, how: { parts } };
}

/** A transfer of USDC as the activity sends it, with changes. */
export function transferFrom(wallet: Wallet, amount: string, fields: object = {}) {
  const parts = partsOf();
  const { identity, how } = asOf(parts);
  const input = {
    ...identity,
    walletAddress: wallet.address,
    blockchain,
    tokenAddress: usdc,
    destinationAddress: payee,
    amounts: [amount],
    ...fields,
  };
  return { input, how, parts };
}

/** A call of a contract as the activity sends it. */
export function callFrom(wallet: Wallet, signature: string, fields: object = {}) {
  const { identity, how } = asOf(partsOf('execute'));
  const call = { contractAddress: usdc, abiFunctionSignature: signature, abiParameters: [] };
  return { input: { ...identity, walletId: wallet.id, ...call, ...fields }, how };
}
