// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/interfaces/IERC1271.sol";
import "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import "./NativeCoin.sol";

/// A user operation as an entry point of version 0.6 hands it over.
struct UserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    uint256 callGasLimit;
    uint256 verificationGasLimit;
    uint256 preVerificationGas;
    uint256 maxFeePerGas;
    uint256 maxPriorityFeePerGas;
    bytes paymasterAndData;
    bytes signature;
}

struct Call {
    address target;
    uint256 value;
    bytes data;
}

/// The account of a wallet: one owner signs its operations, and whatever else it is to have signed.
/// It has the calls of the hosted account that a single owner needs, and none of its modules.
contract SmartAccount is IERC1271, Initializable, UUPSUpgradeable, ERC721Holder, ERC1155Holder {
    uint256 private constant SIGNATURE_FAILED = 1;
    bytes4 private constant NO_SIGNATURE = 0xffffffff;

    address public immutable entryPoint;
    address private owner;

    event AccountInitialized(address indexed entryPoint, address indexed owner);

    modifier onlyAuthorized() {
        _requireAuthorized();
        _;
    }

    constructor(address entryPoint_) {
        entryPoint = entryPoint_;
        _disableInitializers();
    }

    receive() external payable {}

    function initialize(address owner_) external initializer {
        owner = owner_;
        emit AccountInitialized(entryPoint, owner_);
    }

    /// The name that the hosted account has for it; that one has no `owner()`.
    function getNativeOwner() external view returns (address) {
        return owner;
    }

    function execute(
        address target,
        uint256 value,
        bytes calldata data
    ) external payable onlyAuthorized returns (bytes memory) {
        return _call(target, value, data);
    }

    /// All of the calls, in their order, or none.
    function executeBatch(
        Call[] calldata calls
    ) external payable onlyAuthorized returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            if (calls[i].value > 0) requireUnblocked(address(this), calls[i].target);
            results[i] = _call(calls[i].target, calls[i].value, calls[i].data);
        }
    }

    /// Where there is no paymaster, the account pays the entry point; that one looks at how much.
    function validateUserOp(
        UserOperation calldata operation,
        bytes32 operationHash,
        uint256 missingFunds
    ) external returns (uint256 validationData) {
        require(msg.sender == entryPoint, "account: not from the entry point");
        bytes32 hash = ECDSA.toEthSignedMessageHash(operationHash);
        if (!_isByOwner(hash, operation.signature)) validationData = SIGNATURE_FAILED;
        if (missingFunds > 0) {
            (bool paid, ) = payable(msg.sender).call{value: missingFunds}("");
            (paid);
        }
    }

    function isValidSignature(
        bytes32 hash,
        bytes calldata signature
    ) external view returns (bytes4) {
        return _isByOwner(hash, signature) ? IERC1271.isValidSignature.selector : NO_SIGNATURE;
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(IERC1271).interfaceId ||
            interfaceId == type(IERC721Receiver).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    function _authorizeUpgrade(address) internal view override onlyAuthorized {}

    function _requireAuthorized() private view {
        require(
            msg.sender == entryPoint || msg.sender == owner || msg.sender == address(this),
            "account: not from the entry point, the owner or itself"
        );
    }

    function _isByOwner(bytes32 hash, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError fault) = ECDSA.tryRecover(hash, signature);
        return fault == ECDSA.RecoverError.NoError && signer == owner;
    }

    /// What the target reverts with goes on as it is.
    function _call(
        address target,
        uint256 value,
        bytes calldata data
    ) private returns (bytes memory result) {
        require(target != MOVE_NATIVE, REFUSED_NATIVE);
        require(target != address(0) || value == 0, TO_NOBODY);
        if (value > 0 && data.length == 0 && target.code.length == 0) {
            NativeLogger(NATIVE_LOGGER).pay{value: value}(payable(target));
            return result;
        }
        bool success;
        (success, result) = target.call{value: value}(data);
        if (success) return result;
        assembly {
            revert(add(result, 32), mload(result))
        }
    }
}
