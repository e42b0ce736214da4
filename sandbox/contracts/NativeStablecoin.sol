// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./NativeCoin.sol";
import "./Stablecoin.sol";

/// USDC as it is on Arc: the native coin of the chain, seen with 6 decimals. It keeps no balances.
contract NativeStablecoin is Stablecoin {
    uint256 private supply;

    function balanceOf(address account) public view override returns (uint256) {
        return account.balance / UNITS_EACH;
    }

    function totalSupply() public view override returns (uint256) {
        return supply;
    }

    /// Arc's precompile looks at both sides, and not the coin.
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(_msgSender(), to, amount);
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    ) public override notBlacklisted(_msgSender()) returns (bool) {
        _spendAllowance(from, _msgSender(), amount);
        _transfer(from, to, amount);
        return true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(balanceOf(from) >= amount, "ERC20: transfer amount exceeds balance");
        require(!isBlacklisted[from] && !isBlacklisted[to], BLOCKED);
        moveNative(from, to, amount * UNITS_EACH);
        // Arc's system account tells of what has moved, and of nothing else.
        if (amount > 0 && from != to) logNative(from, to, amount * UNITS_EACH);
        emit Transfer(from, to, amount);
    }

    /// The owner's account is the mint: it holds all coins that nobody has yet.
    function _mint(address to, uint256 amount) internal override {
        require(to != address(0), "ERC20: mint to the zero address");
        require(!isBlacklisted[to], BLOCKED);
        supply += amount;
        moveNative(owner(), to, amount * UNITS_EACH);
        logNative(address(0), to, amount * UNITS_EACH);
        emit Transfer(address(0), to, amount);
    }

    /// Only the owner burns, and its account is the mint, so that nothing moves.
    function _burn(address from, uint256 amount) internal override {
        require(supply >= amount, "ERC20: burn amount exceeds balance");
        supply -= amount;
        logNative(from, address(0), amount * UNITS_EACH);
        emit Transfer(from, address(0), amount);
    }
}
