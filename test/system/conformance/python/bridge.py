"""Calls the vendor's Python SDKs. Lines of JSON on standard input name the calls.

In:  {"id": 1, "method": "WalletsApi.get_wallet", "input": {"id": "…"}}
Out: {"id": 1, "status": 200, "text": "…"}           what came, once the SDK's models have taken it
     {"id": 1, "status": 404, "text": "…"}           a refusal, as the SDK raises it
     {"id": 1, "fault": "…"}                         anything else: what the SDK cannot send or read
"""

import inspect
import json
import os
import sys

from circle.web3 import configurations, developer_controlled_wallets, smart_contract_platform, utils

HOST = os.environ["BRIDGE_HOST"]
API_KEY = os.environ["BRIDGE_API_KEY"]
ENTITY_SECRET = os.environ["BRIDGE_ENTITY_SECRET"]

# All clients use the first client to look up the public key.
configuration = utils.init_configurations_client(api_key=API_KEY, host=HOST)
CLIENTS = [
    (configurations, configuration),
    (
        developer_controlled_wallets,
        utils.init_developer_controlled_wallets_client(API_KEY, ENTITY_SECRET, host=HOST),
    ),
    (
        smart_contract_platform,
        utils.init_smart_contract_platform_client(API_KEY, ENTITY_SECRET, host=HOST),
    ),
]


def method_of(name):
    """A bound method by class name and method name."""
    class_name, method_name = name.split(".")
    for module, client in CLIENTS:
        if hasattr(module, class_name):
            return getattr(getattr(module, class_name)(client), method_name + "_with_http_info")
    raise LookupError(f"The SDKs have no {class_name}.")


def parameters_of(method):
    """The innermost function of a method. Only it shows the parameters."""
    inner = method.__func__
    while inner.__closure__ and inner.__name__ == "wrapper":
        inner = inner.__closure__[0].cell_contents
    return inspect.signature(inner).parameters.values()


def model_of(parameter):
    """The model of a body. None for a parameter in the path or the query."""
    for candidate in getattr(parameter.annotation, "__args__", [parameter.annotation]):
        for one in getattr(candidate, "__args__", [candidate]):
            if inspect.isclass(one) and hasattr(one, "from_dict"):
                return one
    return None


def camel(name):
    """`wallet_set_id` is `walletSetId` in HTTP. Two underscores stand for one in HTTP."""
    first, *rest = name.replace("__", "\0").split("_")
    return (first + "".join(word.capitalize() for word in rest)).replace("\0", "__")


def arguments(method, given):
    """The arguments of a method. Fields without a parameter of their own form the body."""
    left = dict(given)
    taken = {}
    body = None
    for parameter in parameters_of(method):
        model = model_of(parameter)
        if model is not None:
            body = (parameter.name, model)
        elif camel(parameter.name) in left:
            taken[parameter.name] = left.pop(camel(parameter.name))
    if body is not None:
        name, model = body
        taken[name] = model.from_dict(left)
    elif left:
        raise LookupError(f"{method.__name__} has no place for {', '.join(left)}.")
    return taken


def answer(asked):
    try:
        method = method_of(asked["method"])
        came = method(**arguments(method, asked["input"]))
        return {"status": came.status_code, "text": text_of(came.raw_data)}
    except Exception as error:  # The test needs every kind of error.
        if getattr(error, "status", None) and getattr(error, "body", None):
            return {"status": error.status, "text": text_of(error.body)}
        return {"fault": f"{type(error).__name__}: {error}"}


def text_of(data):
    return data.decode() if isinstance(data, bytes) else (data or "")


def names():
    """All methods of the SDKs, in the order of their packages."""
    for module, _ in CLIENTS:
        for class_name in sorted(name for name in dir(module) if name.endswith("Api")):
            for method in sorted(dir(getattr(module, class_name))):
                if method.endswith("_with_http_info"):
                    yield f"{class_name}.{method.removesuffix('_with_http_info')}"


print(json.dumps({"names": list(names())}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], **answer(asked)}), flush=True)
