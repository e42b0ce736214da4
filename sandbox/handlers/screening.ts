import { screen } from '../engine/screening';
import { isoSeconds } from '../store/records/records';
import type { SandboxApi } from './service';

/** Screens an address by the rules that also screen transactions. Nothing is kept of it. */
export function screeningHandlers() {
  return {
    screenAddress: async ({ idempotencyKey: id, address, chain }) => {
      const { ruleName, actions, reasons } = screen({ destinationAddress: address }) ?? {};
      const result = actions?.includes('DENY') ? 'DENIED' : 'APPROVED';
      const decision = { screeningDate: isoSeconds(Date.now()), ruleName, actions, reasons };
      return { result, decision, id, address, chain };
    },
  } satisfies Partial<SandboxApi>;
}
