// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";

/// The accounts that a coin has blocked. Names, events and words are those of the real coins.
abstract contract BlockList is OwnableUpgradeable {
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);

    mapping(address => bool) public isBlacklisted;

    modifier notBlacklisted(address account) {
        require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
        _;
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }
}
