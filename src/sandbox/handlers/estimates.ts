import { randomUUID } from 'node:crypto';
import type { Handlers, Service } from '../service';
import { toCall } from '../store/records';
import { deployCall, templateContract } from '../template';
import { estimateFees, sourceOf } from './estimate';
import { executionCall } from './executionCall';
import { transferCall } from './transferCall';
import { movementOf } from './transfers';

type Names = 'estimateTransfer' | 'estimateExecution' | 'estimateDeployment';

/** What calls would cost: each builds the call that its write would, and changes nothing. */
export function estimateHandlers(service: Service): Handlers<Names> {
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
      const { call } = deployCall(service.chain, {
        templateId: input.id,
        parameters: input.templateParameters ?? {},
        // Only for this call: what is deployed later has an id, and so an address, of its own.
        contractId: randomUUID(),
      });
      const facts = { source, call: toCall(call) };
      const { low, medium, high } = await estimateFees(service, facts, 'contracts');
      return { low, medium, high };
    },
  };
}
