import type { KeyParts } from '../../custody/idempotencyKey';
import { type Reference, refHash } from '../../custody/reference';
import { namedIdOf } from '../../orders/input/orderId';
import type { Signed } from '../../orders/input/signed';
import { NotUnderstood } from '../../writer/call/effects';
import type { Policy } from '../../writer/file/policy';
import { type Ledger, LedgerError } from '../../writer/ledger/ledger';
import { signatoryOf } from '../../writer/people/signatory';
import { type FindingStatement, textOf } from '../../writer/signing/statement';
import { readSigned, signWith } from '../approval/signing';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';
import { reportNo } from '../order/reportAct';

/** The group of the people whose finding releases a write. */
const group = 'operators';

/**
 * Gives back what an unknown write holds in its windows, on the signed word of an operator that it
 * had no effect. The write is never sent again under its key.
 */
export async function releaseWrite(policy: Policy, ledger: Ledger, call: Call): Promise<ExitCode> {
  const { flags, voice, terminal } = call;
  const parts = await partsKnown(partsIn(flags), ledger, terminal.env);
  const reference = referenceOf(parts);
  const statement = textOf(await statementOf(ledger, reference, parts));
  if (flags.statement === true) {
    terminal.stdout.write(statement);
    return exitCodes.done;
  }
  const operators = policy.groups.get(group) ?? [];
  if (operators.length === 0) {
    throw new InputError(`The policy has no group ${group}. Add one, with the people who may.`);
  }
  const given = flags.signature === undefined ? undefined : readSigned(flags, 'finding');
  if (given === undefined && flags.key === undefined) {
    throw new InputError('--key: is missing. Give your SSH key, or --signature.');
  }
  voice.note(statement);
  const isAgreed = given !== undefined || flags.yes === true || !isSomebodyThere(terminal);
  if (!isAgreed && !(await askYesNo('Sign that it had no effect?', terminal))) {
    return reportNo(parts.workflowId, call, 'Nothing was signed.');
  }
  const signed = given ?? (await signWith(String(flags.key), statement, 'finding'));
  if (signed.statement !== statement) {
    throw new InputError('--signature: it is of another text. Sign the one of --statement.');
  }
  const person = operatorBehind(policy, signed, operators);
  await ledger.found(reference, { person, ...signed }).catch(refuse);
  const words = `${person} has released it. Its key is never used again.`;
  voice.answer({ order: parts.workflowId, person, statement }, [words]);
  return exitCodes.done;
}

async function statementOf(
  ledger: Ledger,
  reference: Reference,
  { workflowId: order, step, item, generation }: KeyParts,
): Promise<FindingStatement> {
  const known = await ledger.known(reference);
  if (known?.firstMs === undefined) {
    throw new InputError(`--target: the ledger has no write ${step}/${item} of ${order}.`);
  }
  const target = `${step}/${item}#${generation}`;
  const firstAttempt = new Date(known.firstMs).toISOString();
  const attempts = String(known.attempts);
  return { ledger: ledger.id, order, target, found: 'no effect', firstAttempt, attempts };
}

function partsIn({ id, target }: Flags): KeyParts {
  const [, step, item, generation] = /^([^/]+)\/(.+)#(\d{1,9})$/.exec(String(target)) ?? [];
  if (step === undefined || item === undefined) {
    throw new InputError(
      `--target: ${target} names no write. Give its step, item and generation, as in line/a#0.`,
    );
  }
  return { workflowId: String(id), step, item, generation: Number(generation) };
}

/** The write of an order that is named without its scope. A ledger has those of others, too. */
async function partsKnown(
  parts: KeyParts,
  ledger: Ledger,
  { STEADFAST_KEY_SCOPE: keyScope = '' }: NodeJS.ProcessEnv,
): Promise<KeyParts> {
  const own = { ...parts, workflowId: namedIdOf(parts.workflowId, keyScope) };
  return (await ledger.known(referenceOf(own))) === undefined ? parts : own;
}

function referenceOf(parts: KeyParts): Reference {
  return { hash: refHash(parts), generation: parts.generation };
}

function operatorBehind(policy: Policy, signed: Signed, operators: readonly string[]): string {
  try {
    const { person } = signatoryOf(policy, signed, 'finding');
    if (operators.includes(person)) return person;
    throw new InputError(
      `${person} is not in the group ${group}, which is ${operators.join(', ')}.`,
    );
  } catch (error) {
    if (error instanceof NotUnderstood) throw new InputError(error.message);
    throw error;
  }
}

function refuse(error: unknown): never {
  if (error instanceof LedgerError) throw new InputError(`Nothing was released. ${error.message}`);
  throw error;
}
