import type { SceneName } from '../scenes/scenes';
import type { Edit } from './edit';

/** A way to get it wrong, and the scenes in which that must show. */
export type Bug = { name: string; edits: readonly Edit[]; scenes: readonly SceneName[] };

/** The engine looks a refused write up once more before it ends. Here it does not. */
const endsUnseen: Edit = {
  file: 'workflows/write/machine/machine.ts',
  find: "return moved({ ...state, isRefused: true }, 'unseen', { why });",
  replace: "return moved(state, 'refused', { why });",
};

/** None of them is in the product: each is planted in a copy of it, and swept there. */
export const bugs: readonly Bug[] = [
  {
    name: 'key from the run id',
    edits: [
      {
        file: 'activities/attempt.ts',
        find: 'idempotencyKey: idempotencyKey(parts),',
        replace: `idempotencyKey: idempotencyKey({
        ...parts,
        workflowId: Context.current().info.workflowExecution?.runId ?? '',
      }),`,
      },
    ],
    scenes: ['unlisted'],
  },
  {
    name: 'generation raised for the whole order',
    edits: [
      {
        file: 'workflows/write/writes.ts',
        find: 'const generation = order.generations[path] ?? 0;',
        replace: 'const generation = Math.max(0, ...Object.values(order.generations));',
      },
    ],
    scenes: ['deployedAnew'],
  },
  {
    name: "a lost worker's try taken as not sent",
    edits: [
      {
        file: 'workflows/order/activities.ts',
        find: "return { type: 'Again', message, facts: { ambiguous: true } };",
        replace: "return { type: 'Again', message, facts: { ambiguous: false } };",
      },
    ],
    scenes: ['cancelledAsSent'],
  },
  {
    name: 'guard only in the client',
    edits: [
      {
        file: 'activities/guard/openOrder.ts',
        find: 'const { completed, decided, ...earlier } = await compareRuns(memory, runs, order);',
        replace: `const { completed, decided, ...earlier }: EarlierRuns & {
    completed?: unknown;
    decided: typeof memory;
  } = {
    ...{ bornAtMs: Date.now(), writes: {}, others: 'clean', generations: {}, decided: memory },
  };`,
      },
    ],
    scenes: ['usedId'],
  },
  {
    name: 'key made inside the activity',
    edits: [
      {
        file: 'activities/attempt.ts',
        find: 'idempotencyKey: idempotencyKey(parts),',
        replace: 'idempotencyKey: crypto.randomUUID(),',
      },
    ],
    scenes: ['workerLost'],
  },
  {
    name: 'joined-string key with colliding ids',
    edits: [
      {
        file: 'src/custody/idempotencyKey.ts',
        find: 'uuidOf([workflowId, step, item, generation]);',
        replace: `uuidOf([
    [workflowId, ...(generation === 0 ? [] : [generation]), step, item].join(':'),
  ]);`,
      },
    ],
    scenes: ['numberedIds'],
  },
  {
    name: 'ambiguous try treated as refused',
    edits: [
      {
        file: 'src/custody/outcome.ts',
        find: 'when: isA(NoAnswerError), outcome: ambiguous }',
        replace: 'when: (error, call) => call.write && isA(NoAnswerError)(error), outcome: stop }',
      },
      endsUnseen,
    ],
    scenes: ['serviceLost'],
  },
  {
    name: 'unparsable answer after a write treated as failed',
    edits: [
      {
        file: 'src/custody/outcome.ts',
        find: 'when: isA(UnexpectedAnswerError), outcome: ambiguous }',
        replace:
          'when: (error, call) => call.write && isA(UnexpectedAnswerError)(error), outcome: stop }',
      },
      endsUnseen,
    ],
    scenes: ['garbled'],
  },
  {
    name: 'look-up that stops at the first page',
    edits: [
      {
        file: 'src/store/index/reader.ts',
        find: 'if (found.length === 0 || (isOlder && now.isMet)) {',
        replace: 'if (found.length >= 0) {',
      },
    ],
    scenes: ['longList'],
  },
  {
    name: 'generation lost at continue-as-new',
    edits: [
      {
        file: 'workflows/order/wait.ts',
        find: 'await next({ memo })(live.order, live.carried);',
        replace: `for (const state of Object.values(live.carried.writes)) {
    state.generation = 0;
  }
  await next({ memo })(live.order, live.carried);`,
      },
    ],
    scenes: ['resubmitted'],
  },
  {
    name: 're-applied update that counts again',
    edits: [
      {
        file: 'workflows/order/handlers.ts',
        find: 'validator: (finding) => refuseUnfit(live, finding),',
        replace: 'validator: (_finding: Finding) => undefined,',
      },
    ],
    scenes: ['decided'],
  },
  {
    name: 'cancel not awaited',
    edits: [
      {
        file: 'workflows/write/write.ts',
        find: '    stopWhenAsked(live);',
        replace: '    if (live.carried.cancelAsked) throw cancellation();',
      },
    ],
    scenes: ['cancelledLate'],
  },
  {
    name: 'record not compared with the order',
    edits: [
      {
        file: 'workflows/write/machine/machine.ts',
        find: 'if (faults.length > 0) {',
        replace: 'if (faults.length > 99) {',
      },
    ],
    scenes: ['forgottenId'],
  },
  {
    name: 'key of a line from the shard',
    edits: [
      {
        file: 'workflows/write/writes.ts',
        find: 'const { workflowId } = payout ?? workflowInfo();',
        replace: 'const { workflowId } = workflowInfo();',
      },
    ],
    scenes: ['recut'],
  },
  {
    name: 'line to wallet by balance',
    edits: [
      {
        file: 'activities/payout/addPart.ts',
        find: `const placed = lines.map((line) => ({
        ...line,
        wallet: walletOfLine(line.lineId, terms.wallets.length),
      }));`,
        replace: `const held: number[] = [];
      for (const { walletId: id } of terms.wallets) {
        const { tokenBalances } = await custody.listBalances({ id, includeAll: true });
        held.push(Math.max(0, ...tokenBalances.map(({ amount }) => Number(amount))));
      }
      const placed = lines.map((line) => ({ ...line, wallet: held.indexOf(Math.max(...held)) }));`,
      },
    ],
    scenes: ['refilled'],
  },
  {
    name: 'results lost at continue-as-new',
    edits: [
      {
        file: 'workflows/write/drive.ts',
        find: 'await continueWhenLong(live);',
        replace: `Object.assign(live.carried, { writes: {} });
      await continueWhenLong(live);`,
      },
    ],
    scenes: ['keyless'],
  },
  {
    name: 'period from the wall clock',
    edits: [
      {
        file: 'activities/periods.ts',
        find: 'const period = periodAt(template, nominalMs, timeZone);',
        replace: 'const period = periodAt(template, Date.now(), timeZone);',
      },
    ],
    scenes: ['backfilled'],
  },
];
