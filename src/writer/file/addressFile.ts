import { isAddress } from 'viem';
import {
  bytesOf,
  filledRows,
  hiddenFault,
  hiddenRows,
  type ListFile,
  type NumberedRow,
} from '../../checks/listFile';
import { addressFault } from '../../orders/input/fields';
import { shown } from '../../orders/input/shown';

const fileBytesMax = 4_000_000;
const way = 'Leave out what is no longer needed.';

class BadFile extends Error {}

/** The addresses of a file in lower case with their names, and its faults in words. */
type AddressFile = { addresses: Map<string, string>; faults: string[] };

/**
 * Reads a CSV file with the columns address and name. A file whose first row begins with an address
 * has no header, and may have no names. Returns every fault, without the period.
 */
export function readAddressFile(path: string, lead = path): AddressFile {
  const addresses = new Map<string, string>();
  try {
    const file = { path, lead, Fault: BadFile };
    const text = bytesOf(file, { bytesMax: fileBytesMax, way }).toString('utf8');
    const rows = filledRows(file, text);
    const hasHeader = rows[0] !== undefined && !rows[0].cells[0]?.startsWith('0x');
    const columns = columnsIn(hasHeader ? rows[0] : undefined, file);
    const faults = rows.slice(hasHeader ? 1 : 0).flatMap((row) => {
      const words = take(row, columns, addresses);
      return words === undefined ? [] : [`${lead}, line ${row.row}: ${words}`];
    });
    const hidden = hiddenRows(text).map((row) => `${lead}, line ${row}: ${hiddenFault}`);
    return { addresses, faults: [...hidden, ...faults] };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return { addresses, faults: [error.message.replace(/\.$/, '')] };
  }
}

type Columns = { address: number; name: number; count: number };

/** The places of the two columns. A file may have others, which are not read. */
function columnsIn(header: NumberedRow | undefined, { lead, Fault }: ListFile): Columns {
  if (header === undefined) return { address: 0, name: 1, count: 2 };
  const names = header.cells.map((cell) => cell.toLowerCase());
  for (const column of ['address', 'name']) {
    const count = names.filter((name) => name === column).length;
    if (count > 1)
      throw new Fault(`${lead}: the first row names ${count} columns ${column}. Leave one.`);
  }
  if (!names.includes('address')) {
    throw new Fault(`${lead}: the first row names no column address. Begin with "address,name".`);
  }
  return { address: names.indexOf('address'), name: names.indexOf('name'), count: names.length };
}

/** Adds the address of a row. Returns its fault in words, if it has one. */
function take(
  { cells }: NumberedRow,
  { address: at, name: nameAt, count }: Columns,
  addresses: Map<string, string>,
) {
  const [address = '', name = ''] = [cells[at], cells[nameAt]];
  if (cells.length > count) {
    const have = `has ${cells.length} values for ${count} columns`;
    return `${have}. Put a name with a comma in double quotes`;
  }
  if (!isAddress(address)) return `${shown(address)} ${addressFault(address)}`;
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) {
    const has = 'has a line break or another control character';
    return `the name ${shown(name)} ${has}. Write it on one line`;
  }
  if (addresses.has(address.toLowerCase())) return `${address} is in the list twice`;
  addresses.set(address.toLowerCase(), name);
  return undefined;
}
