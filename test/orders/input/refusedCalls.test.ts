import { refusalsByShape } from './refusals';
import { tables } from './tables';

describe('calls are refused, field by field', () => {
  it('mintTokens', () => {
    expect(refusalsByShape('mintTokens', tables.mintTokens)).toMatchInlineSnapshot(`
[
  "walletId: walletId",
  "contractAddress: address",
  "to: recipient",
  "amount: amount",
]
`);
  });

  it('executeContract', () => {
    expect(refusalsByShape('executeContract', tables.executeContract)).toMatchInlineSnapshot(`
[
  "walletId: walletId",
  "contractAddress: address",
  "abiFunctionSignature: is missing. It must be text, in quotes.",
  "abiFunctionSignature: null must be text, in quotes.",
  "abiFunctionSignature: 5 must be text, in quotes.",
  "abiFunctionSignature: {} must be text, in quotes.",
  "abiFunctionSignature: "" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiFunctionSignature: "mintTo" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiFunctionSignature: "mintTo(" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiFunctionSignature: "mintTo(adress)" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiParameters: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a","5"] has 2 values, but the function takes 0.",
  "abiFunctionSignature: "function mintTo(address)" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiFunctionSignature: "event Minted(address)" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiFunctionSignature: " mintTo(address,uint256)" is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".",
  "abiParameters: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a","5"] has 2 values, but the function takes 3.",
  "abiFunctionSignature: "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm… must have at most 1000 characters.",
  "abiParameters: is missing. It has 0 values, but the function takes 2.",
  "abiParameters: null must be a list.",
  "abiParameters: 5 must be a list.",
  "abiParameters: "[]" must be a list.",
  "abiParameters: {} must be a list.",
  "abiParameters: [] has 0 values, but the function takes 2.",
  "abiParameters: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a"] has 1 value, but the function takes 2.",
  "abiParameters: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a","5","6"] has 3 values, but the function takes 2.",
  "abiParameters: ["1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1","1"… must have at most 200 entries.",
  "abiParameters.1.0.1: {} must be text, a number, true, false, or a list of these.",
  "abiParameters.0: null must be text, a number, true, false, or a list of these.",
  "abiParameters.0: {} must be text, a number, true, false, or a list of these.",
  "abiParameters.0: 5 does not fit the type address: give 0x and 40 hexadecimal digits.",
  "abiParameters.0: true does not fit the type address: give 0x and 40 hexadecimal digits.",
  "abiParameters.0: "" is not an address: give 0x and 40 hexadecimal digits.",
  "abiParameters.0: "0x12" is not an address: give 0x and 40 hexadecimal digits.",
  "abiParameters.0: "0x89b50855Aa3bE2F677cD6303Cec089B5F319D72a" has a wrong checksum (EIP-55): a digit may be mistyped. Copy it again from its source.",
  "abiParameters.0: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a"] does not fit the type address: give 0x and 40 hexadecimal digits.",
  "abiParameters.1: null must be text, a number, true, false, or a list of these.",
  "abiParameters.1: {} must be text, a number, true, false, or a list of these.",
  "abiParameters.1: 1.5 does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: 1152921504606847000 does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: true does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: "" does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: "1.5" does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: "-1" does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: "1e3" does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: ["5"] does not fit the type uint256: give a whole number as text, such as "5".",
  "abiParameters.1: "115792089237316195423570985008687907853269984665640564039457584007913129639936" does not fit the type uint256: give a whole number as text, such as "5".",
  "amount: amount",
  "amount: "1.1111111111111111111" has 19 decimals, but native has 18.",
  "amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
]
`);
  });
});
