// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "./CallFrom.sol";
import "./SignedTransfers.sol";

/// A dollar or euro of the sandbox. It keeps everything in storage and nothing in its code, so that
/// the same code can be placed at the address that the real coin has, and be initialised there.
contract Stablecoin is SignedTransfers, OwnableUpgradeable {
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);

    /// The name, the events and the words of the revert are those of the real coins.
    mapping(address => bool) public isBlacklisted;

    modifier notBlacklisted(address account) {
        require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
        _;
    }

    function initialize(
        string calldata name_,
        string calldata symbol_,
        address owner_
    ) external initializer {
        __ERC20_init(name_, symbol_);
        __EIP712_init(name_, version());
        _transferOwnership(owner_);
    }

    /// The version of the domain that holders sign for.
    function version() public pure returns (string memory) {
        return "2";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
        emit Mint(msg.sender, to, amount);
    }

    function burn(uint256 amount) external onlyOwner {
        _burn(msg.sender, amount);
        emit Burn(msg.sender, amount);
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    /// Multicall3From and Memo speak for the account that has signed the transaction.
    function _msgSender() internal view override returns (address) {
        return isCalledForSigner() ? tx.origin : msg.sender;
    }

    function _beforeTokenTransfer(
        address from,
        address to,
        uint256
    ) internal view override notBlacklisted(from) notBlacklisted(to) {}

    /// A blocked account neither gives nor has an allowance, whether by `approve` or by a permit.
    function _approve(
        address holder,
        address spender,
        uint256 amount
    ) internal override notBlacklisted(holder) notBlacklisted(spender) {
        super._approve(holder, spender, amount);
    }

    /// Neither does it use one that it had before.
    function _spendAllowance(
        address holder,
        address spender,
        uint256 amount
    ) internal override notBlacklisted(spender) {
        super._spendAllowance(holder, spender, amount);
    }
}
