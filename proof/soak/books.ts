import type { Address } from 'viem';
import type { ChainReader, Ledger } from './chain';
import type { Running } from './load';
import type { Cast, SoakWallet, Token } from './order';

/** The result of a comparison: a line for each agreement, and one for each difference. */
export type Verdict = { agreements: string[]; findings: string[] };

/** The balance of each wallet before any order, and the block in which it was read. */
export type Opening = {
  block: bigint;
  /** The next full second. No block and no record from before has this time or a later one. */
  untilMs: number;
  balances: ReadonlyMap<string, bigint>;
  supply: Supply;
};

type Supply = Record<Token, bigint>;

const moved = ['USDC', 'EURC'] as const satisfies Token[];
const minted = [...moved, 'minted'] as const satisfies Token[];

/** Reads where the books begin. */
export async function openBooks(chain: ChainReader, cast: Cast): Promise<Opening> {
  const balances = new Map<string, bigint>();
  for (const money of moved) {
    for (const { address } of holdersOf(cast)) {
      balances.set(placeOf(money, address), await chain.balance(money, address));
    }
  }
  const supply = await readSupply(chain);
  const untilMs = (Math.floor(Date.now() / 1_000) + 1) * 1_000;
  return { block: await chain.blockNumber(), untilMs, balances, supply };
}

/** The wallets whose balances are compared. */
function holdersOf({ wallets, piggies }: Cast): readonly SoakWallet[] {
  return [...wallets, ...piggies];
}

type BooksParts = {
  chain: ChainReader;
  cast: Cast;
  opening: Opening;
  ledger: Ledger;
  /** The real movements of native orders. */
  coins: readonly CoinMovement[];
};

export type CoinMovement = { from: Address; to: Address; baseUnits: bigint };

/**
 * Compares balances with movements, to the base unit, for each wallet and money. It compares the
 * sums as well: money that nobody mints or burns stays the same.
 */
export async function judgeBooks(parts: BooksParts): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const money of moved) verdicts.push(await judgeMoney(parts, money));
  verdicts.push(await judgeSupply(parts));
  return {
    agreements: verdicts.flatMap(({ agreements }) => agreements),
    findings: verdicts.flatMap(({ findings }) => findings),
  };
}

async function judgeMoney(parts: BooksParts, money: (typeof moved)[number]): Promise<Verdict> {
  const { chain, cast, opening, ledger } = parts;
  const findings: string[] = [];
  const held = { before: 0n, after: 0n, fees: 0n };
  const flows = flowsOf(parts, money);
  for (const { address } of holdersOf(cast)) {
    const before = opening.balances.get(placeOf(money, address)) ?? 0n;
    const after = await chain.balance(money, address);
    const fees = money === 'USDC' ? (ledger.fees.get(address) ?? 0n) : 0n;
    const expected = before + (flows.get(address) ?? 0n) - fees;
    held.before += before;
    held.after += after;
    held.fees += fees;
    if (after === expected) continue;
    findings.push(`wallet ${address} holds ${after} base units of ${money}, not ${expected}`);
  }
  const wallets = new Set(holdersOf(cast).map(({ address }) => address));
  const others = [...flows.keys()].filter((address) => !wallets.has(address));
  for (const address of others) held.after += await chain.balance(money, address);
  const { before, after, fees } = held;
  if (before !== after + fees) {
    findings.push(`all holders of ${money}: ${before} base units became ${after}, fees ${fees}`);
  }
  if (findings.length > 0) return { agreements: [], findings };
  const paid = money === 'USDC' ? ` and ${fees} paid for gas` : '';
  const agreement =
    `${money}: ${wallets.size} wallets hold what the chain's record of movements leaves them; ` +
    `${before} base units at the beginning, ${after} in all hands at the end${paid}`;
  return { agreements: [agreement], findings };
}

/**
 * The sum that each address has received, less the sum that it has sent. USDC moves by its contract
 * and as the native coin.
 */
function flowsOf({ ledger, coins }: BooksParts, money: Token): Map<Address, bigint> {
  const logged = ledger.movements.filter((movement) => movement.money === money);
  const movements = money === 'USDC' ? [...logged, ...coins] : logged;
  const flows = new Map<Address, bigint>();
  const add = (address: Address, baseUnits: bigint): void => {
    flows.set(address, (flows.get(address) ?? 0n) + baseUnits);
  };
  for (const { from, to, baseUnits } of movements) {
    add(from, -baseUnits);
    add(to, baseUnits);
  }
  return flows;
}

/** Nobody mints the coins meanwhile. The token's supply is the minted amount. */
async function judgeSupply({ chain, opening, ledger }: BooksParts): Promise<Verdict> {
  const now = await readSupply(chain);
  const mintedUnits = ledger.movements
    .filter(({ money }) => money === 'minted')
    .reduce((sum, { baseUnits }) => sum + baseUnits, 0n);
  const findings = minted.flatMap((money) => {
    const expected = opening.supply[money] + (money === 'minted' ? mintedUnits : 0n);
    if (now[money] === expected) return [];
    return [`the supply of ${money} is ${now[money]} base units, not ${expected}`];
  });
  const agreement = `supplies: USDC, EURC unchanged; ${mintedUnits} base units of the token minted`;
  return { agreements: findings.length === 0 ? [agreement] : [], findings };
}

async function readSupply(chain: ChainReader): Promise<Supply> {
  const [USDC, EURC, token] = await Promise.all([
    chain.supply('USDC'),
    chain.supply('EURC'),
    chain.supply('minted'),
  ]);
  return { USDC, EURC, minted: token };
}

/** Reads the movements of native orders from the balances of addresses that nobody else pays. */
export async function readCoins(
  chain: ChainReader,
  orders: Iterable<Running>,
): Promise<CoinMovement[]> {
  const coins: CoinMovement[] = [];
  for (const { order } of orders) {
    if (order.money !== 'native') continue;
    const baseUnits = await chain.balance('USDC', order.to);
    if (baseUnits > 0n) coins.push({ from: order.from.address, to: order.to, baseUnits });
  }
  return coins;
}

function placeOf(money: Token, address: Address): string {
  return `${money} ${address}`;
}
