// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./CallFrom.sol";
import "./Multicall.sol";
import "./NativeCoin.sol";

/// Calls several contracts in the name of the account that has signed the transaction. Interface and
/// reverts are those of Arc's: Multicall3 without its functions that move the native coin.
contract Multicall3From is Multicall {
    /// A refused sender counts as a failure of the call, so that a caller who allows failures sees it.
    function _call(
        address target,
        bytes calldata data,
        bool requireSuccess
    ) internal override returns (Result memory result) {
        if (target == MOVE_NATIVE) {
            result.returnData = abi.encodeWithSignature("Error(string)", REFUSED_NATIVE);
        } else if (isSenderSigner()) {
            (result.success, result.returnData) = target.call(data);
        } else {
            result.returnData = abi.encodeWithSignature("Error(string)", SPOOFING);
        }
        if (result.success || !requireSuccess) return result;
        bytes memory reason = result.returnData;
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }
}
