// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PermitUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/utils/cryptography/SignatureCheckerUpgradeable.sol";
import "./BlockList.sol";

/// Payments and allowances that a holder signs and anybody carries out (EIP-3009, EIP-2612). Types,
/// events and the words of the reverts are those of the real coins. A smart account signs by
/// EIP-1271.
abstract contract SignedTransfers is ERC20PermitUpgradeable, BlockList {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        );
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// True once an authorization was used or cancelled.
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    /// What the holder has signed.
    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) public {
        require(
            deadline == type(uint256).max || deadline >= block.timestamp,
            "FiatTokenV2: permit is expired"
        );
        bytes32 signed = keccak256(
            abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline)
        );
        require(_isSigned(owner, signed, signature), "EIP2612: invalid signature");
        _approve(owner, spender, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        Authorization memory one = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, one, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        Authorization memory one = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, one, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        Authorization memory one = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, one, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        Authorization memory one = Authorization(from, to, value, validAfter, validBefore, nonce);
        _carryOut(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, one, signature);
    }

    function cancelAuthorization(
        address authorizer,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _cancel(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(
        address authorizer,
        bytes32 nonce,
        bytes memory signature
    ) external {
        _cancel(authorizer, nonce, signature);
    }

    function _carryOut(
        bytes32 kind,
        Authorization memory one,
        bytes memory signature
    ) private notBlacklisted(one.from) notBlacklisted(one.to) {
        require(
            kind != RECEIVE_WITH_AUTHORIZATION_TYPEHASH || one.to == _msgSender(),
            "FiatTokenV2: caller must be the payee"
        );
        require(
            block.timestamp > one.validAfter,
            "FiatTokenV2: authorization is not yet valid"
        );
        require(block.timestamp < one.validBefore, "FiatTokenV2: authorization is expired");
        _requireUnused(one.from, one.nonce);
        require(
            _isSigned(one.from, keccak256(abi.encode(kind, one)), signature),
            "FiatTokenV2: invalid signature"
        );
        authorizationState[one.from][one.nonce] = true;
        emit AuthorizationUsed(one.from, one.nonce);
        _transfer(one.from, one.to, one.value);
    }

    function _cancel(address authorizer, bytes32 nonce, bytes memory signature) private {
        _requireUnused(authorizer, nonce);
        bytes32 signed = keccak256(
            abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)
        );
        require(
            _isSigned(authorizer, signed, signature),
            "FiatTokenV2: invalid signature"
        );
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _requireUnused(address authorizer, bytes32 nonce) private view {
        require(
            !authorizationState[authorizer][nonce],
            "FiatTokenV2: authorization is used or canceled"
        );
    }

    /// An account with code is asked itself, and never recovered from its signature.
    function _isSigned(
        address signer,
        bytes32 structHash,
        bytes memory signature
    ) private view returns (bool) {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (signer.code.length == 0) return _recover(digest, signature) == signer;
        return
            SignatureCheckerUpgradeable.isValidERC1271SignatureNow(signer, digest, signature);
    }

    function _recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        (address signer, ECDSAUpgradeable.RecoverError fault) = ECDSAUpgradeable.tryRecover(
            digest,
            signature
        );
        require(
            fault != ECDSAUpgradeable.RecoverError.InvalidSignatureS,
            "ECRecover: invalid signature 's' value"
        );
        uint8 v = uint8(signature[64]);
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        require(
            fault == ECDSAUpgradeable.RecoverError.NoError,
            "ECRecover: invalid signature"
        );
        return signer;
    }
}
