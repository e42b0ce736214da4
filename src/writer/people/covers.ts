import { encodeCall } from '../../custody/abi/callData';
import { functionOf } from '../../custody/abi/functionOf';
import { withUsualParameters } from '../../custody/abi/usualParameters';
import { canonicalJson } from '../../custody/canonicalJson';
import { toBaseUnits } from '../../custody/objects/amount';
import { refId, walletLabels, walletSetName } from '../../custody/reference';
import type { WalletReference } from '../../orders/input/fields';
import { namedWallets } from '../../orders/input/namedWallets';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import type { LineProof } from '../../orders/input/signed';
import type { ContractCall, OrderWrite, Resolved, ResolvedWallet } from '../../orders/kind';
import { kindOf, type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import type { LineTarget } from '../../orders/payout/lineTarget';
import { walletsOf } from '../../orders/progress/doing';
import type { PolicyTokens } from '../call/callEffects';
import { NotUnderstood, understood } from '../call/effects';
import type { JudgedCall } from '../call/shapes';
import type { UnderstoodCall } from '../call/understoodCall';
import type { Moneys } from '../file/money';
import { policyDecimals } from '../file/policy';
import { moneyIn, type RequestStatement } from '../signing/statement';
import type { WalletBook } from '../wallets';
import { coveredLines } from './coversLines';

/** The writer's own knowledge of the names in an order. */
export type Cover = { book: WalletBook; tokens: PolicyTokens; moneys: Moneys };

/**
 * Refuses a call that the signed order does not contain. The order is expanded into its writes, as
 * the guard does it, with names that this process has resolved by itself. Returns the lines that
 * the call pays if the order is a payout.
 */
export async function refuseUncovered(
  { kind, money, lines }: Pick<RequestStatement, 'kind' | 'money' | 'lines'>,
  asked: UnderstoodCall & { proof: LineProof | undefined },
  cover: Cover,
): Promise<LineTarget[]> {
  const order = understood(() => signedOrder({ kind, money }));
  if (lines !== undefined) return coveredLines({ money, lines }, asked, cover);
  const { step, item } = asked.identity.parts;
  const resolved = await resolvedBy(cover, kind, order);
  const path = `${step}/${item}`;
  const write = kindOf(kind)
    .writes(order, resolved)
    .find((one) => one.path === path);
  const fault =
    write === undefined
      ? `makes no write ${path}`
      : differenceOf(write, asked, { money, ...cover });
  if (fault !== undefined) throw new NotUnderstood(`The order that was signed ${fault}.`);
  return [];
}

/** The order in a request. Approvers read all of it, so it has no field that nobody enforces. */
function signedOrder({ kind, money }: Pick<RequestStatement, 'kind' | 'money'>) {
  // A schedule names no payout, since each of its periods makes another one.
  const named = kind === 'payout' ? { payoutId: 'of-a-period', ...money } : money;
  const order = readOrderOf(kind, named);
  const signed = moneyIn(kind, order);
  const other = Object.keys(money).find((field) => !Object.hasOwn(signed, field));
  if (other === undefined) return order;
  const field = `money.${other}: ${shown(money[other])}`;
  throw new BadOrderError(
    `${field} has no place in what is signed. Sign the order once more without it.`,
  );
}

/** The names in an order, by the writer's own reads. */
async function resolvedBy(
  { book, tokens }: Cover,
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
): Promise<Resolved> {
  const { main, several = [], treasury } = namedWallets(order);
  const found = async (name: WalletReference): Promise<ResolvedWallet> => {
    const wallet =
      'walletId' in name ? book.byId(name.walletId) : book.byAddress(name.walletAddress);
    const { id: walletId, address } = await wallet;
    return { walletId, address, accountType: '' };
  };
  const contract = kindOf(kind).amountOf?.(order);
  return {
    wallet: main && (await found(main.reference)),
    wallets: await Promise.all(several.map((walletId) => found({ walletId }))),
    treasury: treasury && (await found(treasury)),
    decimals: contract === undefined ? undefined : await tokens.decimalsOf(contract.toLowerCase()),
  };
}

type Signed = Cover & Pick<RequestStatement, 'money'>;

/** The difference of a call from the write that was signed, as the end of a sentence. */
function differenceOf(write: OrderWrite, asked: UnderstoodCall, signed: Signed) {
  const { makes, from } = write;
  const { call, classified, identity } = asked;
  if (call.method === 'createWalletSet' && makes === 'walletSet') {
    const name = walletSetName(write.name, identity.parts);
    if (name === call.input.name) return undefined;
    return `names the wallet set ${shown(name)}, not ${shown(call.input.name)}`;
  }
  if (call.method === 'createWallets' && makes === 'wallets') {
    return walletsDifference(write, call.input, identity);
  }
  if (call.method === 'createWalletSet' || call.method === 'createWallets') {
    return `makes a ${makes} there`;
  }
  if (from === undefined) return 'does not say which wallet pays';
  if (from.address.toLowerCase() !== classified.wallet?.address) {
    return `pays from ${from.address}, not from ${classified.wallet?.address}`;
  }
  if (call.method === 'createTransfer' && makes === 'transfer') {
    return transferDifference(write, call.input, signed);
  }
  if (call.method === 'executeContract' && makes === 'call') {
    const isSame = write.call !== undefined && sameCall(write.call, call.input);
    return isSame ? undefined : 'makes another call';
  }
  if (call.method === 'deployTemplate' && makes === 'deployment') {
    const { id, name, templateParameters } = call.input;
    const { template, parameters } = write;
    if (name !== write.name) return `deploys ${shown(write.name)}, not ${shown(name)}`;
    if (template !== id) return `deploys the template ${template}, not ${id}`;
    const signed = withUsualParameters(template, from.address, parameters);
    return sameJson(signed, templateParameters) ? undefined : 'deploys with other parameters';
  }
  return `makes a ${makes} there, and not this`;
}

type Wallets = Extract<JudgedCall, { method: 'createWallets' }>['input'];

/** One call creates all wallets of an order, under the labels that its activity gives them. */
function walletsDifference(
  { count, accountType }: Extract<OrderWrite, { makes: 'wallets' }>,
  { count: asked, accountType: type, metadata }: Wallets,
  { parts }: UnderstoodCall['identity'],
): string | undefined {
  if (count !== asked || accountType !== type) {
    return `creates ${walletsOf(count, accountType)}, not ${walletsOf(asked, type)}`;
  }
  const isLabelled = sameJson(walletLabels(count, refId(parts)), metadata);
  return isLabelled ? undefined : 'creates wallets with other labels';
}

type Transfer = Extract<JudgedCall, { method: 'createTransfer' }>['input'];

function transferDifference(
  { to, amount }: Extract<OrderWrite, { makes: 'transfer' }>,
  { destinationAddress, amounts, tokenAddress }: Transfer,
  { money, moneys }: Signed,
): string | undefined {
  if (to.toLowerCase() !== destinationAddress.toLowerCase()) {
    return `pays ${to}, not ${destinationAddress}`;
  }
  const token = moneys.addressOf(String(money.token));
  if (token !== tokenAddress.toLowerCase()) return `pays ${money.token}, not ${tokenAddress}`;
  const units = (text: string): bigint => toBaseUnits(text, policyDecimals);
  if (amount === undefined || units(amount) === units(amounts[0])) return undefined;
  return `pays ${amount}, not ${amounts[0]}`;
}

function callOf({
  contractAddress,
  abiFunctionSignature,
  abiParameters,
  amount = '0',
}: ContractCall) {
  return { contractAddress, abiFunctionSignature, abiParameters, amount };
}

/** Equal by its bytes. A text in it is compared letter by letter. */
function sameCall(one: ContractCall, other: ContractCall): boolean {
  const [{ abiParameters: signed, ...own }, { abiParameters: sent, ...asked }] = [
    callOf(one),
    callOf(other),
  ];
  if (!sameJson(own, asked)) return false;
  const abi = functionOf(own.abiFunctionSignature);
  if (abi === undefined) return canonicalJson(signed) === canonicalJson(sent);
  try {
    return encodeCall(abi, signed) === encodeCall(abi, sent);
  } catch {
    return false;
  }
}

/** Equal but for the letters of addresses, which the service and the chain write in their own way. */
function sameJson(one: unknown, other: unknown): boolean {
  return inLowerCase(canonicalJson(one)) === inLowerCase(canonicalJson(other));
}

/** An address that is a whole value. Inside a text, each letter counts. */
function inLowerCase(json: string): string {
  return json.replace(/"0x[0-9a-fA-F]{40}"/g, (address) => address.toLowerCase());
}
