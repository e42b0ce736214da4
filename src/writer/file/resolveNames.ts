import { join } from 'node:path';
import { isAddress } from 'viem';
import { addressFault } from '../../orders/input/fields';
import { shown } from '../../orders/input/shown';
import { readAddressFile } from './addressFile';
import type { Moneys } from './money';
import type { PolicyMoney, Recipients } from './policy';
import { groupNameOf, type PolicyText } from './schema';

export type Path = readonly (string | number)[];

/** The state of one reading: the text, its names and the faults so far. */
export type PolicyReading = {
  text: PolicyText;
  moneys: Moneys;
  people: Map<string, readonly string[]>;
  signIn: Map<string, readonly string[]>;
  groups: Map<string, readonly string[]>;
  addresses: Map<string, ReadonlyMap<string, string>>;
  tokens: Map<string, PolicyMoney>;
  fault(path: Path, words: string): void;
};

/** A key belongs to one person, so that a quorum counts persons. */
export function readPeople({ text, people, signIn, fault }: PolicyReading): void {
  const owners = new Map<string, string>();
  for (const [person, given] of Object.entries(text.people)) {
    // A passkey that signs in decides nothing, so that a sign-in never stands for an approval.
    for (const field of ['keys', 'signIn'] as const) {
      for (const [index, key] of given[field].entries()) {
        const [, body = ''] = key.split(' ');
        const owner = owners.get(body);
        if (owner !== undefined) {
          const both = owner === person ? `twice a key of ${person}` : `a key of ${owner} as well`;
          fault(['people', person, field, index], `This key is ${both}. A person needs their own`);
        }
        owners.set(body, person);
      }
    }
    people.set(person, given.keys);
    if (given.signIn.length > 0) signIn.set(person, given.signIn);
  }
}

/** Groups of people, and groups of addresses. */
export function readGroups(reading: PolicyReading, folder: string): void {
  for (const [name, group] of Object.entries(reading.text.groups)) {
    const path = ['groups', name];
    if (!Array.isArray(group)) readFileGroup(reading, { name, file: group.file, folder });
    else if (group.some((member) => member.startsWith('0x'))) {
      reading.addresses.set(name, readAddresses(reading, group, path));
    } else reading.groups.set(name, readMembers(reading, group, path));
  }
}

function readFileGroup(
  { addresses, fault }: PolicyReading,
  { name, file, folder }: { name: string; file: string; folder: string },
): void {
  const path = ['groups', name, 'file'];
  const read = readAddressFile(join(folder, file), file);
  for (const words of read.faults) fault(path, words);
  if (read.addresses.size === 0 && read.faults.length === 0) fault(path, `${file} is empty`);
  addresses.set(name, read.addresses);
}

function readAddresses({ fault }: PolicyReading, given: readonly string[], path: Path) {
  const found = new Map<string, string>();
  for (const [index, address] of given.entries()) {
    if (!isAddress(address)) fault([...path, index], `${shown(address)} ${addressFault(address)}`);
    else if (found.has(address.toLowerCase())) {
      fault([...path, index], `${address} is in the list twice`);
    } else found.set(address.toLowerCase(), '');
  }
  return found;
}

function readMembers({ people, fault }: PolicyReading, given: readonly string[], path: Path) {
  for (const [index, member] of given.entries()) {
    if (!people.has(member)) {
      fault([...path, index], `${shown(member)} is not among the people. Add them there`);
    } else if (given.indexOf(member) !== index) {
      fault([...path, index], `${shown(member)} is in the group twice`);
    }
  }
  return [...new Set(given)];
}

/** The people of a group. A name of no such group is a fault. */
export function checkGroup({ groups, addresses, fault }: PolicyReading, name: string, path: Path) {
  const members = groups.get(name);
  if (members !== undefined) return members;
  const why = addresses.has(name) ? 'has addresses, not people' : 'is not among the groups';
  fault(path, `@${name} ${why}. Name a group of people`);
  return undefined;
}

/** The moneys of tokens that a rule names. */
export function readTokens(
  { moneys, tokens, fault }: PolicyReading,
  given: readonly string[],
  path: Path,
) {
  return new Set(
    given.flatMap((token, index) => {
      const address = moneys.addressOf(token);
      if (address === undefined) {
        fault(
          [...path, index],
          `${shown(token)} is no token: give USDC, EURC, native or an address`,
        );
        return [];
      }
      tokens.set(address, moneys.moneyOf(address));
      return [moneys.moneyOf(address)];
    }),
  );
}

/** The addresses that a rule names, one by one or by groups. */
export function readRecipients(
  { addresses, groups, fault }: PolicyReading,
  to: string | readonly string[],
  path: Path,
): Recipients {
  if (to === 'anyone') return 'anyone';
  const found = new Map<string, string>();
  for (const [index, one] of [to].flat().entries()) {
    const own = typeof to === 'string' ? path : [...path, index];
    const group = groupNameOf(one);
    const members = group === undefined ? undefined : addresses.get(group);
    if (group !== undefined && members === undefined) {
      const why = groups.has(group) ? 'has people, not addresses' : 'is not among the groups';
      fault(own, `@${group} ${why}. Name a group of addresses`);
    }
    for (const [address, name] of members ?? []) found.set(address, name);
    if (group !== undefined) continue;
    if (isAddress(one)) found.set(one.toLowerCase(), '');
    else fault(own, `${shown(one)} ${addressFault(one)}`);
  }
  return found;
}

/** Sees to it that a rule names an approval that is there. */
export function checkBeyond(
  { text, fault }: PolicyReading,
  beyond: string | undefined,
  path: Path,
): void {
  if (beyond === undefined) return;
  if (text.rules.some(({ id, kind }) => id === beyond && kind === 'approval')) return;
  fault([...path, 'beyond'], `${shown(beyond)} is the id of no approval rule`);
}

export function lowerSet(texts: readonly string[]): Set<string> {
  return new Set(texts.map((text) => text.toLowerCase()));
}
