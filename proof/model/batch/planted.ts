import type { Edit } from '../../sweep/planted/edit';
import { type BatchScope, oneRun } from './scopes';

/** A way to get batches wrong, and the world in which that must show. */
type BatchFault = { name: string; edits: readonly Edit[]; scope: BatchScope };

const folder = 'workflows/payout/shard';

function fault(
  name: string,
  powers: Partial<BatchScope>,
  ...edits: readonly (readonly [file: string, find: string, replace: string])[]
): BatchFault {
  return {
    name,
    scope: { ...oneRun, name: 'planted', ...powers },
    edits: edits.map(([name, find, replace]) => {
      const file = name.startsWith('workflows/') ? name : `${folder}/${name}`;
      return { file, find, replace };
    }),
  };
}

const aloneRetried = { lines: 'ab', sizes: [2], failing: 1, retries: 1 };
const resetSkip = { lines: 'ab', sizes: [2], resets: 1, skips: true };
const restoredSkip = { lines: 'ab', sizes: [2], restores: 1, skips: true };
const endedTwice = { lines: 'ab', sizes: [2, 2, 2], strays: 1, silent: true };
const resetThenEnded = { lines: 'ab', sizes: [2, false], resets: 1, strays: 1 } as const;
const endedWithoutWord = { sizes: [3, 2], strays: 1, silent: true };

/** None of them is in the product: each is planted in a copy of its rules. */
export const batchFaults: readonly BatchFault[] = [
  fault('a line moved to a batch after an attempt', { lines: 'ab', sizes: [false, 2], strays: 1 }, [
    'batches/batches.ts',
    "stage === 'ready' && tries === 'clean'",
    "stage === 'ready'",
  ]),
  fault('a wait for late requests that ends with its run', endedTwice, [
    'open/takeUp.ts',
    'known.get(item)?.isHeld ?? !known.has(item)',
    '!known.has(item)',
  ]),
  fault('a reset run that says what it does not remember', resetThenEnded, [
    'results.ts',
    'hasForgotten(shard) || ',
    '',
  ]),
  fault('two equal lines in one batch', { lines: 'aab' }, [
    'batches/batches.ts',
    'line.to.toLowerCase()',
    'line.item',
  ]),
  fault('a revert believed before it is proven', { accountType: 'SCA', bundles: true }, [
    'open/newShard.ts',
    'step === batchStep ? { ...terms, checksReceipts: true, mustProve: true } : terms',
    'step === batchStep ? { ...terms, checksReceipts: false } : terms',
  ]),
  // A batch that has paid counts for its lines, so that the first fault alone pays nobody twice.
  fault(
    "a failed line's neighbours retried too, and their old batch does not count",
    { failing: 1 },
    [
      'batches/endBatch.ts',
      "const hadNoEffect = stage === 'refused' ||",
      "const hadNoEffect = stage === 'refused' || batch.unpaid !== undefined ||",
    ],
    [
      'batches/adopt.ts',
      'const effective = own.filter(({ record }) => !claimsNoEffect(record));',
      'const effective: FoundBatch[] = [];',
    ],
  ),
  fault('a line that failed alone adopted for ever', aloneRetried, [
    'batches/adopt.ts',
    '!unpaidIn.includes(item),',
    'true,',
  ]),
  fault('a batch adopted without its lines', { sizes: [3, 2], months: 1 }, [
    'batches/adopt.ts',
    'else members.set(batch, [...(members.get(batch) ?? []), line]);',
    'else if (members.has(batch)) counting.push(line);\n    else members.set(batch, [line]);',
  ]),
  fault('the run after an end does not wait for late requests', endedWithoutWord, [
    'open/takeUp.ts',
    'untilMs: left.endedAtMs + shard.opened.lookupGraceMs',
    'untilMs: left.endedAtMs',
  ]),
  fault('a signal ends the wait for late requests', endedWithoutWord, [
    'steer.ts',
    'shard.held.clear();',
    'shard.held.clear();\n  delete shard.carried.heldBack;',
  ]),
  fault('a reset run that makes batches at once', { resets: 1, strays: 1 }, [
    'shard.ts',
    'batchesFrom.length === 0 || doubtedAtMs === undefined ? 0',
    'batchesFrom.length >= 0 || doubtedAtMs === undefined ? 0',
  ]),
  fault('a reset run that sends what it was about to send', { resets: 1, refuses: true }, [
    'send.ts',
    'if (!wasReset(shard) ||',
    'if (shard.lines.length > 0 ||',
  ]),
  fault('a batch that a reset run remembers keeps its lines', resetSkip, [
    'batches/adopt.ts',
    '(isUnderWay && isListed)',
    'isUnderWay',
  ]),
  fault('a line that is skipped before its look-up is batched', { skips: true }, [
    'batches/batches.ts',
    "tries === 'clean' && isStillWanted(shard, line)",
    "tries === 'clean'",
  ]),
  fault('halves under the keys of before', {}, [
    'batches/endBatch.ts',
    'generation: generation + 1, isProven',
    'generation, isProven',
  ]),
  fault('a line that failed alone is called paid', { failing: 1 }, [
    'workflows/write/machine/lines.ts',
    "const hadEffect = stage === 'completed' && failedAlone === undefined;",
    "const hadEffect = stage === 'completed';",
  ]),
  fault(
    'a batch that may have been sent makes way for a skip',
    { lines: 'ab', skips: true, loses: true },
    [
      'batches/batches.ts',
      "(stage === 'unseen' || stage === 'ready') && tries === 'clean';",
      "(stage === 'unseen' || stage === 'ready');",
    ],
  ),
  fault('a batch of lines that were looked up long ago', restoredSkip, [
    'workflows/write/machine/lines.ts',
    'Math.min(...lines.map((line) => line.lookedUpAtMs ?? 0))',
    'nowMs',
  ]),
  fault('batches of earlier runs are not looked for', { sizes: [3, 2], months: 1 }, [
    'batches/adopt.ts',
    'const [batch, ...others] = batchesWith(shard, line, found);',
    'const [batch, ...others] = batchesWith(shard, line, { ...found, batches: [] });',
  ]),
  fault(
    "the chain's answer about lines taken as of the moment at which it came",
    { lines: 'ab', sizes: [2], accountType: 'SCA', bundles: true },
    [
      'reading.ts',
      'transactionId: ids[at], askedAtMs });',
      'transactionId: ids[at], askedAtMs: Date.now() });',
    ],
  ),
];
