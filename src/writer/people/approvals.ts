import { type ApprovalWanted, allLines, type Weighed } from '../../custody/objects/approval';
import type { Authority, Decision } from '../../orders/input/signed';
import type { Classified } from '../call/classify';
import { NotUnderstood } from '../call/effects';
import type { Identity } from '../call/identity';
import { aheadMaxMs } from '../clock';
import type { Moneys } from '../file/money';
import type { Approval, Policy } from '../file/policy';
import { plain } from '../judge';
import type { DecisionMemory, Rejection } from '../ledger/decision';
import type { Ledger } from '../ledger/ledger';
import type { Screened } from '../screen/screening';
import { signatureDigest } from '../signing/digest';
import type { SignedLines } from '../signing/signedLines';
import { type ApprovalStatement, textOf } from '../signing/statement';
import type { Requester } from './requester';
import { ageFault, kindFault, signatoryOf } from './signatory';

const hourMs = 3_600_000;

/** The decisions of people on one write. */
export type PeopleDecision =
  | { kind: 'approved'; by: string[] }
  | { kind: 'open'; wanted: ApprovalWanted; faults: string[] };

type Facts = {
  policy: Policy;
  ledger: Pick<Ledger, 'id'> & DecisionMemory;
  moneys: Moneys;
  nowMs: number;
};

type Asked = {
  identity: Identity;
  classified: Classified;
  authority: Authority;
  requester: Requester | undefined;
  /** The verdicts that people have to know of before they decide. */
  verdicts: readonly Screened[];
};

/** `alone`: this write. `whole`: for a line of a payout, all lines with one signature. */
type Extent = 'alone' | 'whole';

/**
 * The rejection that a write carries. One is final, whether or not people are asked now. Throws
 * NotUnderstood for one that cannot be verified, as where it was signed for an older text. To leave
 * a signature away is easier than to forge a rejection. A person without a say in any approval
 * rejects nothing.
 */
export function rejectionOf(asked: Asked, facts: Facts): Rejection | undefined {
  const { requester, authority } = asked;
  const rejections = authority.decisions?.filter(({ purpose }) => purpose === 'rejection') ?? [];
  if (requester === undefined || rejections.length === 0) return undefined;
  const { approvals, groups } = facts.policy;
  const people = approvals.flatMap(({ of }) => groups.get(of) ?? []);
  const expires = new Date(facts.nowMs);
  const extents: Extent[] = ['alone', 'whole'];
  const statements = extents.map((extent) =>
    statementOf(requester, { ...asked, extent }, { ...facts, expires }),
  );
  const { parts } = asked.identity;
  for (const { purpose, target, expires, signature } of rejections) {
    const own = statements.find(({ write }) => write.target === target);
    if (own === undefined) continue;
    try {
      const signed = { statement: textOf({ ...own, expires }), signature };
      const { person } = signatoryOf(facts.policy, signed, purpose);
      const isOfAll = target === allLines;
      if (people.includes(person)) return { parts, isOfAll, person, signature };
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      const way = 'Start another order if it is to be paid.';
      throw new NotUnderstood(`It carries a rejection. ${error.message} ${way}`);
    }
  }
  return undefined;
}

/** Counts the approvals that a write carries. Persons count, not keys, and the requester never does. */
export async function decisionsOn(
  approval: Approval,
  asked: Asked & { extent: Extent },
  facts: Facts,
): Promise<PeopleDecision> {
  const { id: rule, need, of, within } = approval;
  const { decisions = [] } = asked.authority;
  if (asked.requester === undefined) {
    throw new NotUnderstood(`The rule ${rule} asks people about a signed order, and it is not.`);
  }
  const latest = facts.nowMs + within * hourMs;
  const wanted = statementOf(asked.requester, asked, { ...facts, expires: new Date(latest) });
  const members = facts.policy.groups.get(of) ?? [];
  const people = members.filter((person) => person !== asked.requester?.person);
  const weighed = await weigh(decisions, { approval, wanted, people, facts, latest });
  const given = weighed.flatMap(({ person }) => person ?? []);
  const faults = weighed.flatMap(({ fault }) => fault ?? []);
  if (given.length >= need) return { kind: 'approved', by: given };
  const { target } = wanted.write;
  const asks = { target, statement: textOf(wanted), rule, need, people, given, weighed };
  return { kind: 'open', wanted: asks, faults };
}

