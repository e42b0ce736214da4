import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { startChild } from '../../../src/local/childProcess';
import { freePorts } from '../../../src/local/freePorts';

/** The path of a program, or undefined when it is not installed. */
export function programOf(name: string): string | undefined {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** One sample of a query's answer. */
export type Sample = { metric: Record<string, string>; value: number };

export type Prometheus = {
  /** The current value of an expression. Throws when the expression is invalid. */
  query(expr: string): Promise<Sample[]>;
  stop(): Promise<void>;
};

/** A real Prometheus that scrapes programs every half second. */
export async function startPrometheus(
  program: string,
  targets: readonly string[],
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const job = { job_name: 'steadfast', static_configs: [{ targets }] };
  writeFileSync(config, JSON.stringify({ global, scrape_configs: [job] }));
  const [port = 0] = await freePorts([0]);
  const child = startChild({
    command: [
      program,
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env: bareEnvironment(),
  });
  const url = `http://127.0.0.1:${port}`;
  for (let look = 0; look < 1_000; look++) {
    if (await isReady(`${url}/-/ready`)) break;
    await sleep(50);
  }
  return {
    query: async (expr) => {
      const body = new URLSearchParams({ query: expr });
      const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body });
      const answer = (await response.json()) as Answer;
      if (answer.status !== 'success') throw new Error(`${expr}: ${answer.error}`);
      const { result } = answer.data;
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const global = { scrape_interval: '500ms', scrape_timeout: '500ms' };

type Answer =
  | { status: 'error'; error: string }
  | {
      status: 'success';
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
