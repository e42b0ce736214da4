// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// A precompile of the node that moves the native coin for its caller. Arc has one for USDC
// alone. So nothing that the sandbox signs or deploys may call it but USDC.
address constant MOVE_NATIVE = address(0xfd);
string constant REFUSED_NATIVE = "native: only USDC may call 0xfd";
// Arc's own words.
string constant BLOCKED = "Blocked address";
string constant TO_NOBODY = "Zero address not allowed";
// The account that tells of each movement of the native coin on Arc.
address constant NATIVE_LOGGER = 0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE;
// The address that USDC has on Arc.
address constant USDC = 0x3600000000000000000000000000000000000000;
// Native units in a base unit of USDC.
uint256 constant UNITS_EACH = 1e12;

/// Moves native units. What is undone around it is undone with it.
function moveNative(address from, address to, uint256 units) {
    (bool isMoved, ) = MOVE_NATIVE.call(abi.encode(from, to, units));
    require(isMoved, "native: the coin could not be moved");
}

interface IBlockList {
    function isBlacklisted(address account) external view returns (bool);
}

/// Reverts where Arc moves no native coins. A stock node has no such rule.
function requireUnblocked(address from, address to) view {
    IBlockList list = IBlockList(USDC);
    require(!list.isBlacklisted(from) && !list.isBlacklisted(to), BLOCKED);
}

/// Has the system's account tell of a movement.
function logNative(address from, address to, uint256 units) {
    NativeLogger(NATIVE_LOGGER).log(from, to, units);
}

/// Arc's system account. Only USDC and accounts that pay with native coins make it tell something.
contract NativeLogger {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function log(address from, address to, uint256 units) external {
        require(msg.sender == USDC, "native: only USDC tells of others");
        emit Transfer(from, to, units);
    }

    /// Hands native coins on, and tells of that as Arc's system does.
    function pay(address payable to) external payable {
        (bool isPaid, ) = to.call{value: msg.value}("");
        require(isPaid, "native: the payee takes no coins");
        emit Transfer(msg.sender, to, msg.value);
    }
}
