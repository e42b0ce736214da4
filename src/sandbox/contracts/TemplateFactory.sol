// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/proxy/Clones.sol";
import "@openzeppelin/contracts/utils/Address.sol";

/// Deploys a template: a clone of its implementation, initialised in the same call. The address
/// follows from implementation, salt and deployer, so that nobody can take another one's address.
contract TemplateFactory {
    event Deployed(
        address indexed clone,
        address indexed implementation,
        bytes32 salt,
        address indexed deployer
    );

    /// Reverts with the initialiser's own reason when that refuses its arguments.
    function deploy(
        address implementation,
        bytes32 salt,
        bytes calldata initializer
    ) external returns (address clone) {
        clone = Clones.cloneDeterministic(implementation, _saltOf(salt, msg.sender));
        Address.functionCall(clone, initializer);
        emit Deployed(clone, implementation, salt, msg.sender);
    }

    function predict(
        address implementation,
        bytes32 salt,
        address deployer
    ) external view returns (address) {
        return Clones.predictDeterministicAddress(implementation, _saltOf(salt, deployer));
    }

    function _saltOf(bytes32 salt, address deployer) private pure returns (bytes32) {
        return keccak256(abi.encode(salt, deployer));
    }
}
