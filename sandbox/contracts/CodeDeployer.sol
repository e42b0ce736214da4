// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/utils/Create2.sol";

/// Deploys any creation code, at an address that follows from the code and a salt.
contract CodeDeployer {
    event Deployed(address indexed deployed, bytes32 salt, address deployer);

    /// Reverts with "Create2: Failed on deploy" when the constructor does, whatever its reason.
    function deploy(bytes32 salt, bytes calldata code) external returns (address deployed) {
        deployed = Create2.deploy(0, salt, code);
        emit Deployed(deployed, salt, msg.sender);
    }
}
