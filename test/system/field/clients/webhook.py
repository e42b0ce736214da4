"""A webhook in another language, as people write it: each notice is verified on its raw body, a
known notificationId does nothing, and of two notices of a transaction the newer one counts.
Prints its address, and then one line of JSON for each call."""

import base64
import json
import os
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

ORIGIN = os.environ["SERVICE_ORIGIN"]
API_KEY = os.environ["SERVICE_API_KEY"]
keys = {}
seen = set()
newest = {}


def key_of(key_id):
    if key_id not in keys:
        asked = urllib.request.Request(
            f"{ORIGIN}/v2/notifications/publicKey/{key_id}",
            headers={"Authorization": f"Bearer {API_KEY}"},
        )
        with urllib.request.urlopen(asked) as answer:
            der = base64.b64decode(json.load(answer)["data"]["publicKey"])
        keys[key_id] = serialization.load_der_public_key(der)
    return keys[key_id]


def is_genuine(body, headers):
    signature = base64.b64decode(headers["X-Circle-Signature"])
    try:
        key_of(headers["X-Circle-Key-Id"]).verify(signature, body, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


def note(told):
    """Keeps the newest state of a transaction. Returns what was wrong with the notice."""
    if told["notificationId"] in seen:
        return "twice"
    seen.add(told["notificationId"])
    key = told["notification"].get("id")
    if key in newest and newest[key]["timestamp"] > told["timestamp"]:
        return "late"
    newest[key] = told
    return None


def tell(line):
    print(json.dumps(line), flush=True)


class Server(HTTPServer):
    # Many notices come at a time, and five may wait if nobody says more.
    request_queue_size = 128


class Webhook(BaseHTTPRequestHandler):
    def do_HEAD(self):
        tell({"method": "HEAD"})
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = json.loads(body)
        rewritten = json.dumps(told).encode()
        wrong = note(told)
        kept = newest[told["notification"].get("id")]["notification"].get("state")
        tell(
            {
                "method": "POST",
                "isGenuine": is_genuine(body, self.headers),
                "isRewrittenGenuine": is_genuine(rewritten, self.headers),
                "type": told["notificationType"],
                "id": told["notification"].get("id"),
                "state": told["notification"].get("state"),
                "wrong": wrong,
                "kept": kept,
            }
        )
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


server = Server(("127.0.0.1", 0), Webhook)
tell({"endpoint": f"http://127.0.0.1:{server.server_port}/hook"})
server.serve_forever()