/** A rejection that has come this far is of somebody who has no say. */
async function weigh(decisions: readonly Decision[], weighing: Weighing): Promise<Weighed[]> {
  const given = new Set<string>();
  const weighed: Weighed[] = [];
  for (const decision of decisions) {
    const people = decision.purpose === 'approval' ? weighing.people : [];
    const found = await personBehind(decision, { ...weighing, people });
    if (found === undefined) continue;
    const digest = signatureDigest(decision.signature);
    if ('fault' in found) weighed.push({ digest, ...found });
    else if (given.has(found.person)) {
      const fault = `${found.person} has approved it before, and counts once`;
      weighed.push({ digest, fault });
    } else {
      given.add(found.person);
      weighed.push({ digest, person: found.person });
    }
  }
  return weighed;
}

type Weighing = {
  approval: Approval;
  wanted: ApprovalStatement;
  people: readonly string[];
  facts: Facts;
  latest: number;
};

/** The person who has decided, or why the decision does not count. Undefined: on another write. */
async function personBehind(
  decision: Decision,
  { approval, wanted, people, facts, latest }: Weighing,
): Promise<{ person: string } | { fault: string } | undefined> {
  try {
    const { purpose, target, expires, signature } = decision;
    if (target !== wanted.write.target) return undefined;
    const statement = textOf({ ...wanted, expires });
    const signatory = signatoryOf(facts.policy, { statement, signature }, purpose);
    const { person } = signatory;
    if (!people.includes(person)) return { fault: `${person} may not decide on it` };
    const expiresMs = Date.parse(expires);
    const decided = `the ${purpose} of ${person}`;
    if (expiresMs <= facts.nowMs) return { fault: `${decided} has expired` };
    // The clock that asked may have been ahead of the clock that counts.
    const isLong = expiresMs > latest + aheadMaxMs;
    if (isLong) return { fault: `${decided} counts for longer than the rule allows` };
    const seen = { memory: facts.ledger, nowMs: facts.nowMs, purpose };
    const fault = kindFault(approval, signatory) ?? (await ageFault(signatory, seen));
    return fault === undefined ? { person } : { fault };
  } catch (error) {
    if (error instanceof NotUnderstood) return { fault: error.message };
    throw error;
  }
}

function statementOf(
  { statement: { periods: _, period: __, signedAt: ___, ...statement } }: Requester,
  { identity, classified, verdicts, extent }: Asked & { extent: Extent },
  { ledger, moneys, expires }: Pick<Facts, 'ledger' | 'moneys'> & { expires: Date },
): ApprovalStatement {
  const { workflowId: order, step, item, generation } = identity.parts;
  const effects = classified.effects.map((effect) => {
    if (effect.kind === 'call') return { ...effect };
    if (effect.kind === 'deployment') return { ...effect, recipients: [...effect.recipients] };
    return { ...effect, money: moneys.nameOf(effect.money), amount: plain(effect.amount) };
  });
  const target = `${step}/${item}#${generation}`;
  // Without the evidence, whose words change: two people may sign on different days.
  const found = verdicts.map(({ rule: { id: rule }, check, kind: verdict, address }) => {
    if (check !== undefined) return { kind: 'check', rule, check, address };
    return { kind: 'screening', rule, verdict, address };
  });
  const all = [...effects, ...found];
  const one = { target, wallet: classified.wallet?.id ?? '', effects: all };
  const { lines } = statement;
  const write = lines === undefined || extent === 'alone' ? one : allOf(lines);
  // A person approves the order of this period alone, not the schedule.
  return { ...statement, order, ledger: ledger.id, expires: expires.toISOString(), write };
}

/** A payout is decided on as a whole: one signature counts for each of its lines. */
function allOf({ count, totals }: SignedLines): ApprovalStatement['write'] {
  const to = `${count} lines`;
  const effects = Object.entries(totals).map(([money, amount]) => {
    return { kind: 'money', money, amount, to };
  });
  return { target: allLines, wallet: '', effects };
}
