import { graceMs, keyLifetimeMs, nowMs, type Scope } from '../world';
import { listed } from './service';
import type { LoopWorld } from './world';

/** The write of the order, and its workflow. */
export const path = 'transfer/1';
export const workflowId = 'transfer-model';
const blockchain = 'ARC-TESTNET';
const wallet = { walletId: 'wallet', address: `0x${'11'.repeat(20)}`, accountType: 'EOA' };
const to = `0x${'22'.repeat(20)}`;
const token = { name: 'USDC', address: `0x${'36'.repeat(20)}`, decimals: 6, ids: [] };

/** The fields of a record of this write, besides its end. */
export function recordFields(amount: string) {
  const { walletId, address: sourceAddress } = wallet;
  return { blockchain, walletId, sourceAddress, destinationAddress: to, amounts: [amount] };
}

/** The order as somebody starts it, with a generation. */
export function orderOf(generation: number): { generations: Record<string, number> } {
  return { generations: generation === 0 ? {} : { [path]: generation } };
}

/** The guard's answer to a run: what Temporal knows of the runs before, and what the list shows. */
export function openedBy(world: LoopWorld, given: ReturnType<typeof orderOf>, scope: Scope) {
  const { known, findings } = world;
  const hasRun = known.age > 0 || known.isLogless || known.log.some((tries) => tries !== '');
  const writes = Object.fromEntries(
    known.log.flatMap((tries, at) => (tries === '' ? [] : [[`${path}#${at}`, tries]])),
  );
  const asked = given.generations[path] ?? 0;
  const generation = Math.max(asked, known.generation);
  const order = { ...orderOf(generation), to, amount: '1', feeLevel: 'MEDIUM' };
  const memory = { money: {}, baseUrl: '', blockchain, ...orderOf(asked), findings };
  const earlier = {
    bornAtMs: hasRun ? nowMs - known.age * graceMs : nowMs,
    writes,
    others: known.isLogless ? 'ambiguous' : 'clean',
    generations: {},
    findings,
  };
  const terms = { keyLifetimeMs, lookupGraceMs: graceMs, checksReceipts: scope.lies };
  const firstLook = { path, found: listed(world) };
  return { order, blockchain, ...terms, wallet, token, memory, earlier, firstLook };
}
