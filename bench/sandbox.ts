import { createPrivateKey } from 'node:crypto';
import { readSandboxConfig } from '../sandbox/config/config';
import { readSecrets } from '../sandbox/config/secrets';
import type { Bench, Measure } from './measure';
import { startBareChain } from './sandbox/bareChain';
import { bundledTransfersPerS } from './sandbox/bundled';
import { decryptionsPerS } from './sandbox/cipher';
import { type Filling, fillStore, timeLists } from './sandbox/lists';
import { timeReads, writesPerS } from './sandbox/reads';
import { settledPerS } from './sandbox/settle';
import { signedTransfersPerS } from './sandbox/signedInline';
import { createRichWallets, startTarget, type Target } from './sandbox/target';
import { timeTransfers } from './sandbox/transfers';

/** The number of transfers of each measure. */
const counts = { overHttp: 500, settleEoa: 2_000, settleSca: 1_000 };

/** The speed of the sandbox, next to what the cipher and the chain alone allow. */
export const benchSandbox: Bench = async ({ rounds, isEarly }) => [
  ...(await benchTransfers(rounds, isEarly)),
  ...(await benchLists(rounds)),
];

/** The values of each round, by measure. */
type Rounds = Record<string, number[]>;

function note(rounds: Rounds, name: string, value: number): void {
  rounds[name] = [...(rounds[name] ?? []), value];
}

async function benchTransfers(rounds: number, isEarly: () => boolean): Promise<Measure[]> {
  const { cacheFolder } = readSandboxConfig();
  const { privateKey } = await readSecrets({ ...readSandboxConfig(), dataDir: undefined });
  const bare = await startBareChain(cacheFolder);
  const target = await startTarget();
  try {
    const wallets = await warmUp(target);
    const taken: Rounds = {};
    for (let round = 1; round <= rounds && isEarly(); round += 1) {
      console.error(`sandbox: round ${round} of ${rounds}`);
      const values = {
        cipher: decryptionsPerS(createPrivateKey(privateKey)),
        ...(await signedTransfersPerS(bare)),
        bundled: await bundledTransfersPerS(bare),
        ...(await timeTarget(target, wallets)),
      };
      for (const [name, value] of Object.entries(values)) note(taken, name, value);
    }
    return transferMeasures(taken);
  } finally {
    await target.stop();
    await bare.chain.stop();
  }
}

type Wallets = Record<'eoas' | 'scas', Awaited<ReturnType<typeof createRichWallets>>>;

/** Deploys the smart accounts by a first operation, which is not measured. */
async function warmUp(target: Target): Promise<Wallets> {
  console.error('sandbox: creating 50 EOA and 500 SCA wallets');
  const eoas = await createRichWallets(target, { count: 50, accountType: 'EOA' });
  const scas = await createRichWallets(target, { count: 500, accountType: 'SCA' });
  await timeTransfers(target, { wallets: eoas, count: eoas.length });
  await timeTransfers(target, { wallets: scas, count: scas.length });
  return { eoas, scas };
}

async function timeTarget(target: Target, { eoas, scas }: Wallets) {
  const eoa = await timeTransfers(target, { wallets: eoas, count: counts.overHttp });
  const sca = await timeTransfers(target, { wallets: scas, count: counts.overHttp });
  return {
    eoaAccepted: eoa.acceptedPerS,
    eoaSettled: eoa.settledPerS,
    scaAccepted: sca.acceptedPerS,
    scaSettled: sca.settledPerS,
    eoaPipeline: await settledPerS(target, { wallets: eoas, count: counts.settleEoa }),
    scaPipeline: await settledPerS(target, { wallets: scas, count: counts.settleSca }),
    ...(await timeReads(target, eoas)),
  };
}

function transferMeasures(taken: Rounds): Measure[] {
  const of = (name: string): number[] => taken[name] ?? [];
  const cipher = { name: 'cipher', values: of('cipher') };
  const signedInline = { name: 'signed inline', values: of('signedInline') };
  const bundled = { name: 'bundled', values: of('bundled') };
  const perS = (name: string, key: string): Measure => ({ name, unit: '/s', values: of(key) });
  const http = { bound: cipher, goal: { atLeast: 0.8 } };
  return [
    perS('cipher: 4,096-bit decryptions on one core', 'cipher'),
    perS('chain: transfers of 50 EOAs, signed before', 'signedBefore'),
    perS('chain: the same, signed inline', 'signedInline'),
    perS('chain: operations of 50 smart accounts, bundled', 'bundled'),
    { ...perS('EOA transfers over HTTP, accepted', 'eoaAccepted'), ...http },
    { ...perS('EOA transfers over HTTP, settled', 'eoaSettled'), ...http },
    { ...perS('SCA transfers over HTTP, accepted', 'scaAccepted'), ...http },
    { ...perS('SCA transfers over HTTP, settled', 'scaSettled'), ...http },
    {
      ...perS('EOA transfers, settling alone', 'eoaPipeline'),
      bound: signedInline,
      goal: { atLeast: 0.5 },
    },
    {
      ...perS('SCA transfers, settling alone', 'scaPipeline'),
      bound: bundled,
      goal: { atLeast: 0.5 },
    },
    {
      ...perS(`status reads, beside ${writesPerS} writes/s`, 'readsPerS'),
      goal: { atLeast: 2_000 },
    },
    { name: 'status reads, p99', unit: 'ms', values: of('p99Ms'), goal: { atMost: 50 } },
  ];
}

async function benchLists(rounds: number): Promise<Measure[]> {
  console.error('sandbox: storing 100,000 transactions');
  const fillings: Filling[] = [];
  const target = await startTarget((dataDir) => fillings.push(fillStore(dataDir)));
  const emptyTarget = await startTarget();
  const [filling] = fillings;
  const full: Rounds = {};
  const empty: Rounds = {};
  try {
    // The first round is not counted: code that runs for the first time is slow.
    for (let round = 0; round <= rounds && filling !== undefined; round += 1) {
      const times = await timeLists({ full: target, empty: emptyTarget }, filling);
      for (const { name, fullMs, emptyMs } of round === 0 ? [] : times) {
        note(full, name, fullMs);
        note(empty, name, emptyMs);
      }
    }
  } finally {
    await target.stop();
    await emptyTarget.stop();
  }
  return Object.entries(full).map(([name, values]) => ({
    name: `list ${name}, 100,000 stored`,
    unit: 'ms',
    values,
    bound: { name: 'none stored', values: empty[name] ?? [] },
    goal: { atMost: 2 },
  }));
}
