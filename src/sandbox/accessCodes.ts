/** What is wrong with who calls: the API key, its pace, or the entity secret. */
export const accessFaults = {
  malformedKey: [401, 401, 'Malformed authorization. Are the credentials properly encoded?'],
  unknownKey: {
    wallets: [401, 156007, 'TEST_API key or LIVE_API key is not found for the request.'],
    contracts: [401, 175405, 'TEST_API key or LIVE_API key is not found for the request'],
  },
  wrongEnvironment: {
    wallets: [
      400,
      156006,
      'TEST_API key cannot be used with blockchain mainnets, or LIVE_API key cannot be used with blockchain testnets.',
    ],
    contracts: [
      400,
      175404,
      'TEST_API key cannot be used with blockchain mainnets, or LIVE_API key cannot be used with blockchain testnets',
    ],
  },
  tooManyRequests: [429, 429, 'Too many requests.'],
  ciphertextReused: {
    wallets: [
      400,
      156004,
      'Reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext.',
    ],
    contracts: [
      400,
      177602,
      'reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext',
    ],
  },
  secretInvalid: {
    wallets: [400, 156013, 'The provided entity secret is invalid.'],
    contracts: [400, 177604, 'the provided entity secret is invalid'],
  },
  secretNotSet: {
    wallets: [
      403,
      156016,
      'The entity secret has not been set yet. Please provide encrypted ciphertext in the console.',
    ],
    contracts: [
      400,
      177605,
      'the entity secret has not been set yet. Please provide encrypted ciphertext in the console',
    ],
  },
  secretAlreadySet: [409, 156015, 'The secret for this entity has already been set.'],
} as const;
