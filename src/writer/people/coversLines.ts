import { getAddress } from 'viem';
import { batchStep } from '../../custody/batch';
import type { LineProof } from '../../orders/input/signed';
import type { LineTarget } from '../../orders/payout/lineTarget';
import { walletOfLine } from '../../orders/payout/walletOfLine';
import type { PolicyTokens } from '../call/callEffects';
import { NotUnderstood } from '../call/effects';
import type { UnderstoodCall } from '../call/understoodCall';
import type { Moneys } from '../file/money';
import { leafOf, rootFrom } from '../signing/lineTree';
import type { SignedLines } from '../signing/signedLines';
import type { RequestStatement } from '../signing/statement';
import { paymentsIn } from './paymentsIn';

/**
 * The lines that a write pays. Refuses one that is none of those that were signed, or that another
 * wallet pays. The leaves are made of the call itself, so that only the token's word comes from the
 * proof.
 */
export async function coveredLines(
  { money, lines: signed }: Pick<RequestStatement, 'money'> & { lines: SignedLines },
  { proof, ...asked }: UnderstoodCall & { proof: LineProof | undefined },
  { moneys, tokens }: { moneys: Moneys; tokens: PolicyTokens },
): Promise<LineTarget[]> {
  const { identity, classified } = asked;
  const { token = '', lines = [], others = [] } = proof ?? {};
  const payments = await paymentsIn(asked, lines, tokens);
  const leaves = new Map<number, string>();
  const paid: LineTarget[] = [];
  for (const [at, { to, amount, tokenAddress }] of payments.entries()) {
    const line = lines[at];
    if (line === undefined) throw new NotUnderstood(unproven(identity.parts, at));
    const { lineId, generation, index } = line;
    if (moneys.addressOf(token) !== tokenAddress.toLowerCase()) {
      const own = tokenAddress || 'native';
      throw new NotUnderstood(`The line ${lineId} pays ${token}, not ${own}.`);
    }
    refuseOtherWallet(money.wallets, lineId, classified.wallet?.id);
    leaves.set(index, leafOf(index, { lineId, to: getAddress(to), amount, token }));
    paid.push({ lineId, generation });
  }
  const isWhole = leaves.size === payments.length && lines.length === payments.length;
  const root = isWhole ? rootFrom({ leaves, all: Number(signed.count), others }) : undefined;
  if (root === signed.root) return paid;
  const [first] = payments;
  const isBatch = identity.parts.step === batchStep;
  const one = `The line ${lines[0]?.lineId}, of ${first?.amount} ${token} to ${first?.to}, is`;
  const many = `Of the ${payments.length} lines of its batch, at least one is`;
  throw new NotUnderstood(`${isBatch ? many : one} none of those that were signed.`);
}

function unproven({ step, item }: { step: string; item: string }, at: number): string {
  const what = step === batchStep ? `payment ${at} of the batch` : 'line';
  return `The ${what} ${item} comes without its proof.`;
}

function refuseOtherWallet(wallets: unknown, lineId: string, own: string | undefined): void {
  const all: readonly unknown[] = Array.isArray(wallets) ? wallets : [];
  const payer = all[walletOfLine(lineId, all.length)];
  if (payer === own) return;
  throw new NotUnderstood(`The line ${lineId} is paid by ${payer}, not ${own}.`);
}
