import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToContracts, withFee } from './sdks';

type ContractNames =
  | 'deployTemplate'
  | 'estimateDeployment'
  | 'deployContract'
  | 'estimateContractDeployment'
  | 'importContract'
  | 'updateContract'
  | 'getContract'
  | 'listContracts'
  | 'queryContract';

export function contractMethods({ contracts }: Sdks): Pick<CustodyApi, ContractNames> {
  return {
    deployTemplate: async (input) => {
      const sent = withFee(input) as ToContracts<'deployContractTemplate'>;
      return read('deployTemplate', await contracts.deployContractTemplate(sent));
    },
    estimateDeployment: async (input) => {
      const sent = input as ToContracts<'estimateContractTemplateDeploymentFee'>;
      const answer = await contracts.estimateContractTemplateDeploymentFee(sent);
      return read('estimateDeployment', answer);
    },
    deployContract: async (input) => {
      const sent = withFee(input) as ToContracts<'deployContract'>;
      return read('deployContract', await contracts.deployContract(sent));
    },
    estimateContractDeployment: async (input) => {
      const sent = input as ToContracts<'estimateContractDeploymentFee'>;
      const answer = await contracts.estimateContractDeploymentFee(sent);
      return read('estimateContractDeployment', answer);
    },
    importContract: async (input) =>
      read(
        'importContract',
        await contracts.importContract(input as ToContracts<'importContract'>),
      ),
    updateContract: async (input) =>
      read(
        'updateContract',
        await contracts.updateContract(input as ToContracts<'updateContract'>),
      ),
    getContract: async (input) => read('getContract', await contracts.getContract(input)),
    listContracts: async (input) =>
      read('listContracts', await contracts.listContracts(input as ToContracts<'listContracts'>)),
    queryContract: async (input) =>
      read('queryContract', await contracts.queryContract(input as ToContracts<'queryContract'>)),
  };
}
