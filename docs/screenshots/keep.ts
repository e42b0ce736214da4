import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './browser';

/** Has the browser remember one of its user's wishes, as Temporal UI stores them. */
export async function remember(page: Page, key: string, value: unknown): Promise<void> {
  const text = JSON.stringify(JSON.stringify(value));
  await page.run(`localStorage.setItem(${JSON.stringify(key)}, ${text})`);
}

/** Keeps a picture beside this file, where the documentation finds it. */
export function keep(name: string, picture: Buffer): void {
  writeFileSync(join(__dirname, `${name}.png`), picture);
  tell(`${name}.png: ${Math.round(picture.length / 1024)} kB`);
}

/** Says how far it has come. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
