// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";

/// A dollar or euro of the sandbox. It keeps everything in storage and nothing in its code, so that
/// the same code can be placed at the address that the real coin has, and be initialised there.
contract Stablecoin is ERC20PermitUpgradeable, OwnableUpgradeable {
    function initialize(
        string calldata name_,
        string calldata symbol_,
        address owner_
    ) external initializer {
        __ERC20_init(name_, symbol_);
        __ERC20Permit_init(name_);
        _transferOwnership(owner_);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
