const bits = Array.from({ length: 32 }, (_, at) => 8 * (at + 1)).join('|');
const elementary = new RegExp(
  `^(?:address|bool|function|string|bytes(?:[1-9]|[12]\\d|3[012])?|u?int(?:${bits})?)$`,
);

/** True for a type of Solidity that has no parts. No compiler knows `uint7` or `bytes33`. */
export function isElementary(type: string): boolean {
  return elementary.test(type);
}
