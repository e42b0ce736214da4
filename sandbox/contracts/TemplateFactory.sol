// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/proxy/Clones.sol";
import "@openzeppelin/contracts/utils/Address.sol";

/// Deploys a template: a clone of its implementation, initialised in the same call, at an address
/// that follows from implementation and salt.
contract TemplateFactory {
    event Deployed(
        address indexed clone,
        address implementation,
        bytes32 salt,
        address deployer
    );

    /// Reverts with the initialiser's own reason when that refuses its arguments.
    function deploy(
        address implementation,
        bytes calldata initializer,
        bytes32 salt
    ) external returns (address clone) {
        clone = Clones.cloneDeterministic(implementation, salt);
        Address.functionCall(clone, initializer);
        emit Deployed(clone, implementation, salt, msg.sender);
    }

    function predict(address implementation, bytes32 salt) external view returns (address) {
        return Clones.predictDeterministicAddress(implementation, salt);
    }
}
