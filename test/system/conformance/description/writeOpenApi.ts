import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../../../../sandbox/openapi/document';

/** The file with the description, for readers without a sandbox. */
export const file = join(__dirname, '..', '..', '..', '..', 'docs', 'openapi.json');

/** The usual address of a sandbox. */
const usualOrigin = 'http://127.0.0.1:4010';

/** The text of that file. */
export function openApiText(): string {
  return `${JSON.stringify(describeApi(usualOrigin), null, 2)}\n`;
}

if (require.main === module) writeFileSync(file, openApiText());
