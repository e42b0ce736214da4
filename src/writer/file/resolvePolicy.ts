import { resolve } from 'node:path';
import { toFunctionSelector } from 'viem';
import { functionOf } from '../../custody/abi/functionOf';
import { toBaseUnits } from '../../custody/objects/amount';
import { shown } from '../../orders/input/shown';
import { isHigher } from '../people/asks';
import { isOfKind, isPasskeyLine } from '../signing/passkey';
import type { Fault } from './faults';
import type { Located } from './located';
import { moneysOf, nativeMoney } from './money';
import {
  type Approval,
  type Deny,
  type Limit,
  type NamedCall,
  type Policy,
  policyDecimals,
  type Screen,
} from './policy';
import { readCheck } from './resolveChecks';
import {
  checkBeyond,
  checkGroup,
  lowerSet,
  type Path,
  type PolicyReading,
  readGroups,
  readPeople,
  readRecipients,
  readTokens,
} from './resolveNames';
import type { ApprovalText, DenyText, LimitText, PolicyText, ScreenText } from './schema';
import { usualFee } from './usualFee';

type Where = { located: Located; folder: string; blockchain: string };

const usualFeeHours = 24;

/** Resolves the names in a policy. Returns it with the faults that no schema sees. */
export function resolvePolicy(
  text: PolicyText,
  { located, folder, blockchain }: Where,
): { policy: Omit<Policy, 'digest'>; faults: Fault[] } {
  const faults: Fault[] = [];
  const reading: PolicyReading = {
    text,
    moneys: moneysOf(blockchain),
    people: new Map(),
    signIn: new Map(),
    groups: new Map(),
    addresses: new Map(),
    tokens: new Map(),
    fault: (path, words) => faults.push({ place: located.placeOf(path), words }),
  };
  readPeople(reading);
  readGroups(reading, folder);
  const ids = text.rules.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) === index) continue;
    reading.fault(['rules', index, 'id'], `${shown(id)} is the id of two rules. Rename one`);
  }
  const rules = [...text.rules.entries()];
  const limits = rules.flatMap(([at, rule]) =>
    rule.kind === 'limit' ? [readLimit(reading, rule, ['rules', at])] : [],
  );
  const approvals = rules.flatMap(([at, rule]) =>
    rule.kind === 'approval' ? [readApproval(reading, rule, ['rules', at])] : [],
  );
  checkQuorums(reading, limits);
  checkHighest(reading, approvals);
  const denials = rules.flatMap(([at, rule]) =>
    rule.kind === 'deny' ? [readDeny(reading, rule, ['rules', at])] : [],
  );
  const screens = rules.flatMap(([at, rule]) =>
    rule.kind === 'screen' ? [readScreen(reading, rule, { path: ['rules', at], folder })] : [],
  );
  const checks = rules.flatMap(([at, rule]) =>
    rule.kind === 'check' ? [readCheck(reading, rule, ['rules', at])] : [],
  );
  const { people, signIn, groups, tokens } = reading;
  const { version, creates } = text;
  const all = { limits, approvals, denials, screens, checks };
  return { faults, policy: { version, people, signIn, groups, tokens, creates, ...all } };
}

function readLimit(reading: PolicyReading, rule: LimitText, path: Path): Limit {
  const { id, signedBy, beyond, perTransfer, perWindow, maxFeePerWindow } = rule;
  const { text, fault } = reading;
  if (signedBy !== undefined) checkGroup(reading, signedBy, [...path, 'signedBy']);
  const needsSigner = text.rules.some(({ kind }) => kind === 'approval');
  if (needsSigner && rule.tokens !== undefined && signedBy === undefined) {
    const why = 'A policy with approvals has to know who asks. Name a group';
    fault(path, `${[...path, 'signedBy'].join('.')}: is missing. ${why}`);
  }
  checkBeyond(reading, beyond, path);
  const window = perWindow && { ...perWindow, amount: unitsOf(perWindow.amount) };
  const money = readTokens(reading, rule.tokens ?? [], [...path, 'tokens']);
  const isCounted = window !== undefined && money.has(nativeMoney);
  return {
    id,
    orders: new Set(rule.orders),
    wallets: lowerSet(rule.wallets),
    money,
    to: rule.to === undefined ? new Map() : readRecipients(reading, rule.to, [...path, 'to']),
    calls: readCalls(reading, rule.calls ?? [], [...path, 'calls']),
    perTransfer: perTransfer === undefined ? undefined : unitsOf(perTransfer),
    perWindow: window,
    maxFee: isCounted && maxFeePerWindow === undefined ? undefined : maxFeeOf(rule),
    signedBy,
    beyond,
  };
}

