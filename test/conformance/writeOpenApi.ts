import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../../src/sandbox/openapi/document';

/** Where the description can be read without a sandbox. */
export const file = join(__dirname, '..', '..', 'docs', 'openapi.json');

/** Where a sandbox is, unless it is told otherwise. */
const usualOrigin = 'http://127.0.0.1:4010';

/** The text of that file. */
export function openApiText(): string {
  return `${JSON.stringify(describeApi(usualOrigin), null, 2)}\n`;
}

if (require.main === module) writeFileSync(file, openApiText());
