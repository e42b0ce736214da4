import { toBaseUnits } from '../../custody/objects/amount';
import {
  address as addressField,
  amount as amountField,
  type WalletReference,
} from '../../orders/input/fields';
import { namedWallets } from '../../orders/input/namedWallets';
import { readOrder } from '../../orders/input/read';
import type { Resolved, ResolvedWallet, Write } from '../../orders/kind';
import { isKind, kindOf, type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { walletOfLine } from '../../orders/payout/walletOfLine';
import { neededOf } from '../../policy/authority/asks';
import type { Effect, PayingWallet } from '../../policy/call/effects';
import { type Moneys, moneysOf } from '../../policy/file/money';
import { type Policy, policyDecimals } from '../../policy/file/policy';
import { readPolicyFile } from '../../policy/file/readPolicy';
import { type JudgedWrite, judge } from '../../policy/judge';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { readOrderFile } from '../order/orderFile';

/** A write of an order, as far as an order on paper tells it. */
type Planned = { target: string; write: JudgedWrite | undefined };

/**
 * Judges each write of an order that is not sent, or of one transfer in flags. Exit code 1 when one
 * of them would be held back.
 */
export function explain(file: string, call: Call, blockchain: string): ExitCode {
  const policy = readPolicyFile(file, { blockchain });
  const moneys = moneysOf(blockchain);
  const { flags, voice } = call;
  const kind = String(flags.order);
  if (!isKind(kind)) throw new InputError(`--order: ${kind} is no kind of order.`);
  const planned =
    flags.file === undefined ? oneTransfer(flags, kind, moneys) : all(flags, kind, moneys);
  const requester = flags.signer === undefined ? undefined : String(flags.signer);
  const judged = planned.map((one) => explained(policy, one, requester));
  const most = 'The sums of windows are not looked at here.';
  voice.answer(judged, [...judged.map(({ target, words }) => `${target}: ${words}`), most]);
  const isFree = judged.every(({ verdict }) => verdict === 'allowed');
  return isFree ? exitCodes.done : exitCodes.failed;
}

function explained(policy: Policy, { target, write }: Planned, requester: string | undefined) {
  if (write === undefined) {
    const words = 'It is judged from its bytes, which are known when it is sent.';
    return { target, verdict: 'later', rules: [], words };
  }
  const judgement = judge(policy, { ...write, requester });
  const rules = 'limits' in judgement ? judgement.limits.map(({ id }) => id) : [];
  if (judgement.verdict === 'allowed') {
    return { target, verdict: 'allowed', rules, words: `allowed by ${rules.join(', ')}.` };
  }
  if (judgement.verdict === 'refused') {
    return { target, verdict: 'refused', rules, words: `refused. ${judgement.words}` };
  }
  const [highest] = neededOf(judgement.asks);
  if (highest === undefined) throw new Error('Beyond without an approval.');
  const { id, need, of, within } = highest.approval;
  const people = (policy.groups.get(of) ?? []).filter((person) => person !== requester);
  const words =
    `${highest.words} The rule ${id} asks ${need} of ${people.join(', ')}, ` +
    `within ${within} hours.`;
  return { target, verdict: 'approval', rules, words };
}

/** One transfer, as the flags give it. */
function oneTransfer(flags: Flags, kind: OrderKind, moneys: Moneys): Planned[] {
  for (const flag of ['from', 'to', 'amount']) {
    if (flags[flag] === undefined) {
      throw new InputError(`--${flag}: is missing. Give it, or a whole order with --file.`);
    }
  }
  const to = readOrder(addressField, flags.to);
  const amount = readOrder(amountField, flags.amount);
  const effect = moneyOf({ to, amount, token: String(flags.token), moneys });
  return [{ target: 'transfer', write: writeOf(kind, named(String(flags.from)), effect) }];
}

/** Every write of the order in a file. */
function all(flags: Flags, kind: OrderKind, moneys: Moneys): Planned[] {
  const order = readOrderOf(kind, readOrderFile(String(flags.file)));
  return writesOf(kind, order).map((write) => {
    const { path, from } = write;
    const token = 'token' in write ? String(write.token) : Reflect.get(order, 'token');
    if (write.makes !== 'transfer' || write.amount === undefined || from === undefined) {
      return { target: path, write: undefined };
    }
    const { to, amount } = write;
    const effect = moneyOf({ to, amount, token: String(token), moneys });
    return { target: path, write: writeOf(kind, named(from.walletId), effect) };
  });
}

/** The writes of an order. Those of a payout are its lines, each from the wallet that pays it. */
function writesOf(kind: OrderKind, order: ReadOrder<OrderKind>): (Write & { token?: string })[] {
  if (!('payoutId' in order)) return kindOf(kind).writes(order, resolvedBy(order));
  const { wallets, lines = [] } = order;
  return lines.map(({ lineId, to, amount, token }) => {
    const from = asWallet(wallets[walletOfLine(lineId, wallets.length)] ?? '');
    return { path: `line/${lineId}`, doing: '', makes: 'transfer', from, to, amount, token };
  });
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

function named(wallet: string): PayingWallet {
  const name = wallet.toLowerCase();
  return { id: name, address: name };
}

function moneyOf(paid: { to: string; amount: string; token: string; moneys: Moneys }): Effect {
  const { to, amount, token, moneys } = paid;
  const address = moneys.addressOf(token);
  if (address === undefined) throw new InputError(`--token: ${token} is no token.`);
  const money = moneys.moneyOf(address);
  return {
    kind: 'money',
    money,
    amount: toBaseUnits(amount, policyDecimals),
    to: to.toLowerCase(),
  };
}

function writeOf(kind: OrderKind, wallet: PayingWallet, effect: Effect): JudgedWrite {
  return { kinds: new Set([kind]), wallet, effects: [effect] };
}
