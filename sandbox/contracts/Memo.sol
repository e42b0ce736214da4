// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./CallFrom.sol";
import "./NativeCoin.sol";

/// Attaches a memo to a call that an account makes. Interface, events and reverts are those of Arc's.
contract Memo {
    error MemoFailed(bytes returnData);

    event BeforeMemo(uint256 indexed memoIndex);
    event Memo(
        address indexed sender,
        address indexed target,
        bytes32 callDataHash,
        bytes32 indexed memoId,
        bytes memo,
        uint256 memoIndex
    );

    uint256 public memoIndex;

    function memo(
        address target,
        bytes calldata data,
        bytes32 memoId,
        bytes calldata memoData
    ) external {
        // A call may come back to this function, so each keeps its own index.
        uint256 index = memoIndex++;
        emit BeforeMemo(index);
        require(isSenderSigner(), SPOOFING);
        require(target != MOVE_NATIVE, REFUSED_NATIVE);
        (bool success, bytes memory returnData) = target.call(data);
        if (!success) revert MemoFailed(returnData);
        emit Memo(tx.origin, target, keccak256(data), memoId, memoData, index);
    }
}
