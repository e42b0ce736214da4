import { getAddress } from 'viem';
import { hasAddressForm } from '../../orders/input/fields';
import type { NameOf } from '../../writer/file/namesOf';
import { type Html, html, type PagePart } from './html';

/** An address in full, with its checksum. Any other text as it is. */
export function wholeAddress(address: string): string {
  return hasAddressForm(address) ? getAddress(address) : address;
}

/** A value of a statement: an address in full with its name, and anything else as it is. */
export function inFull(value: string, nameOf: NameOf): PagePart {
  return hasAddressForm(value) ? addressed(value, nameOf) : value;
}

/** An address in full, with its name. */
export function addressed(address: string, nameOf: NameOf): Html {
  const name = nameOf(address);
  const who = name === undefined ? html`<em class="warn">no name known</em>` : html`<b>${name}</b>`;
  return html`<code>${wholeAddress(address)}</code> ${who}`;
}
