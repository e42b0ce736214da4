"""Pays USDC once: python pay.py ID WALLET_ID TO AMOUNT"""

import asyncio
import os
import sys
from datetime import timedelta

from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.service import RPCError

QUEUE = os.environ.get("STEADFAST_TASK_QUEUE", "steadfast")


async def pay(order_id: str, wallet_id: str, to: str, amount: str) -> str:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    order = await client.start_workflow(
        "transferStablecoin",
        {"from": {"walletId": wallet_id}, "to": to, "amount": amount, "token": "USDC"},
        id=order_id,
        task_queue=QUEUE,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
    )
    try:
        progress = await order.query("progress", rpc_timeout=timedelta(seconds=10))
    except RPCError as error:
        sys.exit(
            f"{order_id} waits, and no worker answers for it: {error.message}. "
            f'Check the task queue "{QUEUE}", and the name of the workflow.'
        )
    print(f"{order_id}: {progress['status']}", file=sys.stderr)
    try:
        receipt = await order.result()
    except WorkflowFailureError as error:
        sys.exit(f"{order_id} has ended without a receipt: {error.cause}")
    return receipt["txHash"]


if len(sys.argv) != 5:
    sys.exit("Give ID WALLET_ID TO AMOUNT.")
print(asyncio.run(pay(*sys.argv[1:])))
