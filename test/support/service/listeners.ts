import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The addresses and ports on which a process or its descendants listen. Linux only. */
export function listenersOf(pid: number): string[] {
  const inodes = new Set(familyOf(pid).flatMap(socketsOf));
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8'));
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === listening && inodes.has(inode))
    .map(([, local = '']) => readable(local));
}

const listening = '0A';

/** A process and all its descendants. */
function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc').filter(Number).map(Number);
  const children = parents.filter((child) => parentOf(child) === pid);
  return [pid, ...children.flatMap(familyOf)];
}

function parentOf(pid: number): number {
  const text = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name is in brackets, and may contain any character.
  return Number(text?.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const names = unlessGone(() => readdirSync(folder)) ?? [];
  const targets = names.map((name) => unlessGone(() => readlinkSync(`${folder}/${name}`)) ?? '');
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** Runs a read. Returns undefined when the process or its open file no longer exists. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Decodes an address. The kernel writes each four bytes backwards, in hexadecimal. */
function readable(local: string): string {
  const [address = '', port = ''] = local.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)),
  );
  const isMapped = bytes.length === 16 && bytes[10] === 255 && bytes[11] === 255;
  const isV4 = bytes.length === 4 || isMapped;
  const host = isV4 ? bytes.slice(-4).join('.') : `[${Buffer.from(bytes).toString('hex')}]`;
  return `${host}:${Number.parseInt(port, 16)}`;
}
