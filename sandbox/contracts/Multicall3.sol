// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./Multicall.sol";
import "./NativeCoin.sol";

/// Calls several contracts in its own name, for whoever asks. The functions and reverts are those of
/// the contract that most chains have at its address.
contract Multicall3 is Multicall {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// The values have to add up to the value of the transaction.
    function aggregate3Value(
        Call3Value[] calldata calls
    ) external payable returns (Result[] memory returnData) {
        uint256 given = 0;
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call3Value calldata one = calls[i];
            given += one.value;
            returnData[i] = _pay(one.target, one.value, one.callData);
            require(returnData[i].success || one.allowFailure, FAILED);
        }
        require(msg.value == given, "Multicall3: value mismatch");
    }

    string private constant FAILED = "Multicall3: call failed";

    function _call(
        address target,
        bytes calldata data,
        bool requireSuccess
    ) internal override returns (Result memory result) {
        result = _pay(target, 0, data);
        require(result.success || !requireSuccess, FAILED);
    }

    function _pay(
        address target,
        uint256 value,
        bytes calldata data
    ) private returns (Result memory result) {
        if (target == address(0) && value > 0) {
            result.returnData = abi.encodeWithSignature("Error(string)", TO_NOBODY);
        } else {
            (result.success, result.returnData) = target.call{value: value}(data);
        }
    }
}
