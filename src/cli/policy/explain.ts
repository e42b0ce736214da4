import {
  address as addressField,
  amount as amountField,
  type WalletReference,
} from '../../orders/input/fields';
import { namedWallets } from '../../orders/input/namedWallets';
import { readOrder } from '../../orders/input/read';
import type { Resolved, ResolvedWallet } from '../../orders/kind';
import { isKind, type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { explainWrites, type PaperWrite, paperWrites } from '../../writer/explain';
import type { Policy } from '../../writer/file/policy';
import type { Ledger } from '../../writer/ledger/ledger';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { readOrderFile } from '../order/orderFile';

/**
 * Judges each write of an order that is not sent, or of one transfer in flags. Exit code 1 when one
 * of them would be held back.
 */
export async function explainOrder(
  policy: Policy,
  call: Call,
  place: { blockchain: string; ledger: Ledger },
): Promise<ExitCode> {
  const { flags, voice } = call;
  const kind = String(flags.order);
  if (!isKind(kind)) throw new InputError(`--order: ${kind} is no kind of order.`);
  const writes = flags.file === undefined ? [oneTransfer(flags)] : all(flags, kind);
  const requester = signerIn(policy, flags);
  const { blockchain, ledger } = place;
  const byAddress = writes.find(({ from }) => from?.walletId.startsWith('0x'));
  if (flags.ledger !== undefined && byAddress?.from !== undefined) {
    const { walletId } = byAddress.from;
    throw new InputError(
      `--ledger: has sums by the ids of wallets, and ${walletId} is an address. Give the id of the ` +
        'wallet.',
    );
  }
  const paper = { kind, writes, requester, ledger };
  const explained = await explainWrites(policy, blockchain, paper);
  const judged = explained.map(({ path: target, ...others }) => ({ target, ...others }));
  const lines = judged.map(({ target, words }) => `${target}: ${words}`);
  const empty = 'Windows begin empty here. Give --ledger to count what was sent.';
  voice.answer(judged, flags.ledger === undefined ? [...lines, empty] : lines);
  const isFree = judged.every(({ verdict }) => verdict === 'allowed');
  return isFree ? exitCodes.done : exitCodes.failed;
}

function signerIn({ people }: Policy, { signer }: Flags): string | undefined {
  if (signer === undefined) return undefined;
  const person = String(signer);
  if (people.has(person)) return person;
  const names = [...people.keys()].join(', ') || 'nobody';
  throw new InputError(`--signer: ${person} is no person of the policy. It names ${names}.`);
}

/** One transfer, as the flags give it. */
function oneTransfer(flags: Flags): PaperWrite {
  for (const flag of ['from', 'to', 'amount']) {
    if (flags[flag] === undefined) {
      throw new InputError(`--${flag}: is missing. Give it, or a whole order with --file.`);
    }
  }
  const to = readOrder(addressField, flags.to);
  const amount = readOrder(amountField, flags.amount);
  const from = asWallet(String(flags.from));
  const token = String(flags.token);
  return { path: 'transfer', doing: '', makes: 'transfer', from, to, amount, token };
}

/** Every write of the order in a file. */
function all(flags: Flags, kind: OrderKind): PaperWrite[] {
  const order = readOrderOf(kind, readOrderFile(String(flags.file)));
  return paperWrites(kind, order, resolvedBy(order));
}

/** The wallets that an order names, by the names that it gives them. */
function resolvedBy(order: ReadOrder<OrderKind>): Resolved {
  const { main, several = [], treasury } = namedWallets(order);
  const wallet = (name: WalletReference): ResolvedWallet =>
    asWallet('walletId' in name ? name.walletId : name.walletAddress);
  return {
    wallet: main && wallet(main.reference),
    wallets: several.map(asWallet),
    treasury: treasury && wallet(treasury),
  };
}

function asWallet(name: string): ResolvedWallet {
  return { walletId: name, address: name, accountType: '' };
}
