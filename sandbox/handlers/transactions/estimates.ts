import { randomUUID } from 'node:crypto';
import { toCall } from '../../store/records/records';
import { deployCodeCall } from '../contracts/bytecode';
import { executionCall } from '../contracts/executionCall';
import { deployCall, templateContract } from '../contracts/template';
import type { SandboxApi, Service } from '../service';
import { estimateFees, sourceOf } from './estimate';
import { transferCall } from './transferCall';
import { movementOf } from './transfers';

/** Estimates: each builds the call that its write would make, and changes nothing. */
export function estimateHandlers(service: Service) {
  return {
    estimateTransfer: async (input) => {
      const source = sourceOf(service, input);
      const call = await transferCall(service, await movementOf(service, input, source.address));
      return estimateFees(service, { source, call: toCall(call) });
    },

    estimateExecution: async (input) => {
      const source = sourceOf(service, input);
      return estimateFees(service, { source, call: toCall(executionCall(input)) });
    },

    estimateDeployment: async (input) => {
      templateContract(input.id);
      const source = sourceOf(service, input, 'contracts');
      // The id is only for this call: what is deployed later has an id, and so an address, of its own.
      const { call } = deployCall(service.chain, input, randomUUID());
      return threeLevels(service, { source, call: toCall(call) });
    },

    estimateContractDeployment: async (input) => {
      const source = sourceOf(service, input, 'contracts');
      const { call } = deployCodeCall(service.chain, input, randomUUID());
      return threeLevels(service, { source, call: toCall(call) });
    },
  } satisfies Partial<SandboxApi>;
}

/** The contract side tells the levels alone, also of a smart account. */
async function threeLevels(service: Service, facts: Parameters<typeof estimateFees>[1]) {
  const { low, medium, high } = await estimateFees(service, facts, 'contracts');
  return { low, medium, high };
}
