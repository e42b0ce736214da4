/** What can be wrong with what is to be signed, and with a wallet that is to be upgraded. */
export const signingFaults = {
  otherAccountType: [400, 155515, 'The provided wallet account type is not supported by this API.'],
  notDeployedYet: [
    400,
    155514,
    'circle_4337_v1 SCA wallet must be deployed before being upgraded.',
  ],
  notDeployed: [400, 155517, 'The SCA wallet is not deployed onchain.'],
  transactionInvalid: [400, 155801, 'Transaction or rawTransaction is invalid.'],
  otherSigner: [400, 155803, 'Not signer account.'],
  alreadySigned: [400, 155804, 'Transaction already signed.'],
  notDeserialized: [400, 155805, 'Transaction failed to deserialize.'],
  otherChainId: [400, 155807, 'The chain ID is not supported for signing.'],
  noChainId: [400, 155808, 'The chain ID is missing in sign request.'],
  notHexEncoded: [
    409,
    156023,
    'EncodedByHex is true in sign request, but the message is not hex encoded.',
  ],
  notJson: [400, 156024, 'Data is not a valid JSON string in sign request.'],
  messageInvalid: [400, 156025, 'Invalid message in request.'],
  typedDataInvalid: [400, 156026, 'Invalid typed data in request.'],
} as const;
