export { deployContract } from './deployContract';
export { deploymentSequence } from './deploymentSequence';
export { executeContract } from './executeContract';
export { fundWallet } from './fundWallet';
export { mintTokens } from './mintTokens';
export { provisionWallets } from './provisionWallets';
export { transferSequence } from './transferSequence';
export { transferStablecoin } from './transferStablecoin';
