import { readdirSync, readFileSync } from 'node:fs';

/** The same on every Linux that Node runs on. */
const ticksPerS = 100;

type Process = { pid: number; parent: number; ticks: number };

/**
 * The CPU seconds of a process and its descendants. A descendant that has ended counts with the
 * process that waited for it. NaN where there is no /proc.
 */
export function cpuSeconds(pid: number): number {
  const processes = readProcesses();
  if (processes.length === 0) return Number.NaN;
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const one of processes) if (family.has(one.parent)) family.add(one.pid);
  }
  const ticks = processes.filter((one) => family.has(one.pid)).map((one) => one.ticks);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerS;
}

function readProcesses(): Process[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  } catch {
    return [];
  }
}

/** Fields of proc(5): the name in brackets may hold spaces, so it is cut off first. */
function readProcess(name: string): Process[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8');
    const [, parent, , , , , , , , , , own = 0, system = 0, waited = 0, waitedSystem = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = own + system + waited + waitedSystem;
    return [{ pid: Number(name), parent: parent ?? 0, ticks }];
  } catch {
    // It has ended since the folder was read.
    return [];
  }
}
