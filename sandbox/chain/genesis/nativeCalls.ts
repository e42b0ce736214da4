import { type Hex, hexToBytes } from 'viem';

/** The opcodes that push 1 to 32 bytes, and the precompile that moves the native coin. */
const [pushFirst, pushLast, mover] = [0x60, 0x7f, 0xfd];

/**
 * True if code names the precompile that moves the native coin as an address, which only USDC may
 * call. An address that the code computes is not seen.
 */
export function callsNativeMover(code: Hex): boolean {
  const bytes = hexToBytes(code);
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] ?? 0;
    if (opcode < pushFirst || opcode > pushLast) continue;
    const width = opcode - pushFirst + 1;
    const pushed = bytes.subarray(at + 1, at + 1 + width);
    const isMover = pushed.at(-1) === mover && pushed.subarray(0, -1).every((byte) => byte === 0);
    if (isMover && isCalledAfter(bytes.subarray(at + 1 + width))) return true;
    at += width;
  }
  return false;
}

/** CALL, CALLCODE, DELEGATECALL and STATICCALL, and the bytes within which one uses an address. */
const [calls, bytesMax] = [[0xf1, 0xf2, 0xf4, 0xfa], 160];

function isCalledAfter(rest: Uint8Array): boolean {
  return rest.subarray(0, bytesMax).some((byte) => calls.includes(byte));
}
