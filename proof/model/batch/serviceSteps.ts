import { idOf } from '../loop/records';
import type { Parts } from './part';
import type { BatchScope } from './scopes';
import type { BatchStep, BatchWorld, Record, Request } from './world';
import { isOf, nameOf, wordsOf } from './world';

/** Things that happen at the service, in the network and on the chain, and with time. */
export function serviceSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  const steps = world.records.flatMap((record, id) => {
    const step = (what: string, change: Partial<Record>): BatchStep => ({
      words: `${what.replace('it', wordsOf(record))}.`,
      world: withRecord(world, id, change),
      helps: true,
    });
    return [
      ...(record.isListed ? [] : [step('The list shows it', { isListed: true })]),
      ...(record.state === 'PENDING'
        ? endings(record, parts.scope).map(([what, end]) => step(what, end))
        : []),
      ...(record.isLoose
        ? [
            step('Somebody bundles it again, and it pays', { ...paysAll(record), ...bundled }),
            step('Its nonce is used by something else, so that it is dead', { isLoose: false }),
          ]
        : []),
    ];
  });
  return [...steps, ...arrivals(world, parts), older(world, parts)];
}

const bundled = { isLoose: false, paidFor: 0 };

type Ending = readonly [words: string, end: Partial<Record>];

function endings(record: Record, scope: BatchScope): Ending[] {
  const { pays } = record;
  const { failing, accountType } = scope;
  const isBatch = pays.length > 1;
  const others = pays.flatMap(([line]) => (line === failing ? [] : [line]));
  const mayFailAlone = accountType === 'EOA' && isBatch && others.length < pays.length;
  return [
    ['The service completes it', { state: 'COMPLETE', ...paysAll(record) }],
    ['It is reverted', { state: 'FAILED' }],
    ...(scope.refuses ? [['The service cancels it', { state: 'CANCELLED' }] as const] : []),
    ...(mayFailAlone
      ? [[`It pays all but ${nameOf(failing ?? 0)}`, { state: 'COMPLETE', paid: others }] as const]
      : []),
    ...(scope.bundles && accountType === 'SCA'
      ? [['The bundle with it reverts', { state: 'FAILED', isLoose: true }] as const]
      : []),
  ];
}

function paysAll({ pays }: Record): Pick<Record, 'paid'> {
  return { paid: pays.map(([line]) => line) };
}

function withRecord(world: BatchWorld, id: number, change: Partial<Record>): BatchWorld {
  const records = world.records.map((own, at) => (at === id ? { ...own, ...change } : own));
  return { ...world, records };
}

/**
 * A request arrives. The service replays the transaction of a key that it remembers. Returns the id
 * of the transaction.
 */
export function deliver(
  world: BatchWorld,
  request: Request,
  { loses }: BatchScope,
): { world: BatchWorld; id: string } {
  const known = world.records.findIndex((one) => isOf(one, request) && one.isKeyKnown);
  if (known >= 0) return { world, id: idOf(known) };
  const flags = { isLoose: false, isListed: !loses, isKeyKnown: true };
  const record: Record = { ...request, state: 'PENDING', paid: [], ...flags };
  // A copy that is still under way changes nothing any more.
  const strays = world.strays.filter((one) => !isOf(one, request));
  const records = [...world.records, record];
  return { world: { ...world, records, strays }, id: idOf(world.records.length) };
}

function arrivals(world: BatchWorld, parts: Parts): BatchStep[] {
  return world.strays.map((request) => {
    const strays = world.strays.filter((one) => one !== request);
    const { world: after } = deliver({ ...world, strays }, request, parts.scope);
    const words = `A late request arrives: ${wordsOf(request)}.`;
    return { words, world: after, helps: true };
  });
}

/**
 * One grace period later. The list shows what was accepted. A request that has not arrived is lost,
 * and nobody bundles a reverted operation any more.
 */
function older(world: BatchWorld, parts: Parts): BatchStep {
  const after: BatchWorld = {
    ...world,
    part: world.run === 'open' && world.part ? parts.places.older(world.part) : world.part,
    isLongOver: world.run === 'closed',
    strays: [],
    records: world.records.map(({ paidFor, ...one }) => ({
      ...one,
      isListed: true,
      isLoose: false,
      ...(paidFor === 0 ? { paidFor: 1 } : {}),
    })),
  };
  return { words: 'A grace period passes.', world: after, helps: true };
}
