import type { AcceptedDeployment, ExpectedAnswer } from '../../activities/contracts';
import { templateIds } from '../../src/custody/template';
import type { FeeLevel } from '../../src/custody/transaction';
import { withUsualParameters } from '../../src/custody/usualParameters';
import type { DeployReceipt } from '../../src/orders/deploy';
import { deploymentOf } from '../../src/orders/doing';
import { writes } from '../custody';
import type { Run } from '../run';
import { settle, type Transacting } from '../settle';
import { finished } from '../show';
import { settled, write } from '../write';
import { contract } from './contract';

export type Deployment = {
  wallet: { walletId: string; address: string };
  template: string;
  name: string;
  parameters: object;
  feeLevel: FeeLevel;
  /** The write that made the wallet, where this order has made it. */
  after?: string | undefined;
};

/**
 * Deploys a contract from a template, and returns its address once the service calls it complete
 * and the code there answers with the name and the administrator that were ordered.
 */
export async function deploy(run: Run, ordered: Deployment): Promise<DeployReceipt> {
  const { wallet } = ordered;
  const deploying = deployStep(run, ordered);
  const { doing } = deploying;
  const accepted = await write(run, deploying);
  finished(run, `${doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(run, deploying, accepted);
  run.carried.made.deployTxHash = settlement.txHash;
  const { address } = await contract(run, { doing, accepted, answers: answersOf(ordered) });
  settled(run, deploying);
  run.carried.made.contractAddress = address;
  return {
    ...settlement,
    contractId: accepted.contractId,
    contractAddress: address,
    walletId: wallet.walletId,
  };
}

function deployStep(run: Run, ordered: Deployment): Transacting<AcceptedDeployment> {
  const { wallet, template, name, feeLevel, after } = ordered;
  const { blockchain } = run.opened;
  const doing = deploymentOf(name);
  const { walletId, address } = wallet;
  return {
    step: 'deploy',
    item: '1',
    after,
    doing,
    send: (identity) =>
      writes(`request the ${doing}`).deployTemplate({
        ...identity,
        templateId: template,
        name,
        walletId,
        blockchain,
        templateParameters: withUsualParameters(template, address, ordered.parameters),
        feeLevel,
      }),
    find: (service, search) =>
      service.findDeployment({ ...search, walletId, deployer: address, blockchain }),
    expected: { blockchain, walletId, sourceAddress: address },
    sender: address,
    effect: { kind: 'deployment', from: address },
  };
}

/** The role that hands out all others, in every contract with roles. */
const adminRole = `0x${'0'.repeat(64)}`;

/** What a contract of a template that is known must answer: who it is, and who administers it. */
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
