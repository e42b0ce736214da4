import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './browser';

/** Stores a setting in the browser, in the form of Temporal UI. */
export async function remember(page: Page, key: string, value: unknown): Promise<void> {
  const text = JSON.stringify(JSON.stringify(value));
  await page.run(`localStorage.setItem(${JSON.stringify(key)}, ${text})`);
}

/** Writes a picture beside this file, where the documentation finds it. */
export function keep(name: string, picture: Buffer): void {
  writeFileSync(join(__dirname, `${name}.png`), picture);
  tell(`${name}.png: ${Math.round(picture.length / 1024)} kB`);
}

/** Prints a line of progress. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
