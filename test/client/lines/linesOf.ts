import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileReading, mapOf } from '../../../src/client/lines/columns';
import { openLines } from '../../../src/client/lines/linesFile';
import { type Survey, survey, surveyedLines } from '../../../src/client/lines/survey';
import type { ReadLine } from '../../../src/orders/payout';

export const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
export const other = '0x1111111111111111111111111111111111111111';

/** A folder for files of one test file, and what stands in them as lines of a payout. */
export function filesOfLines() {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-lines-'));
  const write = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const open = (name: string, text: string | Buffer, options: Options = {}) =>
    openLines(write(name, text), {
      token: options.token,
      ignored: new Set(options.ignored),
      mapped: mapOf(options.map ?? []),
      currency: options.currency,
      convert: options.convert,
    });
  /** The lines of a file, and its totals. */
  const read = async (...args: Parameters<typeof open>): Promise<Survey & { all: ReadLine[] }> => {
    const file = open(...args);
    const surveyed = await survey(file);
    const all: ReadLine[] = [];
    for await (const line of surveyedLines(file, surveyed)) all.push(line);
    return { ...surveyed, all };
  };
  /** The sentences that refuse a file. Throws when it is accepted. */
  const refusal = async (...args: Parameters<typeof open>): Promise<string[]> => {
    const outcome = await read(...args).catch((error: unknown) => error);
    if (!(outcome instanceof Error)) throw new Error(`Accepted: ${JSON.stringify(outcome)}`);
    expect(outcome.name).toBe('InputError');
    return outcome.message.replaceAll(`${folder}/`, '').split('\n  ');
  };
  return { folder, write, open, read, refusal, remove: () => rmSync(folder, { recursive: true }) };
}

type Options = Partial<Pick<FileReading, 'token' | 'currency' | 'convert'>> & {
  ignored?: string[];
  map?: string[];
};
