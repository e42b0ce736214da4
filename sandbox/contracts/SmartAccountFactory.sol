// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import "@openzeppelin/contracts/utils/Create2.sol";
import "./SmartAccount.sol";

/// Creates accounts at addresses that follow from owner and salt.
contract SmartAccountFactory {
    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    /// The account, created unless it is there.
    function createAccount(address owner, uint256 salt) external returns (address account) {
        account = getAddress(owner, salt);
        if (account.code.length > 0) return account;
        new ERC1967Proxy{salt: bytes32(salt)}(implementation, initializer(owner));
    }

    function getAddress(address owner, uint256 salt) public view returns (address) {
        bytes memory arguments = abi.encode(implementation, initializer(owner));
        bytes memory code = abi.encodePacked(type(ERC1967Proxy).creationCode, arguments);
        return Create2.computeAddress(bytes32(salt), keccak256(code));
    }

    function initializer(address owner) private pure returns (bytes memory) {
        return abi.encodeCall(SmartAccount.initialize, (owner));
    }
}
