// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./AllowanceTransfer.sol";

/// Payments that a holder signs for a spender, each of them once, and allowances. Functions, types,
/// events and errors are those of the contract that most chains have at its address.
contract Permit2 is AllowanceTransfer {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }
    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    error InvalidAmount(uint256 maxAmount);

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    string private constant PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
    string private constant REST = "address spender,uint256 nonce,uint256 deadline";
    bytes32 private constant PERMISSIONS_TYPEHASH = keccak256(bytes(PERMISSIONS));

    /// A bit for each nonce that was used or cancelled, by owner and word.
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    function permitTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 kind = keccak256(
            abi.encodePacked("PermitTransferFrom(TokenPermissions permitted,", REST, ")", PERMISSIONS)
        );
        bytes32 permitted = _hashPermitted(permit.permitted);
        bytes32 signed = keccak256(
            abi.encode(kind, permitted, msg.sender, permit.nonce, permit.deadline)
        );
        _payOne(permit, transferDetails, owner, signed, signature);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 kind = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,",
                REST,
                ",",
                witnessTypeString
            )
        );
        bytes32 permitted = _hashPermitted(permit.permitted);
        bytes32 signed = keccak256(
            abi.encode(kind, permitted, msg.sender, permit.nonce, permit.deadline, witness)
        );
        _payOne(permit, transferDetails, owner, signed, signature);
    }

    function permitTransferFrom(
        PermitBatchTransferFrom memory permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 kind = keccak256(
            abi.encodePacked(
                "PermitBatchTransferFrom(TokenPermissions[] permitted,",
                REST,
                ")",
                PERMISSIONS
            )
        );
        bytes32 permitted = _hashAll(permit.permitted);
        bytes32 signed = keccak256(
            abi.encode(kind, permitted, msg.sender, permit.nonce, permit.deadline)
        );
        _payAll(permit, transferDetails, owner, signed, signature);
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom memory permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 kind = keccak256(
            abi.encodePacked(
                "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,",
                REST,
                ",",
                witnessTypeString
            )
        );
        bytes32 permitted = _hashAll(permit.permitted);
        bytes32 signed = keccak256(
            abi.encode(kind, permitted, msg.sender, permit.nonce, permit.deadline, witness)
        );
        _payAll(permit, transferDetails, owner, signed, signature);
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    function _payOne(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata one,
        address owner,
        bytes32 signed,
        bytes calldata signature
    ) private {
        _requireInTime(permit.deadline);
        _requireWithin(one, permit.permitted);
        _useNonce(owner, permit.nonce);
        _requireSigned(owner, signed, signature);
        _move(permit.permitted.token, owner, one.to, one.requestedAmount);
    }

    function _payAll(
        PermitBatchTransferFrom memory permit,
        SignatureTransferDetails[] calldata all,
        address owner,
        bytes32 signed,
        bytes calldata signature
    ) private {
        _requireInTime(permit.deadline);
        if (all.length != permit.permitted.length) revert LengthMismatch();
        _useNonce(owner, permit.nonce);
        _requireSigned(owner, signed, signature);
        for (uint256 i = 0; i < all.length; ++i) {
            _requireWithin(all[i], permit.permitted[i]);
            uint256 amount = all[i].requestedAmount;
            if (amount > 0) _move(permit.permitted[i].token, owner, all[i].to, amount);
        }
    }

    function _requireWithin(
        SignatureTransferDetails calldata one,
        TokenPermissions memory permitted
    ) private pure {
        if (one.requestedAmount > permitted.amount) revert InvalidAmount(permitted.amount);
    }

    function _useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 word = nonce >> 8;
        if (nonceBitmap[owner][word] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][word] |= bit;
    }

    function _hashPermitted(TokenPermissions memory one) private pure returns (bytes32) {
        return keccak256(abi.encode(PERMISSIONS_TYPEHASH, one));
    }

    function _hashAll(TokenPermissions[] memory all) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](all.length);
        for (uint256 i = 0; i < hashes.length; ++i) hashes[i] = _hashPermitted(all[i]);
        return keccak256(abi.encodePacked(hashes));
    }
}
