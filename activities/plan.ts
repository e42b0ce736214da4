import { toBaseUnits } from '../src/custody/amount';
import type { CustodyApi } from '../src/custody/endpoints';
import { idempotencyKey } from '../src/custody/idempotencyKey';
import { templateIds } from '../src/custody/template';
import {
  callOf,
  collectionOf,
  deploymentOf,
  itemMintOf,
  mintOf,
  transferOf,
  walletSetOf,
  walletsOf,
} from '../src/orders/doing';
import type { OrderKind, ReadOrder } from '../src/orders/kinds';
import type { Fee, Plan } from '../src/orders/plan';
import { counted, partLinesMax } from '../src/orders/tally';
import { heldBy } from './estimate';
import type { FirstLook } from './firstLook';
import type { Ready } from './resolveOrder';

/** An order as its guard has opened it, and what that has found. */
export type Opened<Kind extends OrderKind = OrderKind> = Ready<Kind> & {
  fee?: Fee | undefined;
  firstLook?: FirstLook | undefined;
  completed?: unknown;
};

/** A write of a plan: its path, and what it does. */
type Write = { path: string; doing: string };
type Steps = { writes: Write[]; notes: string[] };

/** What an order would do. Only reads; the keys are those that the order itself would use. */
export async function planOf<Kind extends OrderKind>(
  custody: CustodyApi,
  opened: Opened<Kind>,
): Promise<Plan> {
  const { workflowId, kind, order, fee } = opened;
  const { writes, notes } = await steps[kind](opened, custody);
  const planned = writes.map(({ path, doing }) => {
    const [step = '', item = ''] = path.split('/');
    const generation = order.generations[path] ?? 0;
    const key = idempotencyKey({ workflowId, step, item, generation });
    return { target: `${path}#${generation}`, doing, key };
  });
  return {
    ...{ dryRun: true, workflowId, kind, writes: planned },
    ...(fee === undefined ? {} : { fee }),
    notes: [...notes, ...earlierNotes(opened)],
  };
}

/** Why some of it would not be done again. */
function earlierNotes({ completed, firstLook }: Opened): string[] {
  if (completed !== undefined) {
    return ['This order was completed before: its receipt would be returned, and nothing sent.'];
  }
  const { found, path = '' } = firstLook ?? {};
  return found === undefined || found.traces.length === 0
    ? []
    : [`The service has ${path} of this order already: the order would go on from it.`];
}

/** What each kind of order does, in the order in which its workflow does it. */
const steps: {
  [Kind in OrderKind]: (opened: Opened<Kind>, custody: CustodyApi) => Steps | Promise<Steps>;
} = {
  provisionWallets: ({ order }) => wrote(provisioning(order)),
  deployContract: ({ order, wallet }) => wrote(deploying(order, wallet?.address ?? '')),
  mintTokens: ({ order }) => wrote([{ path: 'mint/1', doing: mintOf(order.amount, order.to) }]),
  executeContract: ({ order }) => {
    const doing = callOf(order.abiFunctionSignature, order.contractAddress);
    return wrote([{ path: 'execute/1', doing }]);
  },
  fundWallet: async (opened, custody) => {
    const { wallet, token, order } = opened;
    if (wallet === undefined || token === undefined) return wrote([]);
    const { address } = wallet;
    const held = await heldBy({ custody, blockchain: opened.blockchain }, wallet, token);
    const holds = `${address} holds ${held?.amount ?? '0'} ${token.name}`;
    if (BigInt(held?.baseUnits ?? 0) >= toBaseUnits(order.amount, token.decimals)) {
      return { writes: [], notes: [`${holds}, which is enough.`] };
    }
    return funding(opened, `${holds}.`, address);
  },
  transferStablecoin: ({ order }) => wrote([transferring(order, order.to)]),
  sweepWallets: ({ order, wallets = [] }) => {
    const writes = wallets.map(({ address }, index) => ({
      path: `sweep/${index + 1}`,
      doing: collectionOf(order.token, address),
    }));
    return { writes, notes: ['A wallet that holds no more than it keeps is left as it is.'] };
  },
  deploymentSequence: ({ order }) => {
    const wallets = provisioning({ ...order, count: 1, accountType: 'SCA' });
    return wrote([...wallets, ...deploying(order, 'its wallet')]);
  },
  transferSequence: (opened) => {
    const { order } = opened;
    const { writes, notes } = funding(opened, 'The first wallet is new.', 'its first wallet');
    const wallets = provisioning({ ...order, count: 2 });
    return { writes: [...wallets, ...writes, transferring(order, 'its second wallet')], notes };
  },
  payout: ({ order: { lines } }) => {
    const more = (lines?.length ?? 0) - partLinesMax;
    const writes = (lines ?? []).slice(0, partLinesMax).map(({ lineId, amount, token, to }) => ({
      path: `line/${lineId}`,
      doing: transferOf(amount, token, to),
    }));
    if (more > 0) return { writes, notes: [`And ${counted(more, 'line')} more.`] };
    const notes = ['Its lines are handed over part by part, and nothing is paid before the seal.'];
    return { writes, notes: lines === undefined ? notes : [] };
  },
};

function wrote(writes: Write[]): Steps {
  return { writes, notes: [] };
}

function provisioning(wanted: { name: string; count: number; accountType: string }): Write[] {
  const { name, count, accountType } = wanted;
  return [
    { path: 'walletSet/1', doing: walletSetOf(name) },
    { path: 'wallets/1', doing: walletsOf(count, accountType) },
  ];
}

type Deployment = Pick<ReadOrder<'deployContract'>, 'name' | 'template' | 'mint'>;

function deploying({ name, template, mint }: Deployment, deployer: string): Write[] {
  const deployment = { path: 'deploy/1', doing: deploymentOf(name) };
  if (mint === undefined) return [deployment];
  const { to = deployer, amount = '1' } = mint;
  const isItem = template === templateIds.uniqueItem || template === templateIds.multiToken;
  const items = template === templateIds.uniqueItem ? undefined : amount;
  const doing = isItem ? itemMintOf(items, to) : mintOf(amount, to);
  return [deployment, { path: 'mint/1', doing }];
}

function transferring({ amount, token }: { amount: string; token: string }, to: string): Write {
  return { path: 'transfer/1', doing: transferOf(amount, token, to) };
}

type Funded = Opened<'fundWallet'> | Opened<'transferSequence'>;

/** How the money comes to a wallet that lacks it. */
function funding({ order, treasury }: Funded, why: string, to: string): Steps {
  const { amount, token, source } = order;
  if (treasury !== undefined) {
    const doing = transferOf(amount, token, to);
    return { writes: [{ path: 'fund/1', doing }], notes: [`${why} The treasury sends it.`] };
  }
  const how =
    source === 'faucet'
      ? 'The faucet is asked, which takes no key, and the balance is waited for.'
      : `The order waits until somebody sends ${amount} ${token} to ${to}.`;
  return { writes: [], notes: [`${why} ${how}`] };
}
