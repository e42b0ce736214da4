import type { AcceptedDeployment, ExpectedAnswer } from '../../activities/contracts';
import { withUsualParameters } from '../../src/custody/abi/usualParameters';
import { templateIds } from '../../src/custody/objects/template';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import type { ResolvedWallet } from '../../src/orders/kind';
import { deploymentOf } from '../../src/orders/progress/doing';
import { sends } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import type { Transacting } from '../write/step';
import { contract, contractIdOf } from './contract';
import { transact } from './transact';

export type Deployment = {
  wallet: ResolvedWallet;
  template: string;
  name: string;
  parameters: object;
  feeLevel: FeeLevel;
};

/**
 * Deploys a contract from a template. Returns its address once the service calls it complete and
 * its code answers with the ordered name and administrator.
 */
export async function deploy(live: LiveOrder, ordered: Deployment): Promise<DeployReceipt> {
  const deploying = deployStep(live, ordered);
  const { made } = live.carried;
  let contractId = '';
  let contractAddress = '';
  const settlement = await transact(live, deploying, async (accepted) => {
    contractId = await contractIdOf(live, deploying, accepted);
    const deployed = { doing: deploying.doing, contractId, answers: answersOf(ordered) };
    ({ address: contractAddress } = await contract(live, deployed));
    made.contractAddress = contractAddress;
  });
  return { ...settlement, contractId, contractAddress, walletId: ordered.wallet.walletId };
}

function deployStep(live: LiveOrder, ordered: Deployment): Transacting<AcceptedDeployment> {
  const { wallet, template, name, feeLevel } = ordered;
  const { blockchain } = live.opened;
  const doing = deploymentOf(name);
  const { walletId, address } = wallet;
  const templateParameters = withUsualParameters(template, address, ordered.parameters);
  const input = { id: template, name, walletId, blockchain, templateParameters, feeLevel };
  return {
    step: 'deploy',
    item: '1',
    doing,
    send: (identity) => sends(`request the ${doing}`).deployTemplate({ ...identity, input }),
    find: (service, search) => service.findDeployment({ ...search, deployer: address, blockchain }),
    expected: { blockchain, walletId, sourceAddress: address },
    sender: address,
    isSmart: wallet.accountType === 'SCA',
    effect: { kind: 'deployment', from: address },
  };
}

/** The role that hands out all others, in every contract with roles. */
const adminRole = `0x${'0'.repeat(64)}`;

/** Answers that a contract of a known template must give: its name and its administrator. */
function answersOf(ordered: Deployment): ExpectedAnswer[] {
  const { wallet, template, parameters } = ordered;
  const told = withUsualParameters(template, wallet.address, parameters);
  const { name = '', defaultAdmin = '' } = told;
  switch (template) {
    case templateIds.fungible:
    case templateIds.uniqueItem:
    case templateIds.multiToken:
      return [
        { signature: 'name()', parameters: [], type: 'string', value: name },
        {
          signature: 'hasRole(bytes32,address)',
          parameters: [adminRole, defaultAdmin],
          type: 'bool',
          value: 'true',
        },
      ];
    case templateIds.airdrop:
      return [{ signature: 'owner()', parameters: [], type: 'address', value: defaultAdmin }];
    default:
      return [];
  }
}
