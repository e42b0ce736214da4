// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// The two contracts that Arc lets call others in the name of an account, at their addresses there.
address constant MULTICALL3_FROM = 0x522fAf9A91c41c443c66765030741e4AaCe147D0;
address constant MEMO = 0x5294E9927c3306DcBaDb03fe70b92e01cCede505;

// Arc's own words.
string constant SPOOFING = "sender spoofing requires tx.origin as sender";

/// True if the caller is one of the two contracts. Both of them call only for the account that has
/// signed the transaction. On Arc a precompile makes that account the sender of such a call. A stock
/// node has no such precompile, so what is called has to ask.
function isCalledForSigner() view returns (bool) {
    return msg.sender == MULTICALL3_FROM || msg.sender == MEMO;
}

/// True if the sender, as Arc shows it, is the account that has signed the transaction.
function isSenderSigner() view returns (bool) {
    return msg.sender == tx.origin || isCalledForSigner();
}
