import type { PartOptions } from '../../parts';
import { startChainArena, startStub } from '../arena';
import type { BatchResults, Course } from '../results';
import { dbos, script } from '../rivals/rivals';
import { measureRounds } from '../rounds';
import { steadfast } from '../steadfast';

/** The hosted service accepts five writes a second, so single transfers take a while. */
const singleLines = 48;
/** Some sixty writes. */
const smallLines = 1_500;
const wideLines = 5_000;

type Part<Name extends keyof BatchResults> = Required<BatchResults>[Name];
type Measured<Name extends keyof BatchResults> = Promise<
  Omit<Part<Name>, 'date' | 'machine' | 'command' | 'settleMs'>
>;

/** Measures all ways on the stub, at the hosted limits. */
export function measureStub(options: PartOptions): Measured<'stub'> {
  const most = options.linesMax;
  const courses: Course[] = [
    { accountType: 'EOA', wallets: 1, lines: Math.min(most, singleLines) },
    { accountType: 'EOA', wallets: 1, linesMax: 25, lines: Math.min(most, smallLines) },
    { accountType: 'EOA', wallets: 1, linesMax: 100, lines: most },
    { accountType: 'EOA', wallets: 1, linesMax: 200, lines: Math.min(most, wideLines) },
    { accountType: 'SCA', wallets: 20, linesMax: 100, lines: Math.min(most, wideLines) },
  ];
  const contenders = [script, dbos, steadfast];
  return measureRounds(options, { contenders, courses, arena: startStub });
}

/** Measures durable ways on the sandbox with its real chain, at the hosted limits. */
export function measureChain(options: PartOptions): Measured<'chain'> {
  const lines = options.linesMax;
  const courses: Course[] = [
    { accountType: 'EOA', wallets: 1, linesMax: 100, lines },
    { accountType: 'SCA', wallets: 20, linesMax: 100, lines: Math.min(lines, wideLines) },
  ];
  const contenders = [dbos, steadfast];
  return measureRounds(options, { contenders, courses, arena: startChainArena });
}

const gasSizes = [undefined, 25, 100, 200];
/** Two parts, so that batches of each size are whole. */
const gasLines = 800;

/** Measures the gas of a line, alone and in batches of each size, on the real chain. */
export async function measureGas(options: PartOptions): Measured<'gas'> {
  const courses = (['EOA', 'SCA'] as const).flatMap((accountType) =>
    gasSizes.map((linesMax): Course => {
      const lines = linesMax === undefined ? 20 : gasLines;
      return { accountType, wallets: 1, lines, ...(linesMax === undefined ? {} : { linesMax }) };
    }),
  );
  const plan = { contenders: [steadfast], courses, arena: startChainArena };
  const { columns } = await measureRounds(options, plan);
  return { columns };
}

const [usualBaseFee, dearBaseFee] = [20, 160];
/** The priority fee of the level MEDIUM, in gwei. */
const priorityFee = 3.39;
const capLines = 3_000;

/**
 * Measures what the service's fee cap leaves at a base fee of 160 gwei. The sandbox's base fee
 * stays at 20, and its cap is lowered so that it leaves the same gas.
 */
export async function measureCap(options: PartOptions): Measured<'cap'> {
  const offered = (baseFee: number): number => 2 * baseFee + priorityFee;
  const feeCap = (offered(usualBaseFee) / offered(dearBaseFee)).toFixed(6);
  const lines = Math.min(options.linesMax, capLines);
  const courses: Course[] = [100, 75, 50].map((linesMax) => {
    return { accountType: 'EOA', wallets: 1, linesMax, lines };
  });
  const arena = () => startChainArena({ feeCap });
  const { columns } = await measureRounds(options, { contenders: [steadfast], courses, arena });
  return { feeCap, baseFee: dearBaseFee, columns };
}
