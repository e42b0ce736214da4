import { one } from '../scopes';
import type { LoopScope } from './world';

export const plainLoop: LoopScope = { ...one, name: '', generations: 1, errors: false };

/** The worlds in which the loop runs. */
export const loopScopes: readonly LoopScope[] = [
  { ...plainLoop, name: 'one run' },
  { ...plainLoop, name: 'one run, wrong answers', errors: true },
  { ...plainLoop, name: 'a late request', strays: 1 },
  { ...plainLoop, name: 'started again', starts: 2, generations: 2 },
  { ...plainLoop, name: 'a reset', resets: 1, strays: 1 },
  { ...plainLoop, name: 'receipts', lies: true },
];
