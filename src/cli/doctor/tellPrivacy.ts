import type { Privacy } from '../../privacy/privacy';

/** Whether Temporal can read what orders are about; keys by their names alone. */
export function tellPrivacy({ keyIds }: Privacy): string {
  const [first, ...others] = keyIds;
  if (first === undefined) {
    return 'not encrypted: whoever may read Temporal can read orders (STEADFAST_CODEC_KEYS)';
  }
  const more = others.length === 0 ? '' : `; ${others.map((id) => `"${id}"`).join(', ')} decrypt`;
  return `private, encrypted with the key "${first}"${more}`;
}
