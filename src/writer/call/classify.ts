import { type Hex, toFunctionSignature } from 'viem';
import { encodeCall } from '../../custody/abi/callData';
import { functionOf } from '../../custody/abi/functionOf';
import { batchStep } from '../../custody/batch';
import { toBaseUnits } from '../../custody/objects/amount';
import { shown } from '../../orders/input/shown';
import { templateParameters } from '../../orders/input/templates';
import { issueInWords } from '../../orders/input/words';
import { policyDecimals } from '../file/policy';
import { effectsOfCall, type PolicyTokens, type Tail } from './callEffects';
import { type CallEffect, NotUnderstood, type PayingWallet } from './effects';
import type { Identity } from './identity';
import type { JudgedCall } from './shapes';

/** Facts that the writer reads by itself. */
export type Facts = {
  blockchain: string;
  tokens: PolicyTokens;
  walletById(id: string): Promise<PayingWallet>;
  walletByAddress(address: string): Promise<PayingWallet>;
};

/** The wallet that pays for a call, and all that the call brings about. */
export type Classified = { wallet: PayingWallet | undefined; effects: readonly CallEffect[] };

const nothing: Classified = { wallet: undefined, effects: [] };

/**
 * Finds out what a signed call does, from its final input and the writer's own reads. Throws
 * NotUnderstood for whatever it cannot tell. Cancel and accelerate concern another write.
 */
export async function classify(
  call: JudgedCall,
  { parts: { step } }: Pick<Identity, 'parts'>,
  facts: Facts,
): Promise<Classified> {
  switch (call.method) {
    case 'createTransfer':
      return ofTransfer(call.input, facts);
    case 'executeContract':
      return ofExecution(call.input, { ...facts, tail: step === batchStep ? 'mark' : 'nothing' });
    case 'deployTemplate':
      return ofDeployment(call.input, facts);
    case 'createWallets':
      onChain(call.input.blockchains[0], facts);
      return nothing;
    default:
      return nothing;
  }
}

type Input<Method extends JudgedCall['method']> = Extract<JudgedCall, { method: Method }>['input'];

async function ofTransfer(input: Input<'createTransfer'>, facts: Facts): Promise<Classified> {
  onChain(input.blockchain, facts);
  const amount = unitsOf(input.amounts[0]);
  if (amount === 0n) throw new NotUnderstood('Its amount is zero, and a fee is paid all the same.');
  const money = facts.tokens.moneyOf(input.tokenAddress);
  const to = input.destinationAddress.toLowerCase();
  const wallet = await facts.walletByAddress(input.walletAddress);
  return { wallet, effects: [{ kind: 'money', money, amount, to }] };
}

async function ofExecution(
  input: Input<'executeContract'>,
  facts: Facts & { tail: Tail },
): Promise<Classified> {
  const wallet = await facts.walletById(input.walletId);
  const contract = input.contractAddress.toLowerCase();
  const value = unitsOf(input.amount ?? '0');
  const call = { contract, value, data: callDataOf(input) };
  const effects = await effectsOfCall(call, { ...facts, wallet });
  if (effects.some((effect) => effect.kind === 'money' && effect.amount === 0n)) {
    throw new NotUnderstood('It moves an amount of zero, and a fee is paid all the same.');
  }
  if (effects.length === 0) throw new NotUnderstood('It is a batch without calls.');
  return { wallet, effects };
}

async function ofDeployment(input: Input<'deployTemplate'>, facts: Facts): Promise<Classified> {
  onChain(input.blockchain, facts);
  refuseExtra(input);
  const wallet = await facts.walletById(input.walletId);
  const found = new Set(addressesIn(input.templateParameters));
  found.delete(wallet.address);
  return { wallet, effects: [{ kind: 'deployment', recipients: [...found] }] };
}

/** Refuses parameters that a known template does not have. The service says what is missing. */
function refuseExtra({ id, templateParameters: given }: Input<'deployTemplate'>): void {
  const read = templateParameters[id.toLowerCase()]?.safeParse(given, { error: issueInWords });
  const extra = read?.error?.issues.find(
    ({ code, path: [field] }) => code === 'unrecognized_keys' || String(field) in given,
  );
  if (extra === undefined) return;
  const field = ['templateParameters', ...extra.path].join('.');
  throw new NotUnderstood(`${field}: ${extra.message}.`);
}

/** The bytes that the service makes of a signature and its parameters. */
export function callDataOf(
  input: Pick<Input<'executeContract'>, 'abiFunctionSignature'> & {
    abiParameters: readonly unknown[];
  },
): Hex {
  const { abiFunctionSignature: signature, abiParameters: parameters } = input;
  const abi = functionOf(signature);
  // Another spelling could be read otherwise by the service.
  if (abi === undefined || toFunctionSignature(abi) !== signature) {
    throw new NotUnderstood(
      `${shown(signature)} is not the plain signature of a function, ` +
        'such as "mintTo(address,uint256)".',
    );
  }
  try {
    return encodeCall(abi, parameters);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    throw new NotUnderstood(`The parameters do not fit ${signature}: ${reason}.`);
  }
}

/** Every address in a value, at any depth, also inside longer texts and names. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return (value.match(/0x[0-9a-f]{40}/gi) ?? []).map(lower);
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flat().flatMap(addressesIn);
}

function onChain(blockchain: string, facts: Facts): void {
  if (blockchain === facts.blockchain) return;
  throw new NotUnderstood(`It is for ${blockchain}, and this writer serves ${facts.blockchain}.`);
}

function unitsOf(amount: string): bigint {
  try {
    return toBaseUnits(amount, policyDecimals);
  } catch (error) {
    throw new NotUnderstood(error instanceof Error ? error.message : String(error));
  }
}

function lower(text: string): string {
  return text.toLowerCase();
}
