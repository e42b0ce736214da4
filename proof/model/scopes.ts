import type { Scope } from './world';

/** One order that is started once, with nothing that goes wrong but lost answers. */
export const one: Scope = {
  name: '',
  generations: 2,
  strays: 0,
  starts: 1,
  resets: 0,
  restores: 0,
  cancels: true,
  answers: true,
  lies: false,
  errs: false,
  loses: false,
  usedId: false,
};

/** The worlds that are explored to their ends in seconds. */
export const smallScopes: readonly Scope[] = [
  { ...one, name: 'one run' },
  { ...one, name: 'one run, receipts', lies: true, generations: 1 },
  { ...one, name: 'one run, no node, a service that errs', errs: true, generations: 1 },
  { ...one, name: 'one run, a lost record', loses: true, generations: 1 },
  { ...one, name: 'one run, receipts, a lost record', lies: true, loses: true, generations: 1 },
  { ...one, name: 'an id used before', usedId: true, starts: 2 },
  { ...one, name: 'started again', starts: 2, generations: 1 },
  { ...one, name: 'a reset', resets: 1, generations: 1 },
  { ...one, name: 'Temporal restored', restores: 1 },
  { ...one, name: 'a late request', strays: 1, generations: 1 },
];

/** Each power at its largest. They take minutes. */
export const largeScopes: readonly Scope[] = [
  { ...one, name: 'three generations, two late requests', strays: 2, generations: 3 },
  { ...one, name: 'three generations, started three times', starts: 3, generations: 3 },
  { ...one, name: 'started again, a late request', strays: 1, starts: 2 },
  { ...one, name: 'started again, two late requests', strays: 2, starts: 2, generations: 1 },
  { ...one, name: 'a late request, receipts', strays: 1, lies: true },
  { ...one, name: 'started again, receipts', starts: 2, lies: true },
  { ...one, name: 'one run, receipts, three generations', lies: true },
  { ...one, name: 'started again, no node, a service that errs', starts: 2, errs: true },
  { ...one, name: 'two resets', resets: 2 },
  { ...one, name: 'Temporal restored, started again', restores: 1, starts: 2 },
];
