import { getAddress } from 'viem';
import { leafOf, rootFrom } from '../../authority/lineTree';
import type { RequestStatement } from '../../authority/statement';
import type { LineProof } from '../../orders/input/signed';
import { walletOfLine } from '../../orders/payout/walletOfLine';
import { NotUnderstood } from '../call/effects';
import type { UnderstoodCall } from '../call/understoodCall';
import type { Moneys } from '../file/money';

/**
 * Refuses a line that is none of those that were signed, or that another wallet pays. The leaf is
 * made of the call itself, so that only the token's word comes from the proof.
 */
export function refuseForeignLine(
  { money, lines }: Pick<RequestStatement, 'money' | 'lines'>,
  { call, identity, classified, line }: UnderstoodCall & { line: LineProof | undefined },
  { moneys }: { moneys: Moneys },
): void {
  const { step, item: lineId } = identity.parts;
  if (lines === undefined) throw new NotUnderstood('Its request names no lines of its payout.');
  if (call.method !== 'createTransfer' || step !== 'line') {
    throw new NotUnderstood(`The payout that was signed makes no write ${step}/${lineId}.`);
  }
  if (line === undefined) throw new NotUnderstood(`The line ${lineId} comes without its proof.`);
  const { destinationAddress, amounts, tokenAddress } = call.input;
  const { index, token, path } = line;
  if (moneys.addressOf(token) !== tokenAddress.toLowerCase()) {
    throw new NotUnderstood(`The line ${lineId} pays ${token}, not ${tokenAddress || 'native'}.`);
  }
  const to = getAddress(destinationAddress);
  const leaf = leafOf(index, { lineId, to, amount: amounts[0], token });
  if (rootFrom({ leaf, index, all: Number(lines.count), path }) !== lines.root) {
    throw new NotUnderstood(
      `The line ${lineId}, of ${amounts[0]} ${token} to ${to}, is none of those that were signed.`,
    );
  }
  const wallets = Array.isArray(money.wallets) ? money.wallets : [];
  const payer = wallets[walletOfLine(lineId, wallets.length)];
  if (payer === classified.wallet?.id) return;
  throw new NotUnderstood(`The line ${lineId} is paid by ${payer}, not ${classified.wallet?.id}.`);
}