/** No rule lets out fees without end. */
function maxFeeOf({ perWindow, maxFeePerWindow }: LimitText): NonNullable<Limit['maxFee']> {
  const amount = maxFeePerWindow === undefined ? usualFee : unitsOf(maxFeePerWindow);
  const isUsual = maxFeePerWindow === undefined;
  return { hours: usualFeeHours, over: 'rule', ...perWindow, amount, isUsual };
}

/** A quorum of nobody would approve everything. */
function readApproval(reading: PolicyReading, rule: ApprovalText, path: Path): Approval {
  const { id, hours, need, of, within } = rule;
  const kind = rule.with === 'any' ? undefined : rule.with;
  checkGroup(reading, of, [...path, 'of']);
  const members = ableOf(reading, rule);
  if (members !== undefined && members.length < need) {
    const able = kind === undefined ? '' : ` with a key of that kind (${kind})`;
    const has = `@${of} has ${members.length}${able}`;
    reading.fault([...path, 'need'], `${need} persons are needed, and ${has}. Add people to it`);
  }
  return { id, above: unitsOf(rule.above), hours, need, of, within, with: kind };
}

/** The persons of a group who have a key that counts for a rule. */
function ableOf({ groups, people }: PolicyReading, { of, with: kind }: ApprovalText) {
  const wanted = kind === 'any' ? undefined : kind;
  const isAble = (line: string): boolean => isOfKind(line, wanted);
  return groups.get(of)?.filter((person) => (people.get(person) ?? []).some(isAble));
}

/** A passkey shows what the host of its console shows, so nobody opens the highest tier by chance. */
function checkHighest(
  { text, people, fault }: PolicyReading,
  approvals: readonly Approval[],
): void {
  const hasPasskeys = [...people.values()].flat().some(isPasskeyLine);
  if (!hasPasskeys) return;
  const [highest] = [...approvals].sort((one, other) => (isHigher(one, other) ? -1 : 1));
  const at = text.rules.findIndex(({ id }) => id === highest?.id);
  const rule = text.rules[at];
  if (rule?.kind !== 'approval' || rule.with !== undefined) return;
  const words =
    `${shown(rule.id)} is the highest approval, and does not say which keys count. ` +
    'Give with: ssh, or with: any if passkeys may decide about every amount';
  fault(['rules', at], words);
}

/** A quorum must be there without each person who may sign: a signer never approves. */
function checkQuorums(reading: PolicyReading, limits: readonly Limit[]): void {
  const { text, groups, fault } = reading;
  const signing = limits.flatMap(({ signedBy }) => groups.get(signedBy ?? '') ?? []);
  for (const [at, rule] of text.rules.entries()) {
    const members = rule.kind === 'approval' ? ableOf(reading, rule) : undefined;
    if (rule.kind !== 'approval' || members === undefined) continue;
    const { id, need, of } = rule;
    const signer = signing.find((person) => members.includes(person));
    if (signer === undefined || members.length !== need) continue;
    const words =
      `${shown(id)} needs ${need} of ${members.join(', ')}, and a signer never counts: an order ` +
      `that ${signer} signs has only ${need - 1}. Add people to @${of}`;
    fault(['rules', at, 'need'], words);
  }
}

function readDeny(reading: PolicyReading, rule: DenyText, path: Path): Deny {
  const { id, orders, wallets, tokens, to } = rule;
  return {
    id,
    orders: orders && new Set(orders),
    wallets: wallets && lowerSet(wallets),
    money: tokens && readTokens(reading, tokens, [...path, 'tokens']),
    to: to === undefined ? undefined : readRecipients(reading, to, [...path, 'to']),
  };
}

function readScreen(
  reading: PolicyReading,
  { id, by, beyond }: ScreenText,
  { path, folder }: { path: Path; folder: string },
): Screen {
  checkBeyond(reading, beyond, path);
  if (typeof by === 'string') return { id, by: { kind: by }, beyond };
  if ('url' in by) return { id, by: { kind: 'url', url: by.url }, beyond };
  return { id, by: { kind: 'list', path: resolve(folder, by.list), hours: by.hours }, beyond };
}

function readCalls({ fault }: PolicyReading, given: NonNullable<LimitText['calls']>, path: Path) {
  return given.flatMap(({ contract, function: signature }, index): NamedCall[] => {
    const abi = functionOf(signature);
    if (abi !== undefined) {
      return [{ contract: contract.toLowerCase(), signature, selector: toFunctionSelector(abi) }];
    }
    fault([...path, index, 'function'], `${shown(signature)} is not the signature of a function`);
    return [];
  });
}

function unitsOf(amount: string): bigint {
  return toBaseUnits(amount, policyDecimals);
}
