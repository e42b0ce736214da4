// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./CallFrom.sol";
import "./NativeCoin.sol";
import "./SignedTransfers.sol";

/// A dollar or euro of the sandbox. It keeps everything in storage and nothing in its code, so that
/// the same code can be placed at the address that the real coin has, and be initialised there.
contract Stablecoin is SignedTransfers {
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);

    mapping(address => mapping(address => uint256)) private allowances;

    function initialize(
        string calldata name_,
        string calldata symbol_,
        address owner_
    ) external initializer {
        __ERC20_init(name_, symbol_);
        __EIP712_init(name_, version());
        _transferOwnership(owner_);
        // The real coins block themselves, but for the one that Arc makes of the native coin.
        if (address(this) != USDC) isBlacklisted[address(this)] = true;
    }

    /// The version of the domain that holders sign for.
    function version() public pure returns (string memory) {
        return "2";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function transfer(
        address to,
        uint256 amount
    )
        public
        virtual
        override
        notBlacklisted(_msgSender())
        notBlacklisted(to)
        returns (bool)
    {
        return super.transfer(to, amount);
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    )
        public
        virtual
        override
        notBlacklisted(_msgSender())
        notBlacklisted(from)
        notBlacklisted(to)
        returns (bool)
    {
        return super.transferFrom(from, to, amount);
    }

    function mint(address to, uint256 amount) external onlyOwner notBlacklisted(msg.sender) {
        _mint(to, amount);
        emit Mint(msg.sender, to, amount);
    }

    function burn(uint256 amount) external onlyOwner notBlacklisted(msg.sender) {
        _burn(msg.sender, amount);
        emit Burn(msg.sender, amount);
    }

    function allowance(
        address holder,
        address spender
    ) public view override returns (uint256) {
        return allowances[holder][spender];
    }

    /// Multicall3From and Memo speak for the account that has signed the transaction.
    function _msgSender() internal view override returns (address) {
        return isCalledForSigner() ? tx.origin : msg.sender;
    }

    function _mint(
        address to,
        uint256 amount
    ) internal virtual override notBlacklisted(to) {
        super._mint(to, amount);
    }

    /// The real coins let blocked accounts give and get allowances, by `approve` and by a permit.
    function _approve(address holder, address spender, uint256 amount) internal override {
        require(holder != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowances[holder][spender] = amount;
        emit Approval(holder, spender, amount);
    }

    /// Takes from the largest allowance too, and emits no approval, as the real coins do.
    function _spendAllowance(
        address holder,
        address spender,
        uint256 amount
    ) internal override {
        uint256 left = allowances[holder][spender];
        require(amount <= left, "ERC20: transfer amount exceeds allowance");
        allowances[holder][spender] = left - amount;
    }
}
