import { getAddress } from 'viem';
import type { NameOf } from '../../writer/file/namesOf';
import { type Html, html, type Part } from './html';

/** True for the text of an address. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** An address in full, with its checksum. Any other text as it is. */
export function wholeAddress(address: string): string {
  return isAddress(address) ? getAddress(address) : address;
}

/** A value of a statement: an address in full with its name, and anything else as it is. */
export function inFull(value: string, nameOf: NameOf): Part {
  return isAddress(value) ? addressed(value, nameOf) : value;
}

/** An address in full, with its name. */
export function addressed(address: string, nameOf: NameOf): Html {
  const name = nameOf(address);
  const who = name === undefined ? html`<em class="warn">no name known</em>` : html`<b>${name}</b>`;
  return html`<code>${wholeAddress(address)}</code> ${who}`;
}
