import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { tellReport } from './report';
import { soak } from './run';

const usage = 'npm run soak -- [--minutes N] [--seed N] [--orders N]';
const walletsEach = 6;

async function main(): Promise<void> {
  const { minutes, seed, atOnce } = readArguments();
  const startedAtMs = Date.now();
  const tell = (line: string): void => {
    console.error(`${((Date.now() - startedAtMs) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
  };
  tell(`soak of ${minutes} minutes with seed ${seed}, ${atOnce} orders at a time`);
  const report = await soak({ minutes, seed, atOnce, walletsEach, tell });
  for (const line of tellReport(report)) console.log(line);
  const total = Math.round((Date.now() - startedAtMs) / 1_000);
  console.log(
    `\nSeed ${seed}, on ${availableParallelism()} cores, Node ${process.versions.node}, ` +
      `in ${total} s: ${report.findings.length} findings.`,
  );
  process.exit(report.findings.length === 0 ? 0 : 1);
}

function readArguments(): { minutes: number; seed: number; atOnce: number } {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '3' },
        seed: { type: 'string', default: '1' },
        orders: { type: 'string', default: '250' },
      },
    });
    const [minutes, seed, atOnce] = [values.minutes, values.seed, values.orders].map(Number);
    if (!(minutes !== undefined && minutes > 0 && minutes <= 720)) {
      throw new Error(`--minutes: ${values.minutes} is no number of minutes from 0.1 to 720.`);
    }
    if (seed === undefined || !Number.isInteger(seed) || seed < 0 || seed > 1_000_000) {
      throw new Error(`--seed: ${values.seed} is no whole number from 0 to 1000000.`);
    }
    if (atOnce === undefined || !Number.isInteger(atOnce) || atOnce < 1 || atOnce > 1_000) {
      throw new Error(`--orders: ${values.orders} is no whole number from 1 to 1000.`);
    }
    return { minutes, seed, atOnce };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
    process.exit(2);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
