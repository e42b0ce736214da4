"""Calls the vendor's Python SDKs, as lines of JSON on standard input ask for it.

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

# The first client that is made serves them all when they look for the public key.
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
    """A bound method by the name of its class and its own."""
    class_name, method_name = name.split(".")
    for module, client in CLIENTS:
        if hasattr(module, class_name):
            return getattr(getattr(module, class_name)(client), method_name + "_with_http_info")
    raise LookupError(f"The SDKs have no {class_name}.")


def parameters_of(method):
    """The SDKs' decorators hide what a method takes; the innermost function has it."""
    inner = method.__func__
    while inner.__closure__ and inner.__name__ == "wrapper":
        inner = inner.__closure__[0].cell_contents
    return inspect.signature(inner).parameters.values()


def model_of(parameter):
    """The model of a body; None where the parameter is part of the path or the query."""
    for candidate in getattr(parameter.annotation, "__args__", [parameter.annotation]):
        for one in getattr(candidate, "__args__", [candidate]):
            if inspect.isclass(one) and hasattr(one, "from_dict"):
                return one
    return None


def camel(name):
    """`wallet_set_id` is `walletSetId` on the wire; two underscores are the wire's own."""
    first, *rest = name.replace("__", "\0").split("_")
    return (first + "".join(word.capitalize() for word in rest)).replace("\0", "__")


def arguments(method, given):
    """The arguments of a method: what has no parameter of its own is the body."""
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
    except Exception as error:  # Whatever it is, the test has to hear of it.
        if getattr(error, "status", None) and getattr(error, "body", None):
            return {"status": error.status, "text": text_of(error.body)}
        return {"fault": f"{type(error).__name__}: {error}"}


def text_of(data):
    return data.decode() if isinstance(data, bytes) else (data or "")


def names():
    """Every method that the SDKs have, in the order of their packages."""
    for module, _ in CLIENTS:
        for class_name in sorted(name for name in dir(module) if name.endswith("Api")):
            for method in sorted(dir(getattr(module, class_name))):
                if method.endswith("_with_http_info"):
                    yield f"{class_name}.{method.removesuffix('_with_http_info')}"


print(json.dumps({"names": list(names())}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], **answer(asked)}), flush=True)
