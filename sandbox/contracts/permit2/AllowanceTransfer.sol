// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./PermitSigner.sol";

/// Allowances with an amount and an end, given by a call or by a signature.
abstract contract AllowanceTransfer is PermitSigner {
    struct PackedAllowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }
    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }
    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }
    struct PermitBatch {
        PermitDetails[] details;
        address spender;
        uint256 sigDeadline;
    }
    struct AllowanceTransferDetails {
        address from;
        address to;
        uint160 amount;
        address token;
    }
    struct TokenSpenderPair {
        address token;
        address spender;
    }

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error ExcessiveInvalidation();

    event Approval(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration
    );
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );
    event Lockdown(address indexed owner, address token, address spender);
    event NonceInvalidation(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint48 newNonce,
        uint48 oldNonce
    );

    bytes32 private constant DETAILS_TYPEHASH =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant SINGLE_TYPEHASH =
        keccak256(
            "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
        );
    bytes32 private constant BATCH_TYPEHASH =
        keccak256(
            "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
        );

    /// By owner, token and spender.
    mapping(address => mapping(address => mapping(address => PackedAllowance))) public allowance;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        PackedAllowance storage kept = allowance[msg.sender][token][spender];
        (kept.amount, kept.expiration) = (amount, _endOf(expiration));
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function permit(
        address owner,
        PermitSingle memory permitSingle,
        bytes calldata signature
    ) external {
        _requireInTime(permitSingle.sigDeadline);
        bytes32 details = _hashDetails(permitSingle.details);
        _requireSigned(
            owner,
            keccak256(
                abi.encode(SINGLE_TYPEHASH, details, permitSingle.spender, permitSingle.sigDeadline)
            ),
            signature
        );
        _allow(owner, permitSingle.spender, permitSingle.details);
    }

    function permit(
        address owner,
        PermitBatch memory permitBatch,
        bytes calldata signature
    ) external {
        _requireInTime(permitBatch.sigDeadline);
        bytes32[] memory hashes = new bytes32[](permitBatch.details.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = _hashDetails(permitBatch.details[i]);
        }
        bytes32 details = keccak256(abi.encodePacked(hashes));
        _requireSigned(
            owner,
            keccak256(
                abi.encode(BATCH_TYPEHASH, details, permitBatch.spender, permitBatch.sigDeadline)
            ),
            signature
        );
        for (uint256 i = 0; i < hashes.length; ++i) {
            _allow(owner, permitBatch.spender, permitBatch.details[i]);
        }
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        _spend(from, to, amount, token);
    }

    function transferFrom(AllowanceTransferDetails[] calldata transferDetails) external {
        for (uint256 i = 0; i < transferDetails.length; ++i) {
            AllowanceTransferDetails calldata one = transferDetails[i];
            _spend(one.from, one.to, one.amount, one.token);
        }
    }

    function lockdown(TokenSpenderPair[] calldata approvals) external {
        for (uint256 i = 0; i < approvals.length; ++i) {
            (address token, address spender) = (approvals[i].token, approvals[i].spender);
            allowance[msg.sender][token][spender].amount = 0;
            emit Lockdown(msg.sender, token, spender);
        }
    }

    function invalidateNonces(address token, address spender, uint48 newNonce) external {
        PackedAllowance storage kept = allowance[msg.sender][token][spender];
        uint48 oldNonce = kept.nonce;
        if (newNonce <= oldNonce) revert InvalidNonce();
        if (newNonce - oldNonce > type(uint16).max) revert ExcessiveInvalidation();
        kept.nonce = newNonce;
        emit NonceInvalidation(msg.sender, token, spender, newNonce, oldNonce);
    }

    function _allow(address owner, address spender, PermitDetails memory one) private {
        PackedAllowance storage kept = allowance[owner][one.token][spender];
        if (kept.nonce != one.nonce) revert InvalidNonce();
        (kept.amount, kept.expiration) = (one.amount, _endOf(one.expiration));
        unchecked {
            kept.nonce = one.nonce + 1;
        }
        emit Permit(owner, one.token, spender, one.amount, one.expiration, one.nonce);
    }

    function _spend(address from, address to, uint160 amount, address token) private {
        PackedAllowance storage kept = allowance[from][token][msg.sender];
        if (block.timestamp > kept.expiration) revert AllowanceExpired(kept.expiration);
        uint160 left = kept.amount;
        if (amount > left) revert InsufficientAllowance(left);
        if (left != type(uint160).max) kept.amount = left - amount;
        _move(token, from, to, amount);
    }

    /// Zero means: for this block alone.
    function _endOf(uint48 expiration) private view returns (uint48) {
        return expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function _hashDetails(PermitDetails memory details) private pure returns (bytes32) {
        return keccak256(abi.encode(DETAILS_TYPEHASH, details));
    }
}
