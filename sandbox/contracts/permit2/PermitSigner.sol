// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// Signatures for Permit2, and payments that stand on them.
abstract contract PermitSigner {
    error SignatureExpired(uint256 signatureDeadline);
    error InvalidNonce();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();
    error InvalidSignatureLength();
    error LengthMismatch();

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant LOW_BITS = bytes32(type(uint256).max >> 1);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(
                abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this))
            );
    }

    function _requireInTime(uint256 deadline) internal view {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
    }

    /// A smart account signs by EIP-1271. An account with a key may sign in 64 bytes (EIP-2098).
    function _requireSigned(
        address signer,
        bytes32 structHash,
        bytes calldata signature
    ) internal view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        if (signer.code.length > 0) {
            bytes4 answer = IERC1271(signer).isValidSignature(digest, signature);
            if (answer != IERC1271.isValidSignature.selector) revert InvalidContractSignature();
            return;
        }
        if (signature.length != 64 && signature.length != 65) revert InvalidSignatureLength();
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        uint8 v = signature.length == 65 ? uint8(signature[64]) : uint8(uint256(s) >> 255) + 27;
        address found = ecrecover(digest, v, r, signature.length == 65 ? s : s & LOW_BITS);
        if (found == address(0)) revert InvalidSignature();
        if (found != signer) revert InvalidSigner();
    }

    function _move(address token, address from, address to, uint256 amount) internal {
        bytes memory call = abi.encodeWithSignature(
            "transferFrom(address,address,uint256)",
            from,
            to,
            amount
        );
        (bool isMoved, bytes memory answer) = token.call(call);
        if (isMoved) isMoved = answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
        require(isMoved, "TRANSFER_FROM_FAILED");
    }
}
