const text = { type: 'string' };
const numbers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));

/** A response of 200 with this data in its envelope. */
function answer(data: object) {
  const schema = { type: 'object', required: ['data'], properties: { data } };
  return { content: { 'application/json': { schema } } };
}

const refusals = {
  400: { $ref: '#/components/responses/BadRequest' },
  401: { $ref: '#/components/responses/NotAuthorized' },
  404: { $ref: '#/components/responses/NotFound' },
};

const feeParameters = {
  type: 'object',
  properties: numbers('gasPrice', 'maxFee', 'priorityFee', 'baseFee'),
};

const wallet = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/WalletResponse' } } },
};

/** Endpoints that are newer than the descriptions, by the vendor's Python models. */
export const newerPaths = [
  {
    documents: ['developer-controlled-wallets'],
    at: ['paths'],
    add: {
      '/v1/w3s/developer/transactions/feeParameters': {
        get: {
          responses: {
            200: answer({
              type: 'object',
              properties: { low: feeParameters, medium: feeParameters, high: feeParameters },
            }),
            ...refusals,
          },
        },
      },
      '/v1/w3s/developer/wallets/derive': {
        put: { responses: { 200: wallet, 201: wallet, ...refusals } },
      },
      '/v1/w3s/transactions/lowestNonceTransaction': {
        get: {
          responses: {
            200: answer({
              type: 'object',
              required: ['transaction', 'feeInfo'],
              properties: {
                transaction: { $ref: '#/components/schemas/Transaction' },
                feeInfo: {
                  type: 'object',
                  required: ['newHighEstimatedFee', 'feeDifferenceAmount'],
                  properties: {
                    newHighEstimatedFee: { $ref: '#/components/schemas/TransactionFee' },
                    feeDifferenceAmount: text,
                  },
                },
              },
            }),
            204: {},
            ...refusals,
          },
        },
      },
    },
    reason: 'They came with version 10 of the SDKs. Their fields are those of the Python SDK 9.6.',
  },
] as const;
